#include "training/binary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/engines/part_engine.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "solvers/smo/resolution.h"
#include "solvers/solve_dual.h"
#include "training/residues.h"
#include "training/sharing.h"

namespace svm {
namespace {

// A formulation's answer: signed coefficients and the bounds that rows of weight 1 ended with.
struct Trained {
  std::vector<double> coefficients;
  double rho;
  double objective;
  double bound_positive, bound_negative;
  bool same_with_larger_cost = false;
  std::vector<double> kernel_sums = {};
};

class Formulation {
 public:
  Formulation(const Problem& problem, const svm_parameter& param, const Costs& costs, Run& run,
              const ReusedState& reused)
      : problem_(problem),
        param_(param),
        costs_(costs),
        run_(run),
        reused_(reused),
        rows_(static_cast<std::size_t>(problem.l)),
        sum_of_weights_(costs.sum_of_weights(rows_)) {}

  // Cost C; a_t in [0, C], p = -1.  This and other bounds are those of rows of weight 1.
  Trained c_svc() {
    double cost_positive = costs_.positive, cost_negative = costs_.negative;
    DualState dual = classification(-1, cost_positive, cost_negative);
    if (reused_.start != nullptr) start_from_reused(dual);
    Solution solution = solve(std::move(dual));
    double sum = 0;
    for (const double alpha : solution.alpha) sum += alpha;
    const bool is_boxed = run_.options.solver == nullptr || !run_.options.solver->squared_slacks;
    if (cost_positive == cost_negative && is_boxed) {
      run_.services.messages.print(format("nu = %f\n", sum / (cost_positive * sum_of_weights_)));
    }
    for (std::size_t t = 0; t < rows_; ++t) solution.alpha[t] *= solution.labels[t];
    if (!is_boxed) cost_positive = cost_negative = std::numeric_limits<double>::infinity();
    return {std::move(solution.alpha),
            solution.rho,
            solution.objective,
            cost_positive,
            cost_negative,
            !solution.met_upper,
            solution.kernel_sums()};
  }

  // a_t in [0, 1], each class sums to nu l / 2; the answer is scaled to margin 1.  Here and below
  // the weights of the rows add up to l.
  Trained nu_svc() {
    DualState dual = classification(0, 1, 1);
    dual.two_groups = true;
    const double sum = param_.nu * sum_of_weights_ / 2;
    double left_positive = sum, left_negative = sum;
    for (std::size_t t = 0; t < rows_; ++t) {
      double& left = dual.labels[t] > 0 ? left_positive : left_negative;
      dual.alpha[t] = std::min(costs_.weight(t), left);
      left -= dual.alpha[t];
    }
    if (reused_.start != nullptr) {
      for (const int label : {+1, -1}) fit_sum(reused_group(dual, label), sum);
    }
    Solution solution = solve(std::move(dual));
    const double margin = usable_margin(solution);
    run_.services.messages.print(format("C = %f\n", 1 / margin));
    for (std::size_t t = 0; t < rows_; ++t) solution.alpha[t] *= solution.labels[t] / margin;
    return {std::move(solution.alpha), solution.rho / margin,
            solution.objective / (margin * margin), 1 / margin, 1 / margin};
  }

  // a_t in [0, 1] with sum nu l, p = 0.
  Trained one_class() {
    DualState dual = {std::vector<double>(rows_, 0.0),
                      std::vector<signed char>(rows_, 1),
                      std::vector<double>(rows_, 0.0),
                      {1.0, 1.0}};
    set_bounds(dual);
    const double sum = param_.nu * sum_of_weights_;
    double left = sum;
    for (std::size_t t = 0; t < rows_; ++t) {
      dual.alpha[t] = std::min(costs_.weight(t), left);
      left -= dual.alpha[t];
    }
    if (reused_.start != nullptr) fit_sum(reused_group(dual, +1), sum);
    Solution solution = solve(std::move(dual));
    return {std::move(solution.alpha), solution.rho, solution.objective, 1.0, 1.0, false,
            solution.kernel_sums()};
  }

  // Variables t and t + l are the upper and the lower side of the tube around row t.
  Trained epsilon_svr() {
    DualState dual = regression(param_.p);
    if (reused_.start != nullptr) start_from_reused(dual);
    Solution solution = solve(std::move(dual));
    std::vector<double> coefficients = difference(solution.alpha);
    settle_sum(coefficients);
    double sum = 0;
    for (const double coefficient : coefficients) sum += std::fabs(coefficient);
    run_.services.messages.print(format("nu = %f\n", sum / (param_.C * sum_of_weights_)));
    return {std::move(coefficients), solution.rho,          solution.objective, param_.C, param_.C,
            !solution.met_upper,     solution.kernel_sums()};
  }

  // As epsilon-SVR with a tube of free width and each side summing to C nu l / 2.
  Trained nu_svr() {
    DualState dual = regression(0);
    if (!dual.upper.are_finite()) throw std::invalid_argument("nu-SVR needs a finite C");
    dual.two_groups = true;
    const double sum = param_.C * param_.nu * sum_of_weights_ / 2;
    double left = sum;
    for (std::size_t t = 0; t < rows_; ++t) {
      dual.alpha[t] = dual.alpha[t + rows_] = std::min(left, dual.upper.of(t, +1));
      left -= dual.alpha[t];
    }
    if (reused_.start != nullptr) {
      for (const int label : {+1, -1}) fit_sum(reused_group(dual, label), sum);
    }
    Solution solution = solve(std::move(dual));
    run_.services.messages.print(format("epsilon = %f\n", -solution.margin));
    return {difference(solution.alpha), solution.rho, solution.objective, param_.C, param_.C, false,
            solution.kernel_sums()};
  }

  Trained train() {
    engine_ = reused_.engine != nullptr ? reused_.engine : make_engine(problem_, param_, run_);
    make_matrix();
    run_.poll();
    switch (param_.svm_type) {
      case NU_SVC:
        return nu_svc();
      case ONE_CLASS:
        return one_class();
      case EPSILON_SVR:
        return epsilon_svr();
      case NU_SVR:
        return nu_svr();
      default:
        return c_svc();
    }
  }

 private:
  void make_matrix() {
    // Rows share the memory with the solvers that run at the same time.  Decisions go by what each
    // would have if all parts ran at once, which does not depend on the number of threads.
    constexpr std::size_t kMostParts = 8;
    const std::size_t memory = memory_left(param_, run_);
    const std::size_t of_a_part = memory / std::min(run_.services.parts, kMostParts);
    matrix_ = std::make_unique<KernelMatrix>(engine_, rows_, is_regression(param_.svm_type) ? 2 : 1,
                                             memory / run_.services.concurrency, of_a_part / 2,
                                             *run_.services.pool);
  }

  // r of nu-SVC, which the answer is divided by: 0 or below if the classes are not apart, infinite
  // if all of a class are at their bound.  LIBSVM's answer is what comes of that.  That of the
  // other solvers is not scaled then, nor if r is no more than what rounding makes of 0; and
  // dividing by r rounds the coefficients, which must not hide the tolerance.
  double usable_margin(const Solution& solution) const {
    constexpr double kPart = 0.25;  // of the estimate, which is high for one rounding
    const bool follows_libsvm = solver().follows_libsvm;
    const double margin = solution.margin;
    const double rounding = follows_libsvm ? 0 : resolution_in_doubles(solution.alpha);
    if (margin > rounding && std::isnormal(margin)) {
      const bool has_converged = solution.violation < param_.eps;
      if (has_converged && solution.violation + kPart * rounding > param_.eps) {
        run_.services.messages.warn(stop_warning(Status::kImprecise));
        run_.record.note(Status::kImprecise);
      }
      return margin;
    }
    if (run_.interrupted()) return 1;  // before the solver knew its gradient
    run_.services.messages.warn(
        "\nWARNING: nu-SVC finds no margin between two classes, and the model is of no use; a "
        "smaller nu or another kernel may help\n");
    run_.record.note(Status::kImprecise);
    return follows_libsvm ? margin : 1;
  }

  // An estimate of what rounding does to kernel sums over a solution that has a variable for each
  // row, if everything is computed in doubles.
  double resolution_in_doubles(const std::vector<double>& alpha) const {
    std::vector<double> in_order(rows_);
    for (std::size_t i = 0; i < rows_; ++i) in_order[i] = alpha[matrix_->example(i)];
    return resolution(*matrix_, in_order, KernelMatrix::Precision::kDouble);
  }

  // The linear part of every variable a_t is `linear`.
  DualState classification(double linear, double upper_positive, double upper_negative) const {
    DualState dual = {std::vector<double>(rows_),
                      std::vector<signed char>(rows_),
                      std::vector<double>(rows_, 0.0),
                      {upper_positive, upper_negative}};
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

  // Those of rows of weight 1 are set.
  void set_bounds(DualState& dual) const {
    if (costs_.weights == nullptr) return;
    for (std::size_t v = 0; v < dual.labels.size(); ++v) {
      const double of_one = dual.labels[v] > 0 ? dual.upper.positive : dual.upper.negative;
      dual.upper.each.push_back(costs_.bound(of_one, v % rows_));
    }
  }

  // Puts the start point into the variables with this label, and returns these.  The bound of rows
  // of weight 1 was `old_upper`; 0: not known.
  BoxedGroup reused_group(DualState& dual, int label, double old_upper) const {
    BoxedGroup group;
    for (std::size_t t = 0; t < dual.alpha.size(); ++t) {
      if (dual.labels[t] != label) continue;
      const std::size_t row = t % rows_;
      const double coefficient = reused_.start->coefficients[row];
      const double upper = dual.upper.of(t, label);
      dual.alpha[t] = carry_over(label * coefficient, costs_.bound(old_upper, row), upper);
      group.push_back({&dual.alpha[t], upper});
    }
    return group;
  }
  BoxedGroup reused_group(DualState& dual, int label) const {
    return reused_group(dual, label,
                        label > 0 ? reused_.start->bound_positive : reused_.start->bound_negative);
  }

  // For the formulations whose bounds are known beforehand.
  void start_from_reused(DualState& dual) const {
    const StartPoint& start = *reused_.start;
    const bool known = start.bound_positive > 0 && start.bound_negative > 0;
    const double ratio = known ? dual.upper.positive / start.bound_positive : 0;
    if (!known || !start.has_sums_for(dual.upper.positive) ||
        ratio * start.bound_negative != dual.upper.negative) {
      balance(reused_group(dual, +1, start.bound_positive),
              reused_group(dual, -1, start.bound_negative));
      shorten(dual);
      return;
    }
    const double scale = best_scale(start, ratio, [&](std::size_t t, double coefficient) {
      const std::size_t variable = coefficient < 0 && dual.alpha.size() > rows_ ? t + rows_ : t;
      return dual.linear[variable] * coefficient;
    });
    // A start that is scaled by less than the bounds counts as if its bounds had been larger.
    const double larger = ratio / scale;  // exactly 1 if both are scaled alike
    const double moved = balance(reused_group(dual, +1, larger * start.bound_positive),
                                 reused_group(dual, -1, larger * start.bound_negative));
    if (moved > 0) return;
    // What is scaled has scaled sums.
    dual.f = dual.linear;
    for (std::size_t t = 0; t < dual.size(); ++t) {
      dual.f[t] += scale * start.kernel_sums[t % rows_];
    }
  }

  // Sums up the kernel values at a start.  If the dual objective is larger there than at 0, scales
  // the start to where the objective is least along it: a start of another kernel may be too long
  // by many orders of magnitude.
  void shorten(DualState& dual) const {
    suit_values(solver(), *matrix_);
    std::vector<double> coefficients(rows_, 0.0), sums(rows_, 0.0);
    double linear = 0;
    for (std::size_t v = 0; v < dual.alpha.size(); ++v) {
      coefficients[v % rows_] += dual.b(v);
      linear += dual.linear[v] * dual.b(v);
    }
    std::vector<std::size_t> columns(rows_);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    matrix_->set_poll([this] { return run_.poll(); });
    const bool done = matrix_->add_sums(coefficients, columns, matrix_->precision(), sums.data());
    matrix_->set_poll(nullptr);
    if (!done) return;  // the solver will notice
    double quadratic = 0;
    for (std::size_t t = 0; t < rows_; ++t) quadratic += coefficients[t] * sums[t];
    if (!std::isfinite(quadratic)) {
      std::fill(dual.alpha.begin(), dual.alpha.end(), 0.0);
      return;
    }
    const double best = quadratic > 0 ? std::max(-linear / quadratic, 0.0) : 0;
    const double scale = quadratic / 2 + linear > 0 ? best : 1;
    dual.f = dual.linear;
    for (std::size_t v = 0; v < dual.size(); ++v) {
      dual.alpha[v] *= scale;
      dual.f[v] += scale * sums[v % rows_];
    }
  }

  std::vector<double> difference(const std::vector<double>& alpha) const {
    std::vector<double> coefficients(rows_);
    for (std::size_t t = 0; t < rows_; ++t) coefficients[t] = alpha[t] - alpha[t + rows_];
    return coefficients;
  }

  // The two variables of a row may both be at C and their difference small: where the rounding of C
  // shows in the sum of the coefficients, which is to be 0, it goes to the largest of them that
  // stays between its bounds.  LIBSVM's are as they come.
  void settle_sum(std::vector<double>& coefficients) const {
    double sum = 0, sizes = 0;
    for (const double coefficient : coefficients) {
      sum += coefficient;
      sizes += std::fabs(coefficient);
    }
    constexpr double kRelative = 1e-10;
    if (solver().follows_libsvm || std::fabs(sum) <= kRelative * sizes) return;
    double* largest = nullptr;
    for (std::size_t t = 0; t < rows_; ++t) {
      double& coefficient = coefficients[t];
      const double most = std::max(std::fabs(coefficient), std::fabs(coefficient - sum));
      if (coefficient == 0 || most >= costs_.bound(param_.C, t)) continue;
      if (largest == nullptr || std::fabs(coefficient) > std::fabs(*largest)) {
        largest = &coefficient;
      }
    }
    if (largest != nullptr) *largest -= sum;
  }

  const SolverEntry& solver() const {
    return run_.options.solver != nullptr ? *run_.options.solver : solvers().front();
  }

  Solution solve(DualState dual) {
    const double largest_of_start = largest_variable(dual);
    Solution solution = solve_from(std::move(dual));
    if (reused_.start == nullptr) return solution;
    const bool may_be_zero = param_.svm_type == C_SVC || param_.svm_type == EPSILON_SVR;
    if (may_be_zero && !run_.interrupted() && start_may_decide(largest_of_start, solution)) {
      make_matrix();  // the solver has permuted the other one
      return solve_from({std::move(solution.linear), std::move(solution.labels),
                         std::vector<double>(solution.size(), 0.0), std::move(solution.upper)});
    }
    settle_at_bounds(*engine_, rows_, param_.eps, solution);
    return solution;
  }

  Solution solve_from(DualState dual) const {
    DualProblem problem(*matrix_, std::move(dual));
    if (param_.kernel_type == LINEAR) problem.linear_rows = problem_.x;
    return solve_dual(solver(), std::move(problem), param_.eps, param_.shrinking != 0, run_);
  }

  const Problem& problem_;
  const svm_parameter& param_;
  const Costs& costs_;
  Run& run_;
  const ReusedState& reused_;
  const std::size_t rows_;
  const double sum_of_weights_;
  std::shared_ptr<const RowEngine> engine_;
  std::unique_ptr<KernelMatrix> matrix_;
};

void print_result(const Run& run, double objective, double rho, std::size_t support_vectors,
                  std::size_t bounded) {
  run.services.messages.print(format("obj = %f, rho = %f\n", objective, rho));
  run.services.messages.print("nSV = " + std::to_string(support_vectors) +
                              ", nBSV = " + std::to_string(bounded) + "\n");
}

// The solution of a solver that was stopped before it began has no support vectors.
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

// By a solver that works on the rows themselves.
Machine train_on_examples(const Problem& problem, const svm_parameter& param, const Costs& costs,
                          Run& run) {
  const bool regression = param.svm_type == EPSILON_SVR;
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  UpperBounds cost = {costs.positive, costs.negative};
  if (regression) cost = {param.C, param.C};
  for (std::size_t t = 0; costs.weights != nullptr && t < rows; ++t) {
    cost.each.push_back(costs.bound(problem.y[t] > 0 ? cost.positive : cost.negative, t));
  }
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
  ExampleSolution solution = solve_examples(*run.options.solver, examples, run);
  print_result(run, solution.objective, solution.rho, solution.support_vectors, solution.bounded);
  return {std::move(solution.coefficients), solution.rho, false, solution.bounded > 0, {},
          std::move(solution.row)};
}

}  // namespace

std::shared_ptr<const RowEngine> make_engine(const Problem& problem, const svm_parameter& param,
                                             Run& run) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  const GoOn go_on = [&run] { return run.poll(); };
  try {
    if (run.services.shared_rows) {
      return make_part_engine(*run.services.shared_rows, problem.x.numbers(rows));
    }
    return make_engine(run.options, KernelFunction(param), problem.x, rows, go_on);
  } catch (const Interrupted&) {
    return make_zero_engine();
  }
}

Machine train_binary(const Problem& problem, const svm_parameter& param, const Costs& costs,
                     Run& run, const ReusedState& reused) {
  if (works_on_examples(run)) return train_on_examples(problem, param, costs, run);
  Trained trained = Formulation(problem, param, costs, run, reused).train();
  std::size_t support_vectors = 0, bounded = 0;
  for (std::size_t t = 0; t < trained.coefficients.size(); ++t) {
    const double size = std::fabs(trained.coefficients[t]);
    if (!(size > 0)) continue;
    ++support_vectors;
    const double bound = problem.y[t] > 0 ? trained.bound_positive : trained.bound_negative;
    if (size >= costs.bound(bound, t)) ++bounded;
  }
  print_result(run, trained.objective, trained.rho, support_vectors, bounded);
  return {std::move(trained.coefficients), trained.rho, trained.same_with_larger_cost, bounded > 0,
          std::move(trained.kernel_sums)};
}

}  // namespace svm
