#include "training/shared_prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>

#include "kernels/matrix/kernel_matrix.h"
#include "model/prediction.h"
#include "model/svm_type.h"
#include "simd/loops.h"
#include "training/sharing.h"

namespace svm {
namespace {

constexpr std::size_t kSliceRows = 256;
constexpr std::size_t kMostFunctions = 10;  // of a model
// A sum of rounded values is off by less than so many standard deviations of its rounding, where
// roundings are independent; and by less than this part of the sum of all, where they are equal.
constexpr double kDeviations = 30, kEqualPart = 0.5;

// One decision function as weights of kernel rows, by slices of the support vectors.
struct WeightedRows {
  std::vector<std::vector<RowTerm>> slices;
  double squares = 0, sizes = 0;  // of the weights times the size of their row's values

  void add(std::size_t vector, double weight, double size) {
    const std::size_t slice = vector / kSliceRows;
    if (slice >= slices.size()) slices.resize(slice + 1);
    slices[slice].push_back({vector % kSliceRows, weight});
    squares += weight * weight * size * size;
    sizes += std::fabs(weight) * size;
  }
};

// The root of K_tt, which no value of the row is larger than times that of its column; where the
// matrix may be indefinite, that of the largest value.
double size_of_row(const KernelMatrix& kernel, std::size_t t) {
  return std::sqrt(std::max(std::fabs(kernel.diagonal(t)), kernel.largest_value()));
}

// sv_coef has the pair (a, b) in array b - 1 for the vectors of class a, in array a for those of b.
std::vector<WeightedRows> functions_of(const svm_model& model, const KernelMatrix& kernel) {
  std::vector<WeightedRows> functions;
  const auto add_range = [&](const double* weights, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      if (weights[s] != 0) functions.back().add(s, weights[s], size_of_row(kernel, s));
    }
  };
  if (!is_classification(model.param.svm_type)) {
    functions.emplace_back();
    add_range(model.sv_coef[0], 0, static_cast<std::size_t>(model.l));
    return functions;
  }
  const std::size_t classes = static_cast<std::size_t>(model.nr_class);
  std::vector<std::size_t> start(classes + 1, 0);
  for (std::size_t c = 0; c < classes; ++c) {
    start[c + 1] = start[c] + static_cast<std::size_t>(model.nSV[c]);
  }
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      functions.emplace_back();
      add_range(model.sv_coef[b - 1], start[a], start[a + 1]);
      add_range(model.sv_coef[a], start[b], start[b + 1]);
    }
  }
  return functions;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

bool is_worth_sharing(const svm_model& model) {
  const std::size_t classes = static_cast<std::size_t>(model.nr_class);
  return model.l > 0 && (model.param.svm_type == ONE_CLASS ||
                         (is_classification(model.param.svm_type) && classes > 1 &&
                          classes * (classes - 1) / 2 <= kMostFunctions));
}

std::vector<std::size_t> predict_by_shared_rows(const std::vector<const svm_model*>& models,
                                                const std::vector<DataRow>& rows,
                                                SharedRows& shared, Run& run,
                                                const std::vector<double*>& predictions) {
  const std::size_t vectors = static_cast<std::size_t>(models[0]->l), count = rows.size();
  std::vector<DataRow> all(models[0]->SV, models[0]->SV + vectors);
  all.insert(all.end(), rows.begin(), rows.end());
  const std::unique_ptr<KernelMatrix> matrix = matrix_over(all, shared, run);
  if (matrix == nullptr) return all_of(count);
  KernelMatrix& kernel = *matrix;
  std::vector<std::vector<WeightedRows>> functions;
  std::vector<std::vector<double>> sums;  // of each model: (function, row)
  for (const svm_model* model : models) {
    functions.push_back(functions_of(*model, kernel));
    sums.emplace_back(functions.back().size() * count, 0.0);
  }
  std::vector<KernelMatrix::Rows> slices;
  for (std::size_t s = 0; s < vectors; ++s) {
    if (s % kSliceRows == 0) slices.emplace_back();
    slices.back().push_back(s);
  }
  std::vector<std::size_t> columns(count);
  std::iota(columns.begin(), columns.end(), vectors);
  const Loops& simd = loops(instruction_set());
  const bool done = kernel.visit_blocks(slices, columns, [&](const KernelMatrix::Block& block) {
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (std::size_t f = 0; f < functions[m].size(); ++f) {
        const auto& terms = functions[m][f].slices;
        if (block.slice >= terms.size()) continue;
        simd.add_rows(sums[m].data() + f * count + block.begin, block.values, block.stride,
                      terms[block.slice].data(), terms[block.slice].size(),
                      block.end - block.begin);
      }
    }
  });
  if (!done) return all_of(count);

  std::vector<char> is_certain(count, 1);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const Predictor predictor(*models[m], run.services.messages);
    std::vector<double> values(functions[m].size());
    for (std::size_t i = 0; i < count; ++i) {
      const double row_size = size_of_row(kernel, vectors + i);
      for (std::size_t f = 0; f < values.size(); ++f) {
        values[f] = sums[m][f * count + i] - models[m]->rho[f];
        const WeightedRows& function = functions[m][f];
        const double rounding =
            kernel.rounding() * row_size *
            std::max(kDeviations * std::sqrt(function.squares), kEqualPart * function.sizes);
        if (!(std::fabs(values[f]) > rounding) || !std::isfinite(values[f])) is_certain[i] = 0;
      }
      predictions[m][i] = predictor.prediction_of(values.data());
    }
  }
  std::vector<std::size_t> uncertain;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_certain[i] == 0) uncertain.push_back(i);
  }
  return uncertain;
}

}  // namespace svm
