#include "training/certificate.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "model/svm_type.h"
#include "training/classes.h"
#include "training/models.h"
#include "training/subset.h"
#include "training/weights.h"

namespace svm {
namespace {

[[noreturn]] void refuse_model() {
  throw std::invalid_argument("the model was not trained on these rows");
}

// w = sum of coefficients_t phi(rows_t)
struct Expansion {
  std::vector<DataRow> rows;
  std::vector<double> coefficients;

  void add(const DataRow& row, double coefficient) {
    rows.push_back(row);
    coefficients.push_back(coefficient);
  }
};

// w'phi(x) of its rows.
std::vector<double> values_of(const Expansion& w, const svm_parameter& param, ThreadPool& pool) {
  const std::size_t count = w.rows.size();
  KernelMatrix kernel(make_row_engine(KernelFunction(param), w.rows.data(), count), count, 1, 0, 0,
                      pool);
  std::vector<std::size_t> columns(count);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::vector<double> values(count, 0.0);
  kernel.add_sums(w.coefficients, columns, KernelMatrix::Precision::kDouble, values.data());
  return values;
}

// A model beside the rows that it was trained on.
class TrainedModel {
 public:
  TrainedModel(const Problem& problem, const double* weights, const svm_parameter& param,
               const svm_model& model, const Run& run)
      : rows_(problem, weights),
        problem_(rows_.problem()),
        param_(param),
        model_(model),
        run_(run) {
    std::vector<std::size_t> vector_of(static_cast<std::size_t>(problem.l), kNoVector);
    for (int s = 0; s < model.l && model.sv_indices != nullptr; ++s) {
      const int row = model.sv_indices[s];
      if (row < 1 || row > problem.l) refuse_model();
      vector_of[static_cast<std::size_t>(row) - 1] = static_cast<std::size_t>(s);
    }
    vector_of_ = rows_.of_these(vector_of);
  }

  Certificate certify_classifier() const {
    const Classes classes = group_classes(problem_);
    if (model_.label == nullptr || classes.size() != static_cast<std::size_t>(model_.nr_class) ||
        !std::equal(classes.labels.begin(), classes.labels.end(), model_.label)) {
      refuse_model();
    }
    const auto ignore = [](const char*) {};  // training has given its warnings
    const std::vector<double> costs = class_costs(classes, param_, Messages(ignore, ignore));
    std::vector<std::size_t> number(classes.size());
    std::iota(number.begin(), number.end(), std::size_t{0});
    std::vector<int> start = {0};  // of the support vectors of each class
    for (std::size_t c = 0; c < classes.size(); ++c) start.push_back(start[c] + model_.nSV[c]);
    Certificate all;
    for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
      Subset rows = rows_of_pair(problem_, rows_.weights(), classes, a, b);
      Expansion own;
      add_own_vectors(start[a], start[a + 1], model_.sv_coef[b - 1], own);
      add_own_vectors(start[b], start[b + 1], model_.sv_coef[a], own);
      all.add(certify({rows.problem(),
                       {costs[a], costs[b], rows.weights()},
                       model_.rho[pair],
                       pair_coefficients(model_, classes, number, vector_of_, a, b),
                       {},
                       0},
                      own));
    });
    return all;
  }

  Certificate certify_single() const {
    std::vector<double> coefficients;
    for (const std::size_t s : vector_of_) {
      coefficients.push_back(s == kNoVector ? 0 : model_.sv_coef[0][s]);
    }
    Expansion own;
    add_own_vectors(0, model_.l, model_.sv_coef[0], own);
    return certify(
        {problem_, {0, 0, rows_.weights()}, model_.rho[0], std::move(coefficients), {}, 0}, own);
  }

 private:
  // Of a model whose support vectors are no rows of the problem.
  void add_own_vectors(int begin, int end, const double* coefficients, Expansion& own) const {
    if (model_.sv_indices != nullptr) return;
    for (int s = begin; s < end; ++s) {
      if (coefficients[s] != 0) own.add(model_.SV[s], coefficients[s]);
    }
  }

  // Of a solution whose values are not known yet.
  Certificate certify(BinarySolution solution, const Expansion& own) const {
    Expansion w;
    const Problem& problem = solution.problem;
    for (std::size_t t = 0; t < static_cast<std::size_t>(problem.l); ++t) {
      w.add(problem.x[t], solution.coefficients[t]);
    }
    for (std::size_t k = 0; k < own.rows.size(); ++k) w.add(own.rows[k], own.coefficients[k]);
    solution.values = values_of(w, param_, *run_.services.pool);
    solution.squared_norm = std::inner_product(w.coefficients.begin(), w.coefficients.end(),
                                               solution.values.begin(), 0.0);
    solution.values.resize(static_cast<std::size_t>(problem.l));
    return certify_binary(solution, param_, run_);
  }

  PositiveRows rows_;
  const Problem problem_;
  const svm_parameter& param_;
  const svm_model& model_;
  const Run& run_;
  std::vector<std::size_t> vector_of_;  // each row is
};

}  // namespace

Certificate certify(const Problem& problem, const svm_parameter& param, const svm_model& model,
                    const Run& run) {
  const double* const weights = checked_weights(problem, param, run.options.row_weights);
  const TrainedModel trained(problem, weights, param, model, run);
  return is_classification(param.svm_type) ? trained.certify_classifier()
                                           : trained.certify_single();
}

}  // namespace svm
