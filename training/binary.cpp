#include "training/binary.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/float_chars.h"
#include "base/platform/index_range.h"
#include "base/platform/numbers.h"
#include "base/platform/text.h"
#include "kernels/double_double.h"
#include "kernels/engines/row_store.h"
#include "kernels/matrix/kernel_matrix.h"
#include "kernels/precomputed_row.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "solvers/smo/resolution.h"
#include "training/check.h"
#include "training/sharing.h"

namespace svm {
namespace {

void print_result(const Run& run, double objective, double rho, std::size_t support_vectors,
                  std::size_t bounded) {
  run.services.messages.print([&] {
    return joined({"obj = ", fixed_text(objective), ", rho = ", fixed_text(rho), "\nnSV = ",
                   std::to_string(support_vectors), ", nBSV = ", std::to_string(bounded), "\n"});
  });
}

// Adds the bound of variable v, which has this label and stands for row v modulo the rows, if the
// rows have weights.
void add_bound(const Problem& problem, std::size_t v, int label, UpperBounds& bounds) {
  if (problem.weights == nullptr) return;
  const double of_one = label > 0 ? bounds.positive : bounds.negative;
  bounds.each.push_back(weighted_bound(problem, of_one, v % problem.size()));
}

// States each SVM type as a dual problem, and makes the machine of its solution.  Bounds below are
// those of rows of weight 1.
class Formulation {
 public:
  // `reused` has the engine.  `costs` are those of C-SVC; the other types do not use them.
  Formulation(const Problem& problem, const svm_parameter& param, const UpperBounds& costs,
              Run& run, const ReusedState& reused)
      : problem_(problem),
        param_(param),
        costs_(costs),
        run_(run),
        start_(reused.start),
        solver_(solver_of(run.options)),
        rows_(problem.size()),
        sum_of_weights_(sum_of_weights(problem)),
        engine_(reused.engine),
        kernel_sums_(reused.kernel_sums) {
    if (!solver_.follows_libsvm) {
      const RowStore* const store = run.services.shared_rows.get();
      exact_sums_.emplace(KernelFunction(param), problem.x, rows_,
                          store != nullptr ? store->extent() : nullptr);
    }
    make_matrix();
    if (reused.puts_off) matrix_->put_off_offers();
    if (reused.fill_rows) matrix_->offer_rows(reused.fill_rows);
    run_.poll();
  }

  // alpha_t in [0, C]; linear part -1.
  Machine c_svc() {
    Solution solution = solve(classification(-1, costs_));
    double sum = 0;
    for (const double alpha : solution.alpha) sum += alpha;
    if (costs_.positive == costs_.negative && !solver_.squared_slacks) {
      print_value("nu", sum / (costs_.positive * sum_of_weights_));
    }
    for (std::size_t t = 0; t < rows_; ++t) solution.alpha[t] *= solution.labels[t];
    const UpperBounds no_bounds = {kInfinity, kInfinity};
    Machine machine =
        finish(std::move(solution.alpha), solution, solver_.squared_slacks ? no_bounds : costs_);
    machine.same_with_larger_cost = !solution.reached_upper;
    return machine;
  }

  // alpha_t in [0, 1]; each class sums to nu l / 2.  The solution is scaled to margin 1.  Here and
  // below, l is the sum of the rows' weights.
  Machine nu_svc() {
    DualState dual = classification(0, {1, 1});
    dual.two_groups = true;
    Solution solution = solve(std::move(dual), param_.nu * sum_of_weights_ / 2);
    const double margin = usable_margin(solution);
    print_value("C", 1 / margin);
    for (std::size_t t = 0; t < rows_; ++t) solution.alpha[t] *= solution.labels[t] / margin;
    solution.rho /= margin;
    solution.objective /= margin * margin;
    solution.f.clear();  // it is that of the unscaled problem
    return finish(std::move(solution.alpha), solution, {1 / margin, 1 / margin});
  }

  // alpha_t in [0, 1], summing to nu l; no linear part.
  Machine one_class() {
    DualState dual = {std::vector<double>(rows_, 0.0),
                      std::vector<signed char>(rows_, 1),
                      std::vector<double>(rows_, 0.0),
                      {1.0, 1.0}};
    set_bounds(dual);
    const double sum = param_.nu * sum_of_weights_;
    Solution solution = solve(std::move(dual), sum);
    const auto outliers = std::count_if(solution.f.begin(), solution.f.end(),
                                        [&](double f) { return f < solution.rho; });
    if (sum < 1 && 2 * outliers > problem_.l) run_.record.notes |= kMostlyOutliers;
    return finish(std::move(solution.alpha), solution, {1, 1});
  }

  // Variables t and t + l are the upper and the lower side of the tube around row t.
  Machine epsilon_svr() {
    Solution solution = solve(regression(param_.p));
    std::vector<double> coefficients = difference(solution.alpha);
    settle_sum(coefficients);
    double sum = 0;
    for (const double coefficient : coefficients) sum += std::fabs(coefficient);
    print_value("nu", sum / (param_.C * sum_of_weights_));
    Machine machine = finish(std::move(coefficients), solution, {param_.C, param_.C});
    machine.same_with_larger_cost = !solution.reached_upper;
    return machine;
  }

  // The same with a tube of free width; each side sums to C nu l / 2.
  Machine nu_svr() {
    DualState dual = regression(0);
    const double sum_of_sides = param_.C * param_.nu * sum_of_weights_;
    if (!dual.upper.are_finite() || (!solver_.follows_libsvm && !std::isfinite(sum_of_sides))) {
      throw std::invalid_argument("nu-SVR needs a finite C, also times nu and the number of rows");
    }
    dual.two_groups = true;
    Solution solution = solve(std::move(dual), sum_of_sides / 2);
    print_value("epsilon", -solution.margin);
    return finish(difference(solution.alpha), solution, {param_.C, param_.C});
  }

 private:
  void print_value(const char* name, double value) const {
    run_.services.messages.print([&] { return joined({name, " = ", fixed_text(value), "\n"}); });
  }

  void make_matrix() {
    // Solvers that run at the same time share the memory for rows: each keeps rows in -m divided by
    // their number.  Results may depend on the workspace, which is half of what a solver would get
    // if all parts of the call, or the first eight, ran at once, whatever the number of threads.
    const std::size_t memory = memory_left(param_, run_);
    const std::size_t of_a_part = memory / std::min(run_.services.parts, kMostParts);
    matrix_.emplace(engine_, rows_,
                    is_regression(param_.svm_type) ? std::size_t{2} : std::size_t{1},
                    memory / run_.services.concurrency, of_a_part / 2, *run_.services.pool);
  }

  // Returns the margin r, by which the solution of nu-SVC is divided.  LIBSVM's solver divides by
  // any r, also if it is 0 or less (the classes overlap) or infinite (all variables of a class are
  // bounded).  Other solvers get 1 in these cases, and if r may be nothing but rounding.  Warns
  // about that, and if the rounding of the scaled solution may hide the tolerance.
  double usable_margin(const Solution& solution) const {
    const double margin = solution.margin;
    const double rounding = solver_.follows_libsvm ? 0 : resolution_in_doubles(solution.alpha);
    if (margin > rounding && std::isnormal(margin)) {
      if (solution.has_converged && !solver_.follows_libsvm &&
          !(solution.violation + rounding_of_quotients(solution) <= param_.eps)) {
        run_.services.messages.warn(stop_warning(SVM_IMPRECISE, 0, false));
        run_.record.note(SVM_IMPRECISE);
      }
      return margin;
    }
    if (run_.interrupted()) return 1;  // before the solver knew its gradient
    // Once for the class pairs of a task.
    if ((std::exchange(run_.record.notes, run_.record.notes | kNoMargin) & kNoMargin) == 0) {
      run_.services.messages.warn(
          "\nWARNING: nu-SVC finds no margin between two classes, and the model is of no use; a "
          "smaller nu or another kernel may help\n");
    }
    run_.record.note(SVM_IMPRECISE);
    return solver_.follows_libsvm ? margin : 1;
  }

  // Bounds the change of the violation by the rounding of the solution divided by its margin.
  double rounding_of_quotients(const Solution& solution) const {
    const double most =
        4 * kDoubleUnit * TermSizes(*matrix_, in_order(solution.alpha)).size_of_sums();
    if (is_negligible(param_.eps, most)) return most;
    std::vector<double> changes(rows_), sums(rows_, 0.0);
    for (std::size_t t = 0; t < rows_; ++t) {
      const double quotient = solution.alpha[t] * (solution.labels[t] / solution.margin);
      const DoubleDouble product = exact_product(quotient, solution.margin);
      changes[t] = (product.high - solution.b(t)) + product.low;
    }
    matrix_->add_sums(in_order(changes), index_range(0, rows_), Precision::kDouble, sums.data());
    double largest = 0;
    for (const double sum : sums) largest = std::max(largest, std::fabs(sum));
    return 2 * largest;
  }

  // Estimates the rounding error of kernel sums in doubles over a solution with one variable per
  // row.
  double resolution_in_doubles(const std::vector<double>& alpha) const {
    return resolution(*matrix_, in_order(alpha), Precision::kDouble);
  }

  // Numbers of the rows, for the variables of the matrix in its order.
  std::vector<double> in_order(const std::vector<double>& of_rows) const {
    std::vector<double> ordered(matrix_->size());
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = of_rows[matrix_->example(i)];
    return ordered;
  }

  // A classification at alpha = 0.  Every alpha_t has the linear part `linear`.
  DualState classification(double linear, const UpperBounds& upper) const {
    DualState dual = {std::vector<double>(rows_), std::vector<signed char>(rows_),
                      std::vector<double>(rows_, 0.0), upper};
    for (std::size_t t = 0; t < rows_; ++t) {
      dual.labels[t] = problem_.y[t] > 0 ? 1 : -1;
      dual.linear[t] = dual.labels[t] * linear;
    }
    set_bounds(dual);
    return dual;
  }

  DualState regression(double tube) const {
    DualState dual = {std::vector<double>(2 * rows_),
                      std::vector<signed char>(2 * rows_, 1),
                      std::vector<double>(2 * rows_, 0.0),
                      {param_.C, param_.C}};
    for (std::size_t t = 0; t < rows_; ++t) {
      dual.linear[t] = tube - problem_.y[t];
      dual.linear[t + rows_] = -(tube + problem_.y[t]);
      dual.labels[t + rows_] = -1;
    }
    set_bounds(dual);
    return dual;
  }

  void set_bounds(DualState& dual) const {
    for (std::size_t v = 0; v < dual.size(); ++v)
      add_bound(problem_, v, dual.labels[v], dual.upper);
  }

  // Variables in their order are at their bounds as far as the sum over each label goes.
  static void fill(DualState& dual, double sum) {
    double left_positive = sum, left_negative = sum;
    for (std::size_t t = 0; t < dual.size(); ++t) {
      double& left = dual.labels[t] > 0 ? left_positive : left_negative;
      dual.alpha[t] = std::min(dual.upper_bound(t), left);
      left -= dual.alpha[t];
    }
  }

  std::vector<double> difference(const std::vector<double>& alpha) const {
    std::vector<double> coefficients(rows_);
    for (std::size_t t = 0; t < rows_; ++t) coefficients[t] = alpha[t] - alpha[t + rows_];
    return coefficients;
  }

  // If both variables of a row are at C and nearly cancel, the rounding error of C remains in the
  // coefficients, whose sum should be 0.  If it shows in the sum, corrects the largest coefficient
  // that stays within its bounds.  LIBSVM's solver makes no such correction.
  void settle_sum(std::vector<double>& coefficients) const {
    double sum = 0, sizes = 0;
    for (const double coefficient : coefficients) {
      sum += coefficient;
      sizes += std::fabs(coefficient);
    }
    constexpr double kRelative = 1e-10;
    if (solver_.follows_libsvm || std::fabs(sum) <= kRelative * sizes) return;
    double* largest = nullptr;
    for (std::size_t t = 0; t < rows_; ++t) {
      double& coefficient = coefficients[t];
      const double most = std::max(std::fabs(coefficient), std::fabs(coefficient - sum));
      if (coefficient == 0 || most >= weighted_bound(problem_, param_.C, t)) continue;
      if (largest == nullptr || std::fabs(coefficient) > std::fabs(*largest)) {
        largest = &coefficient;
      }
    }
    if (largest != nullptr) *largest -= sum;
  }

  // Solves a problem at LIBSVM's start.  `sum` is that of alpha over each label of the nu types and
  // of one-class.
  Solution solve(DualState&& dual, double sum = 0) {
    const bool may_be_zero = param_.svm_type == C_SVC || param_.svm_type == EPSILON_SVR;
    if (!may_be_zero) fill(dual, sum);
    std::optional<DualState> again;  // to start at, if a start from elsewhere ends badly
    if (start_ != nullptr) again = dual;
    if (start_ != nullptr && !may_be_zero) {
      carry_to_sum(*start_, problem_, sum, dual);
    } else if (start_ != nullptr && !carry_to_bounds(*start_, problem_, *engine_, dual)) {
      shorten_start(solver_, *matrix_, run_, dual);
    }
    const double largest_of_start = largest_variable(dual);
    Solution solution = solve_from(std::move(dual));
    if (solver_.follows_libsvm && run_.options.max_iter == 0 && !run_.interrupted()) {
      const double violation = actual_violation(solution);
      if (violation > far_above_tolerance() && std::isfinite(violation)) {
        run_.record.far_violation = std::max(run_.record.far_violation, violation);
      }
    }
    if (start_ == nullptr && solver_.follows_libsvm) return solution;
    const bool at_bounds = settle_at_bounds(*engine_, rows_, param_.eps, solution);
    if (start_ == nullptr || run_.interrupted()) return solution;
    // LIBSVM's threshold is another one if rounding leaves a variable off its bound.
    if ((at_bounds && solver_.follows_libsvm) ||
        (may_be_zero && start_may_decide(largest_of_start, solution))) {
      start_ = nullptr;
      make_matrix();  // the solver has permuted the other one
      return solve(std::move(*again));
    }
    return solution;
  }

  Solution solve_from(DualState&& dual) const {
    DualProblem problem(*matrix_, std::move(dual));
    problem.source = exact_sums_;
    return solve_dual(solver_, std::move(problem), param_.eps, param_.shrinking != 0, run_);
  }

  double far_above_tolerance() const { return 100 * param_.eps; }

  // The KKT violation of the solution, over some rows and by kernel values in doubles if rounded
  // ones may hide that it is far above the tolerance.  At most the true one.
  double actual_violation(const Solution& solution) const {
    if (param_.kernel_type == PRECOMPUTED) return solution.violation;
    constexpr std::size_t kSomeRows = 1000;
    constexpr double kDeviations = 8;
    double largest = matrix_->largest_value(), sum = 0;
    for (std::size_t t = 0; t < rows_; ++t) largest = std::max(largest, matrix_->diagonal(t));
    for (const double alpha : solution.alpha) sum += alpha;
    // An upper bound of what is computed below.
    if (kDeviations * matrix_->rounding() * largest * sum <= far_above_tolerance()) {
      return solution.violation;
    }
    const auto copies = static_cast<double>(matrix_->copies());
    std::vector<double> weights(solution.size());  // the mean b of the variables of each row
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::size_t t = matrix_->example(i);
      for (std::size_t v = t; v < weights.size(); v += rows_) weights[i] += solution.b(v) / copies;
    }
    const double hidden = kDeviations * resolution(*matrix_, weights);
    if (!(hidden > far_above_tolerance())) return solution.violation;
    std::vector<std::size_t> columns;
    for (std::size_t t = 0; t < weights.size(); t += weights.size() / kSomeRows + 1) {
      columns.push_back(t);
    }
    std::vector<double> sums(columns.size());
    matrix_->set_poll([this] { return run_.poll(); });
    const bool done = add_kernel_sums(*matrix_, weights, columns, Precision::kDouble, sums);
    matrix_->set_poll(nullptr);
    if (!done) return solution.violation;
    Ends ends;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t v = matrix_->example(columns[k]); v < solution.size(); v += rows_) {
        ends.of[solution.group(v)].add(v, solution.index_sets(v), solution.linear[v] + sums[k]);
      }
    }
    return ends.violation() - kDeviations * resolution(*matrix_, weights, Precision::kDouble);
  }

  // Prints the result and makes the machine.  Does not use the variables of `solution`, whose f it
  // takes.
  Machine finish(std::vector<double> coefficients, Solution& solution,
                 const UpperBounds& bounds) const {
    std::size_t support_vectors = 0, bounded = 0;
    for (std::size_t t = 0; t < rows_; ++t) {
      const double size = std::fabs(coefficients[t]);
      if (!(size > 0)) continue;
      ++support_vectors;
      const double bound = problem_.y[t] > 0 ? bounds.positive : bounds.negative;
      if (size >= weighted_bound(problem_, bound, t)) ++bounded;
    }
    print_result(run_, solution.objective, solution.rho, support_vectors, bounded);
    const double rho = solution.rho;
    if (kernel_sums_ != nullptr) *kernel_sums_ = std::move(solution).kernel_sums();
    return {std::move(coefficients), rho, false, bounded > 0};
  }

  const Problem& problem_;
  const svm_parameter& param_;
  const UpperBounds& costs_;
  Run& run_;
  const StartPoint* start_;  // null for LIBSVM's
  const SolverEntry& solver_;
  const std::size_t rows_;
  const double sum_of_weights_;
  const std::shared_ptr<const RowEngine> engine_;
  std::vector<double>* const kernel_sums_;  // may be null
  std::optional<ExactSums> exact_sums_;     // unless the solver is LIBSVM's
  mutable std::optional<KernelMatrix> matrix_;
};

// Returns a solution without support vectors if the solver is stopped before it begins.
ExampleSolution solve_examples(const SolverEntry& solver, const ExampleProblem& problem, Run& run) {
  try {
    return solver.solve_examples(problem, run);
  } catch (const Interrupted&) {
    ExampleSolution none;
    none.coefficients.assign(problem.size, 0.0);
    Monitor monitor(run, problem.size, {iteration_cap(problem.size)});
    monitor.go_on(0, 0, problem.size);
    monitor.finish(0, 0);
    return none;
  }
}

// Trains by a solver that works on the rows themselves.
Machine train_on_examples(const Problem& problem, const svm_parameter& param,
                          const UpperBounds& costs, Run& run) {
  const bool regression = param.svm_type == EPSILON_SVR;
  const std::size_t rows = problem.size();
  UpperBounds cost = costs;
  if (regression) cost = {param.C, param.C};
  for (std::size_t t = 0; t < rows; ++t) add_bound(problem, t, problem.y[t] > 0 ? 1 : -1, cost);
  const ExampleProblem examples = {problem.x,
                                   problem.y,
                                   rows,
                                   regression,
                                   std::move(cost),
                                   param.p,
                                   KernelFunction(param),
                                   param.eps,
                                   param.shrinking != 0,
                                   memory_left(param, run) / run.services.concurrency};
  ExampleSolution solution = solve_examples(solver_of(run.options), examples, run);
  print_result(run, solution.objective, solution.rho, solution.support_vectors, solution.bounded);
  std::shared_ptr<const std::vector<svm_node>> own_row;
  if (!solution.row.empty()) {
    own_row = std::make_shared<const std::vector<svm_node>>(std::move(solution.row));
  }
  return {std::move(solution.coefficients), solution.rho, false, solution.bounded > 0,
          std::move(own_row)};
}

// Compares the precomputed values of neighbouring rows, which costs little.
bool is_asymmetric(const DataRows& rows, std::size_t count) {
  constexpr double kRounding = 1e-6;
  double largest = 0, difference = 0;
  for (std::size_t t = 1; t < count; ++t) {
    const auto value = [&](std::size_t of, std::size_t at) {
      return value_at(rows[of], static_cast<std::size_t>(*serial_number(rows[at])));
    };
    const double below = value(t, t - 1), above = value(t - 1, t);
    largest = std::max(largest, std::fabs(below) + std::fabs(above));
    difference = std::max(difference, std::fabs(below - above));
  }
  return difference > kRounding * largest;
}

}  // namespace

Machine train_binary(const Problem& problem, const svm_parameter& param, const UpperBounds& costs,
                     Run& run, const ReusedState& reused) {
  if (works_on_examples(run)) return train_on_examples(problem, param, costs, run);
  ReusedState used = reused;
  if (used.engine == nullptr) used.engine = problem_engine(problem, param, run);
  if (!used.engine->is_symmetric() && is_asymmetric(problem.x, problem.size())) {
    run.record.notes |= kAsymmetric;
  }
  Formulation formulation(problem, param, costs, run, used);
  switch (param.svm_type) {
    case NU_SVC:
      return formulation.nu_svc();
    case ONE_CLASS:
      return formulation.one_class();
    case EPSILON_SVR:
      return formulation.epsilon_svr();
    case NU_SVR:
      return formulation.nu_svr();
    default:
      return formulation.c_svc();
  }
}

}  // namespace svm
