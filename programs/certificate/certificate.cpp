#include "programs/certificate/certificate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"
#include "kernels/engines/row_engine.h"
#include "kernels/exact_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "model/model_view.h"
#include "model/predictor.h"
#include "model/svm_type.h"
#include "solvers/smo/resolution.h"
#include "training/check.h"
#include "training/machines.h"
#include "training/problem.h"

namespace svm {
namespace {

// Values may be off by this part of the tolerance.
constexpr double kCertainPart = 1.0 / 16;
// Values in more digits than doubles have take at most so many products of features, some ten
// seconds of a processor.
constexpr double kMostProducts = 1e9;

[[noreturn]] void refuse_model() {
  throw std::invalid_argument("the model was not trained on these rows");
}

// w = sum over t of coefficients_t phi(rows_t).
struct Expansion {
  std::vector<DataRow> rows;
  std::vector<double> coefficients;

  void add(const DataRow& row, double coefficient) {
    rows.push_back(row);
    coefficients.push_back(coefficient);
  }
};

// w'phi(x) for the rows x of w, and a bound on the error of all of these.
struct BoundedValues {
  std::vector<double> values;
  double error;
};

// Computes the values in doubles, or with more digits if doubles may be off by more than `wanted`.
BoundedValues values_of(const Expansion& w, const svm_parameter& param, double wanted,
                        ThreadPool& pool) {
  const std::size_t count = w.rows.size();
  const KernelFunction function(param);
  KernelMatrix kernel(make_row_engine(function, w.rows.data(), count), count, 1, 0, 0, pool);
  const std::vector<std::size_t> columns = index_range(0, count);
  const auto terms = count - static_cast<std::size_t>(
                                 std::count(w.coefficients.begin(), w.coefficients.end(), 0.0));
  const double products = TermSizes(kernel, w.coefficients).size_of_sums();
  const ExactSums exact(function, w.rows.data(), count);
  BoundedValues found{std::vector<double>(count, 0.0), exact.error_in_doubles(terms) * products};
  if (found.error <= wanted || exact.cost(terms, count) > kMostProducts) {
    kernel.add_sums(w.coefficients, columns, Precision::kDouble, found.values.data());
    return found;
  }
  exact.compute(w.coefficients, columns, pool, nullptr, found.values);
  const auto largest =
      std::max_element(found.values.begin(), found.values.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  found.error = exact.error(terms) * products + (count > 0 ? std::fabs(*largest) * kDoubleUnit : 0);
  return found;
}

// A model with the rows that it was trained on.
class TrainedModel {
 public:
  // `problem` has all rows of its data set.
  TrainedModel(const Problem& problem, const svm_parameter& param, const svm_model& model,
               const Run& run)
      : rows_(positive_rows(problem)),
        problem_(rows_.problem()),
        param_(param),
        model_(model),
        run_(run),
        own_(model_.functions()) {
    std::vector<std::size_t> vector_of_all(problem.size(), kNoIndex);
    for (int s = 0; s < model.l && model.sv_indices != nullptr; ++s) {
      const int row = model.sv_indices[s];
      if (row < 1 || row > problem.l) refuse_model();
      vector_of_all[static_cast<std::size_t>(row) - 1] = static_cast<std::size_t>(s);
    }
    for (std::size_t t = 0; t < problem_.size(); ++t) {
      vector_of_.push_back(vector_of_all[problem_.x.number(t)]);
    }
    if (model.sv_indices == nullptr) add_own_vectors();
  }

  Certificate certify_classifier() const {
    const Classes classes = group_classes(problem_);
    if (model_.labels == nullptr || classes.size() != model_.classes ||
        !std::equal(classes.labels.begin(), classes.labels.end(), model_.labels)) {
      refuse_model();
    }
    const auto ignore = [](const char*) {};  // the training has warned already
    const std::vector<double> costs = class_costs(classes, param_, Messages(ignore, ignore));
    std::vector<Machine> machines = machines_of(model_, classes, vector_of_);
    Certificate all;
    for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
      const Subset rows = rows_of_pair(problem_, classes, a, b);
      const Problem pair_problem = rows.problem();
      all.add(certify({pair_problem,
                       {costs[a], costs[b]},
                       machines[pair].rho,
                       std::move(machines[pair].coefficients)},
                      own_[pair]));
    });
    return all;
  }

  Certificate certify_single() const {
    Machine machine = std::move(machines_of(model_, {}, vector_of_)[0]);
    return certify({problem_, {}, machine.rho, std::move(machine.coefficients)}, own_[0]);
  }

 private:
  // Takes the support vectors of a model as rows of its own.
  void add_own_vectors() {
    model_.for_each_stretch(
        0, model_.count,
        [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
          for (std::size_t s = begin; s < end; ++s) {
            if (coefficients[s] != 0) own_[function].add(model_.vectors[s], coefficients[s]);
          }
        });
  }

  // Computes the values of a solution and certifies it.
  Certificate certify(BinarySolution solution, const Expansion& own) const {
    Expansion w;
    const Problem& problem = solution.problem;
    for (std::size_t t = 0; t < problem.size(); ++t) {
      w.add(problem.x[t], solution.coefficients[t]);
    }
    for (std::size_t k = 0; k < own.rows.size(); ++k) w.add(own.rows[k], own.coefficients[k]);
    const double scale = std::fabs(margin_of(solution, param_));
    const Certificate found =
        certify(solution, values_of(w, param_, kCertainPart * param_.eps / scale, pool()), w);
    if (found.is_within(param_.eps) || found.is_beyond(param_.eps)) return found;
    return certify(solution, values_of(w, param_, 0, pool()), w);
  }

  Certificate certify(BinarySolution& solution, BoundedValues found, const Expansion& w) const {
    solution.values = std::move(found.values);
    solution.value_error = found.error;
    solution.squared_norm = std::inner_product(w.coefficients.begin(), w.coefficients.end(),
                                               solution.values.begin(), 0.0);
    solution.values.resize(solution.problem.size());
    return certify_binary(solution, param_, run_);
  }

  ThreadPool& pool() const { return *run_.services.pool; }

  const Subset rows_;
  const Problem problem_;
  const svm_parameter& param_;
  const ModelView model_;
  const Run& run_;
  std::vector<std::size_t> vector_of_;  // the support vector of each row, or kNoIndex
  std::vector<Expansion> own_;          // of each decision function, if support vectors are no rows
};

// A number as significant digits below `most_whole`, a power of ten, write it, within some units in
// the last place.
double rounded_to_digits(double x, double most_whole) {
  double scale = most_whole;
  while (scale > 1 && std::fabs(x) * scale >= most_whole) scale /= 10;
  const bool is_enough = std::fabs(x) * scale < most_whole;
  if (is_enough && std::trunc(x * scale + std::copysign(0.5, x)) / scale == x) return x;
  scale = most_whole / std::pow(10.0, 1 + std::floor(std::log10(std::fabs(x))));
  return std::isfinite(scale) ? std::nearbyint(x * scale) / scale : x;
}

}  // namespace

Certificate certify(const Problem& problem, const svm_parameter& param, const svm_model& model,
                    const Run& run) {
  const TrainedModel trained(with_weights(problem, param, run.options.row_weights), param, model,
                             run);
  return is_classification(param.svm_type) ? trained.certify_classifier()
                                           : trained.certify_single();
}

double change_by_digits(const svm_problem& problem, const svm_model& model, int digits) {
  constexpr int kRows = 16;  // for which decision values are compared
  if (digits > 16) return 0;
  const double most_whole = std::pow(10.0, digits);
  std::vector<std::vector<svm_node>> changed;
  std::vector<svm_node*> rows(model.SV, model.SV + model.l);
  std::vector<svm_node> saved;
  for (svm_node*& row : rows) {
    saved.clear();
    bool is_changed = false;
    for (const svm_node* node = row; node->index > 0; ++node) {
      saved.push_back({node->index, rounded_to_digits(node->value, most_whole)});
      is_changed = is_changed || saved.back().value != node->value;
    }
    saved.push_back({-1, 0});
    if (is_changed) row = changed.emplace_back(saved).data();
  }
  if (changed.empty()) return 0;
  svm_model loaded = model;
  loaded.SV = rows.data();
  const Predictor first(model, Messages(nullptr), 0), second(loaded, Messages(nullptr), 0);
  std::vector<double> before(first.functions()), after(before);
  double most = 0;
  for (int t = 0; t < problem.l; t += problem.l / kRows + 1) {
    first.predict(problem.x[t], before.data());
    second.predict(problem.x[t], after.data());
    for (std::size_t k = 0; k < after.size(); ++k) {
      most = std::max(most, std::fabs(after[k] - before[k]));
    }
  }
  return most;
}

}  // namespace svm
