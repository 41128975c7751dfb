#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/platform/index_range.h"
#include "base/platform/numbers.h"
#include "programs/certificate/certificate.h"
#include "solvers/registry.h"
#include "training/check.h"

namespace svm {
namespace {

// The relative rounding error of what follows from the model.
constexpr double kSumRounding = 1e-9;

// The larger number; NaN if one of the two is.
double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

// A variable of the dual problem: minimise 1/2 a'Qa + p'a, see docs/check.md.
struct CheckedVariable {
  int label;
  double alpha;     // in [0, upper]
  double upper;     // infinite if there is no bound
  double linear;    // p
  double gradient;  // G = Qa + p

  bool may_grow() const { return alpha < upper; }
  bool may_fall() const { return alpha > 0; }
};
using Variables = std::vector<CheckedVariable>;

// The extremes of f = yG over variables that share a constraint: the least f of those that may go
// up, and the greatest f of those that may go down.
struct GradientEnds {
  double lowest = kInfinity, highest = -kInfinity;

  void add(const CheckedVariable& v) {
    const double f = v.label * v.gradient;
    if (v.label > 0 ? v.may_grow() : v.may_fall()) lowest = std::min(lowest, f);
    if (v.label > 0 ? v.may_fall() : v.may_grow()) highest = std::max(highest, f);
  }
  double violation() const { return std::max(0.0, highest - lowest); }
};

// The violation if y'a is fixed.
double violation_of_pairs(const Variables& variables) {
  GradientEnds all;
  for (const CheckedVariable& v : variables) all.add(v);
  return all.violation();
}

// The violation if the sums of a over each label are fixed.
double violation_within_labels(const Variables& variables) {
  GradientEnds positive, negative;
  for (const CheckedVariable& v : variables) (v.label > 0 ? positive : negative).add(v);
  return std::max(positive.violation(), negative.violation());
}

// The violations if every variable may move alone: the steepest descents by growing and by falling.
struct Descents {
  double growing = 0, falling = 0;

  explicit Descents(const Variables& variables) {
    for (const CheckedVariable& v : variables) {
      if (v.may_grow()) growing = std::max(growing, -v.gradient);
      if (v.may_fall()) falling = std::max(falling, v.gradient);
    }
  }
  double of_worst() const { return std::max(growing, falling); }
  double sum() const { return growing + falling; }
};

// The distance of the worst variable from its box.
double excess(const Variables& variables) {
  double most = 0;
  for (const CheckedVariable& v : variables) most = std::max({most, -v.alpha, v.alpha - v.upper});
  return most;
}

double dual_objective(const Variables& variables) {
  double twice = 0;
  for (const CheckedVariable& v : variables) twice += v.alpha * (v.gradient + v.linear);
  return twice / 2;
}

// The minimum over `level` of total level + sum_t weight_t max(0, value_t - level).  It is at the
// level above which the values have the weight `total`.
double best_loss(const std::vector<double>& values, const Problem& rows, double total) {
  if (values.empty()) return 0;
  std::vector<std::size_t> order = index_range(0, values.size());
  std::sort(order.begin(), order.end(),
            [&](std::size_t s, std::size_t t) { return values[s] > values[t]; });
  double level = values[order.back()], above = 0;
  for (const std::size_t t : order) {
    above += rows.weight(t);
    if (!(above > total)) continue;
    level = values[t];
    break;
  }
  double loss = total * level;
  for (std::size_t t = 0; t < values.size(); ++t) {
    loss += rows.weight(t) * std::max(0.0, values[t] - level);
  }
  return loss;
}

// Has a function for each formulation of training/binary.cpp.
class Certifier {
 public:
  Certifier(const BinarySolution& solution, const svm_parameter& param, const Run& run)
      : s_(solution),
        param_(param),
        run_(run),
        rows_(static_cast<std::size_t>(solution.problem.l)),
        sum_of_weights_(sum_of_weights(solution.problem)) {}

  Certificate c_svc() const {
    Variables variables;
    for (std::size_t t = 0; t < rows_; ++t) {
      const int y = label(t);
      variables.push_back({y, y * s_.coefficients[t], cost(t), -1, y * s_.values[t] - 1});
    }
    const double primal = s_.squared_norm / 2 + hinge_loss();
    const double off = std::fabs(run_.options.fixed_threshold ? s_.rho : sum());
    return made_of(variables, off,
                   run_.options.fixed_threshold ? Descents(variables).of_worst()
                                                : violation_of_pairs(variables),
                   primal);
  }

  // The diagonal of the kernel has 1/C added, there is no upper bound, and the threshold is a part
  // of w: 1 is added to the kernel.
  Certificate squared_slacks() const {
    Variables variables;
    const double bias = sum();
    double loss = 0;
    for (std::size_t t = 0; t < rows_; ++t) {
      const int y = label(t);
      const double alpha = y * s_.coefficients[t];
      const double ridge = alpha != 0 ? alpha / cost(t) : 0;
      variables.push_back({y, alpha, kInfinity, -1, y * (s_.values[t] + bias) + ridge - 1});
      const double slack = std::max(0.0, 1 - y * decision(t));
      loss += cost(t) * slack * slack;
    }
    const double primal = (s_.squared_norm + s_.rho * s_.rho + loss) / 2;
    return made_of(variables, std::fabs(s_.rho + bias), Descents(variables).sum(), primal);
  }

  // The model is the dual solution divided by its margin r, which follows from the sum of a;
  // objectives are divided by r^2.  If the classes overlap so much that there is no margin, r may
  // be negative.  Then the model decides the wrong way round and the gap is large.  The margin of
  // the primal problem is the best one for this model.
  Certificate nu_svc() const {
    const double wanted = param_.nu * sum_of_weights_;
    const double r = margin_of(s_, param_);
    Variables variables;
    double sums[2] = {0, 0};
    std::vector<double> margins;  // with opposite sign
    for (std::size_t t = 0; t < rows_; ++t) {
      const int y = label(t);
      const double upper = s_.problem.weight(t);
      double alpha = y * s_.coefficients[t] * r;
      if (std::fabs(alpha - upper) < kSumRounding * upper) alpha = upper;
      variables.push_back({y, alpha, upper, 0, y * s_.values[t] * r});
      sums[y > 0 ? 1 : 0] += alpha;
      margins.push_back(-y * decision(t));
    }
    const double off = std::max(std::fabs(sums[0] - wanted / 2), std::fabs(sums[1] - wanted / 2));
    const double loss = r != 0 ? best_loss(margins, s_.problem, wanted) / std::fabs(r) : 0;
    Certificate all =
        made_of(variables, off, violation_within_labels(variables), s_.squared_norm / 2 + loss, r);
    all.dual_objective = s_.squared_norm / 2;
    return all;
  }

  Certificate one_class() const {
    const double wanted = param_.nu * sum_of_weights_;
    Variables variables;
    double primal = s_.squared_norm / 2 - s_.rho * wanted;
    for (std::size_t t = 0; t < rows_; ++t) {
      const double upper = s_.problem.weight(t);
      variables.push_back({+1, s_.coefficients[t], upper, 0, s_.values[t]});
      primal += upper * std::max(0.0, -decision(t));
    }
    return made_of(variables, std::fabs(sum() - wanted), violation_of_pairs(variables), primal);
  }

  Certificate epsilon_svr() const {
    const Variables variables = sides(param_.p);
    const double primal = s_.squared_norm / 2 + param_.C * tube_loss(param_.p);
    return made_of(variables, std::fabs(sum()), violation_of_pairs(variables), primal);
  }

  // The model does not have the width of the tube, so it is the best one for this model.
  Certificate nu_svr() const {
    const Variables variables = sides(0);
    const double weight = param_.nu * sum_of_weights_;
    const double primal = s_.squared_norm / 2 + param_.C * best_loss(errors(), s_.problem, weight);
    const double missing = param_.C * weight - sum_of_sizes();
    const double off = std::max(std::fabs(sum()), -missing);
    const bool is_whole = missing <= kSumRounding * param_.C * weight;
    return made_of(variables, off,
                   is_whole ? violation_within_labels(variables)
                            : violation_with_common_parts(variables, missing / 2),
                   primal);
  }

  // For solvers without dual variables.
  Certificate primal_alone() const {
    const double loss =
        param_.svm_type == EPSILON_SVR ? param_.C * tube_loss(param_.p) : hinge_loss();
    const double bias = run_.options.bias;  // a constant feature with a weight
    const double weight = bias > 0 ? s_.rho / bias : 0;
    Certificate all;
    all.problems = 1;
    all.has_dual = false;
    all.primal_objective = (s_.squared_norm + weight * weight) / 2 + loss;
    return all;
  }

 private:
  int label(std::size_t t) const { return s_.problem.y[t] > 0 ? +1 : -1; }
  // C of a row of C-SVC.
  double cost(std::size_t t) const {
    return weighted_bound(s_.problem, s_.costs.of(t, label(t)), t);
  }
  double upper_of_side(std::size_t t) const { return weighted_bound(s_.problem, param_.C, t); }
  double decision(std::size_t t) const { return s_.values[t] - s_.rho; }
  double sum() const {
    return std::accumulate(s_.coefficients.begin(), s_.coefficients.end(), 0.0);
  }
  double sum_of_sizes() const {
    double sum = 0;
    for (const double coefficient : s_.coefficients) sum += std::fabs(coefficient);
    return sum;
  }
  double hinge_loss() const {
    double loss = 0;
    for (std::size_t t = 0; t < rows_; ++t) {
      loss += cost(t) * std::max(0.0, 1 - label(t) * decision(t));
    }
    return loss;
  }
  std::vector<double> errors() const {
    std::vector<double> errors(rows_);
    for (std::size_t t = 0; t < rows_; ++t) errors[t] = std::fabs(decision(t) - s_.problem.y[t]);
    return errors;
  }
  double tube_loss(double tube) const {
    double loss = 0;
    const std::vector<double> all = errors();
    for (std::size_t t = 0; t < rows_; ++t) {
      loss += s_.problem.weight(t) * std::max(0.0, all[t] - tube);
    }
    return loss;
  }

  // The variables of a regression, with the two of a row one after the other; one of these is 0.
  Variables sides(double tube) const {
    Variables variables;
    for (std::size_t t = 0; t < rows_; ++t) {
      for (const int side : {+1, -1}) {
        const double alpha = std::max(0.0, side * s_.coefficients[t]);
        const double linear = tube - side * s_.problem.y[t];
        variables.push_back({side, alpha, upper_of_side(t), linear, side * s_.values[t] + linear});
      }
    }
    return variables;
  }

  // The violation of nu-SVR if `missing` is missing from the sum of each side.  Then both variables
  // of some rows are above 0, and the model has only their difference.  Assumes the rows and
  // amounts that violate optimality least.
  double violation_with_common_parts(const Variables& variables, double missing) const {
    GradientEnds positive, negative;
    for (const CheckedVariable& v : variables) (v.label > 0 ? positive : negative).add(v);
    std::vector<std::pair<double, double>> rows;  // violation and room
    for (std::size_t t = 0; t < rows_; ++t) {
      const double f = s_.values[t] - s_.problem.y[t];
      rows.emplace_back(std::max(f - positive.lowest, negative.highest - f),
                        upper_of_side(t) - std::fabs(s_.coefficients[t]));
    }
    std::sort(rows.begin(), rows.end());
    double most = std::max(positive.violation(), negative.violation());
    for (std::size_t k = 0; k < rows.size() && missing > 0; ++k) {
      if (!(rows[k].second > 0)) continue;
      most = std::max(most, rows[k].first);
      missing -= rows[k].second;
    }
    return most;
  }

  // `off` is the distance of the sums from their constants, `scale` what the variables and
  // gradients are relative to the model's.
  Certificate made_of(const Variables& variables, double off, double violation, double primal,
                      double scale = 1) const {
    double largest = 0;
    for (const CheckedVariable& v : variables) {
      largest = std::max({largest, std::fabs(v.gradient), std::fabs(v.linear)});
    }
    return {
        1,
        true,
        violation,
        2 * (std::fabs(scale) * s_.value_error + std::numeric_limits<double>::epsilon() * largest),
        std::max(off, excess(variables)),
        dual_objective(variables),
        primal};
  }

  const BinarySolution& s_;
  const svm_parameter& param_;
  const Run& run_;
  const std::size_t rows_;
  const double sum_of_weights_;
};

}  // namespace

void Certificate::add(const Certificate& other) {
  problems += other.problems;
  has_dual = has_dual && other.has_dual;
  violation = larger(violation, other.violation);
  rounding = larger(rounding, other.rounding);
  infeasibility = larger(infeasibility, other.infeasibility);
  dual_objective += other.dual_objective;
  primal_objective += other.primal_objective;
}

double margin_of(const BinarySolution& solution, const svm_parameter& param) {
  if (param.svm_type != NU_SVC) return 1;
  double sum_of_alpha = 0;
  for (std::size_t t = 0; t < solution.problem.size(); ++t) {
    sum_of_alpha +=
        solution.problem.y[t] > 0 ? solution.coefficients[t] : -solution.coefficients[t];
  }
  return sum_of_alpha != 0 ? param.nu * sum_of_weights(solution.problem) / sum_of_alpha : 0;
}

Certificate certify_binary(const BinarySolution& solution, const svm_parameter& param,
                           const Run& run) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(solution.values.begin(), solution.values.end(), is_finite) ||
      !std::isfinite(solution.squared_norm) || std::isnan(solution.rho)) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {1, !works_on_examples(run), kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  }
  const Certifier certifier(solution, param, run);
  if (works_on_examples(run)) return certifier.primal_alone();
  switch (param.svm_type) {
    case NU_SVC:
      return certifier.nu_svc();
    case ONE_CLASS:
      return certifier.one_class();
    case EPSILON_SVR:
      return certifier.epsilon_svr();
    case NU_SVR:
      return certifier.nu_svr();
    default:
      return solver_of(run.options).squared_slacks ? certifier.squared_slacks() : certifier.c_svc();
  }
}

}  // namespace svm
