#include "programs/grid/shared_prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/platform/index_range.h"
#include "base/simd/loops.h"
#include "kernels/engines/row_store.h"
#include "kernels/matrix/kernel_matrix.h"
#include "model/decisions.h"
#include "model/svm_type.h"

namespace svm {
namespace {

constexpr std::size_t kSliceRows = 256;
constexpr std::size_t kMostFunctions = 10;  // decision functions of a model
// The rounding error of a sum is less than kDeviations standard deviations if roundings are
// independent, and less than kEqualPart of the sum of their bounds if they are equal.
constexpr double kDeviations = 30, kEqualPart = 0.5;

// A decision function as weights of kernel rows, in slices of support vectors.
struct WeightedRows {
  std::vector<std::vector<RowTerm>> slices;
  double squares = 0, sizes = 0;  // of weight times size_of_row()

  void add(std::size_t vector, double weight, double size) {
    const std::size_t slice = vector / kSliceRows;
    if (slice >= slices.size()) slices.resize(slice + 1);
    slices[slice].push_back({vector % kSliceRows, weight});
    squares += weight * weight * size * size;
    sizes += std::fabs(weight) * size;
  }
};

// The square root of K_tt, or of the largest value if the matrix may be indefinite.  No value K_st
// is larger than the product for s and t.
double size_of_row(const KernelMatrix& kernel, std::size_t t) {
  return std::sqrt(std::max(std::fabs(kernel.diagonal(t)), kernel.largest_value()));
}

std::vector<WeightedRows> functions_of(const ModelView& model, const KernelMatrix& kernel) {
  std::vector<WeightedRows> functions(model.functions());
  model.for_each_stretch(
      0, model.count,
      [&](const double* weights, std::size_t function, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
          if (weights[s] != 0) functions[function].add(s, weights[s], size_of_row(kernel, s));
        }
      });
  return functions;
}

}  // namespace

bool is_worth_sharing(const ModelView& model) {
  return model.count > 0 && !is_regression(model.param.svm_type) && model.functions() > 0 &&
         model.functions() <= kMostFunctions;
}

std::vector<std::size_t> predict_by_shared_rows(const std::vector<SupportVectors>& models,
                                                const std::vector<std::uint32_t>& rows,
                                                RowStore& shared, Run& run,
                                                const std::vector<double*>& predictions) {
  const std::size_t vectors = models[0].size(), count = rows.size();
  std::vector<std::uint32_t> all = models[0].numbers();
  all.insert(all.end(), rows.begin(), rows.end());
  constexpr std::size_t kCopies = 1, kRoom = 0;  // the matrix keeps no rows of its own
  const std::size_t variables = all.size();
  KernelMatrix kernel(make_part_engine(shared, std::move(all)), variables, kCopies, kRoom, kRoom,
                      *run.services.pool);
  kernel.set_poll([&run] { return run.poll(); });
  std::vector<std::vector<WeightedRows>> functions;
  std::vector<std::vector<double>> sums;  // by model; of (function, row)
  for (const SupportVectors& model : models) {
    functions.push_back(functions_of(model.view(), kernel));
    sums.emplace_back(functions.back().size() * count, 0.0);
  }
  std::vector<KernelMatrix::Rows> slices;
  for (std::size_t s = 0; s < vectors; ++s) {
    if (s % kSliceRows == 0) slices.emplace_back();
    slices.back().push_back(s);
  }
  const std::vector<std::size_t> columns = index_range(vectors, vectors + count);
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
  if (!done) return index_range(0, count);

  std::vector<char> is_certain(count, 1);
  for (std::size_t m = 0; m < models.size(); ++m) {
    const Decisions decisions(models[m].view(), run.services.messages);
    std::vector<double> values(functions[m].size());
    for (std::size_t i = 0; i < count; ++i) {
      const double row_size = size_of_row(kernel, vectors + i);
      for (std::size_t f = 0; f < values.size(); ++f) {
        values[f] = sums[m][f * count + i] - models[m].view().rho[f];
        const WeightedRows& function = functions[m][f];
        const double rounding =
            kernel.rounding() * row_size *
            std::max(kDeviations * std::sqrt(function.squares), kEqualPart * function.sizes);
        if (!(std::fabs(values[f]) > rounding) || !std::isfinite(values[f])) is_certain[i] = 0;
      }
      predictions[m][i] = decisions.prediction_of(values.data());
    }
  }
  std::vector<std::size_t> uncertain;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_certain[i] == 0) uncertain.push_back(i);
  }
  return uncertain;
}

}  // namespace svm
