#include "tests/certificate_checker.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <vector>

#include "tests/trained_function.h"

namespace svm::test {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// The interval that the conditions permit for a multiplier: it must not be above f of a variable
// that may go up, nor below f of one that may go down.
struct Interval {
  Real lowest_up = kInfinity, highest_down = -kInfinity;

  void add(Real f, bool may_go_up, bool may_go_down) {
    if (may_go_up) lowest_up = std::min(lowest_up, f);
    if (may_go_down) highest_down = std::max(highest_down, f);
  }
  Real violation() const { return std::max(highest_down - lowest_up, Real{0}); }
  // 0 if it is inside, or no further outside than the violation.
  Real distance(Real multiplier) const {
    return std::max({std::min(lowest_up, highest_down) - multiplier,
                     multiplier - std::max(lowest_up, highest_down), Real{0}});
  }
  bool is_bounded() const { return std::isfinite(lowest_up) && std::isfinite(highest_down); }
};

class Checker {
 public:
  Checker(const Trained& trained, Verdict& verdict)
      : trained_(trained), param_(*trained.param), verdict_(verdict) {}

  void check() {
    const svm_model& model = *trained_.model;
    const bool is_classification = param_.svm_type == C_SVC || param_.svm_type == NU_SVC;
    if (!is_classification) {
      check_function(0, 0, 0);
    } else {
      for (int a = 0, pair = 0; a < model.nr_class; ++a) {
        for (int b = a + 1; b < model.nr_class; ++b, ++pair) check_function(a, b, pair);
      }
    }
    const bool says_dual =
        trained_.objective != Objective::kNoThreshold && trained_.objective != Objective::kEmbedded;
    verdict_.dual =
        says_dual ? static_cast<double>(dual_) : std::numeric_limits<double>::quiet_NaN();
    verdict_.primal = static_cast<double>(primal_);
    verdict_.objective_fits = objective_fits();
  }

 private:
  void note(double value) { verdict_.finite = verdict_.finite && std::isfinite(value); }

  // Checks the function of classes a and b, or that of all rows.
  void check_function(int a, int b, int pair) {
    const Function of = function_of(trained_, a, b, pair);
    for (const Real weight : of.weights) note(static_cast<double>(weight));
    check_function(of);
  }

  void check_function(const Function& of) {
    switch (trained_.objective) {
      case Objective::kSquaredSlacks:
        return squared_slacks(of);
      case Objective::kNoThreshold:
      case Objective::kEmbedded:
        return primal_only(of);
      case Objective::kFixedThreshold:
        return fixed_threshold(of);
      default:
        break;
    }
    switch (param_.svm_type) {
      case NU_SVC:
        return nu_svc(of);
      case ONE_CLASS:
        return one_class(of);
      case EPSILON_SVR:
        return epsilon_svr(of);
      case NU_SVR:
        return nu_svr(of);
      default:
        return c_svc(of);
    }
  }

  void violated(Real by, const Function& of, Real scale = 1) {
    const Real rounding = scale * of.rounding + of.carried;
    const Real sizes = sum_of_sizes(of) * scale;
    gap_ += (rounding + scale * of.float_rounding) * sizes;
    // Variables whose distance from a bound is below the rounding of their sum are moved to it
    // after the objective was computed, which shows if that is 0.
    const Real moved = kDoubleUnit * sizes;
    gap_ += moved * moved * of.largest_diagonal;
    verdict_.violation = std::max(verdict_.violation, static_cast<double>(by));
    if (std::isnan(by)) verdict_.finite = false;
    verdict_.rounding = std::max(verdict_.rounding, static_cast<double>(rounding));
  }
  void outside(Real by, Real of) {
    const Real relative = by <= 0 ? 0 : of > 0 ? by / of : kInfinity;
    verdict_.infeasibility = std::max(verdict_.infeasibility, static_cast<double>(relative));
  }
  void out_of_box(Real value, Real upper) { outside(std::max(-value, value - upper), upper); }
  // LIBSVM's threshold is infinite if all variables may move in one direction only.
  void check_threshold(const Interval& interval, const Function& of) {
    if (trained_.is_rounded && !interval.is_bounded()) return;
    note(static_cast<double>(of.rho));
    verdict_.threshold =
        std::max(verdict_.threshold, static_cast<double>(interval.distance(of.rho)));
  }

  static Real sum_of_sizes(const Function& of) {
    Real sum = 0;
    for (const Real coefficient : of.coefficients) sum += std::fabs(coefficient);
    return sum;
  }
  static Real sum(const Function& of) {
    Real total = 0;
    for (const Real coefficient : of.coefficients) total += coefficient;
    return total;
  }
  static Real sum_of_bounds(const Function& of) {
    Real total = 0;
    for (const Real upper : of.upper) total += upper;
    return total;
  }
  void c_svc(const Function& of) {
    Interval interval;
    Real loss = 0, alphas = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real y = of.y[t], alpha = y * of.coefficients[t], upper = of.upper[t];
      out_of_box(alpha, upper);
      const bool grows = alpha<upper, falls = alpha> 0;
      interval.add(of.f[t] - y, y > 0 ? grows : falls, y > 0 ? falls : grows);
      alphas += alpha;
      loss += upper * std::max(1 - y * (of.f[t] - of.rho), Real{0});
    }
    outside(std::fabs(sum(of)), sum_of_sizes(of));
    violated(interval.violation(), of);
    check_threshold(interval, of);
    dual_ += of.norm / 2 - alphas;
    primal_ += of.norm / 2 + loss;
  }

  // The variables of the optimisation are the coefficients times the margin.
  void nu_svc(const Function& of) {
    const Real sizes = sum_of_sizes(of), total = param_.nu * sum_of_bounds(of);
    const Real margin = total / sizes;
    if (!std::isfinite(static_cast<double>(margin))) {
      verdict_.finite = false;
      return;
    }
    Interval intervals[2];
    Real sums[2] = {0, 0}, loss = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const bool positive = of.y[t] > 0;
      const Real upper = of.upper[t];
      Real alpha = of.y[t] * of.coefficients[t] * margin;
      // Removes the rounding of the division by the margin.
      if (std::fabs(alpha - upper) < 1e-12L * upper) alpha = upper;
      out_of_box(alpha, upper);
      const bool grows = alpha<upper, falls = alpha> 0;
      intervals[positive].add(of.f[t] * margin, positive ? grows : falls, positive ? falls : grows);
      sums[positive] += alpha;
      loss += upper * std::max(1 - of.y[t] * (of.f[t] - of.rho), Real{0}) / margin;
    }
    for (const int side : {0, 1}) {
      outside(std::fabs(sums[side] - total / 2), total / 2);
      violated(intervals[side].violation(), of, margin);
    }
    dual_ += of.norm / 2;
    solved_ -= of.norm / 2 * (1 - margin * margin);
    primal_ += of.norm / 2 + loss - sizes;  // in the model's scale, r is 1 and C = 1 / margin
  }

  void one_class(const Function& of) {
    Interval interval;
    Real loss = 0;
    const Real total = param_.nu * sum_of_bounds(of);
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real alpha = of.coefficients[t], upper = of.upper[t];
      out_of_box(alpha, upper);
      interval.add(of.f[t], alpha<upper, alpha> 0);
      loss += upper * std::max(of.rho - of.f[t], Real{0});
    }
    outside(std::fabs(sum(of) - total), total);
    violated(interval.violation(), of);
    check_threshold(interval, of);
    dual_ += of.norm / 2;
    primal_ += of.norm / 2 - total * of.rho + loss;
  }

  // One of the two variables of a row is 0: subtracting the same amount from both only helps.
  void epsilon_svr(const Function& of) {
    Interval interval;
    Real linear = 0, loss = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real beta = of.coefficients[t], upper = of.upper[t], error = of.f[t] - of.y[t];
      out_of_box(std::fabs(beta), upper);
      interval.add(error + param_.p, beta<upper, beta> 0);
      interval.add(error - param_.p, beta < 0, -beta < upper);
      linear += param_.p * std::fabs(beta) - of.y[t] * beta;
      loss += upper * std::max(std::fabs(error - of.rho) - param_.p, Real{0});
    }
    outside(std::fabs(sum(of)), sum_of_sizes(of));
    violated(interval.violation(), of);
    check_threshold(interval, of);
    dual_ += of.norm / 2 + linear;
    primal_ += of.norm / 2 + loss;
  }

  // If the sums of sizes are too small, some rows in the middle of the rest of the tube have both
  // of their variables above 0.
  void nu_svr(const Function& of) {
    const Real total = param_.nu * sum_of_bounds(of);
    const Real lack = total - sum_of_sizes(of);
    outside(std::fabs(sum(of)), total);
    outside(-lack, total);
    Interval above, below;
    std::vector<Real> errors;
    Real linear = 0, largest = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      largest = std::max(largest, std::fabs(of.y[t]));
      const Real beta = of.coefficients[t], upper = of.upper[t], error = of.f[t] - of.y[t];
      out_of_box(std::fabs(beta), upper);
      above.add(error, beta<upper, beta> 0);
      below.add(error, beta < 0, -beta < upper);
      errors.push_back(error);
      linear -= of.y[t] * beta;
    }
    constexpr Real kNothing = 1e-12L;  // relative to the total; anything smaller is rounding
    if (lack > kNothing * total) give_both(of, lack / 2, kNothing * total, errors, above, below);
    violated(above.violation(), of);
    violated(below.violation(), of);
    // The solver sums over both variables of a row.
    gap_ += total *
            (of.rounding + of.float_rounding + 8 * kDoubleUnit * largest + carried(trained_, of));
    dual_ += of.norm / 2 + linear;
    primal_ += of.norm / 2 + best_tube(errors, of, total);
  }

  static void give_both(const Function& of, Real lack, Real rounding,
                        const std::vector<Real>& errors, Interval& above, Interval& below) {
    const Real middle = (above.lowest_up + below.highest_down) / 2;
    std::vector<std::size_t> order(of.size());
    for (std::size_t t = 0; t < of.size(); ++t) order[t] = t;
    std::sort(order.begin(), order.end(), [&](std::size_t s, std::size_t t) {
      return std::fabs(errors[s] - middle) < std::fabs(errors[t] - middle);
    });
    for (const std::size_t t : order) {
      if (!(lack > rounding)) break;
      const Real room = of.upper[t] - std::fabs(of.coefficients[t]);
      if (!(room > 0)) continue;
      above.add(errors[t], false, true);
      below.add(errors[t], true, false);
      lack -= room;
    }
  }

  // The minimum over the tube of C nu l tube + the sum of C times what lies beyond the tube.
  static Real best_tube(const std::vector<Real>& errors, const Function& of, Real total) {
    std::vector<Real> sizes;
    sizes.reserve(errors.size());
    for (const Real error : errors) sizes.push_back(std::fabs(error - of.rho));
    const auto loss_of = [&](Real tube) {
      Real loss = total * tube;
      for (std::size_t t = 0; t < sizes.size(); ++t) {
        loss += of.upper[t] * std::max(sizes[t] - tube, Real{0});
      }
      return loss;
    };
    Real best = loss_of(0);
    for (const Real tube : sizes) best = std::min(best, loss_of(tube));
    return best;
  }

  void squared_slacks(const Function& of) {
    Real alphas = 0, least = 0, most = 0, slacks = 0, loss = 0, b = 0;
    for (const Real coefficient : of.coefficients) b += coefficient;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real alpha = of.y[t] * of.coefficients[t];
      outside(-alpha, sum_of_sizes(of));
      const Real slope = of.y[t] * (of.f[t] + b) + alpha / of.upper[t] - 1;
      least = std::min(least, slope);
      if (alpha > 0) most = std::max(most, slope);
      alphas += alpha;
      slacks += alpha * alpha / of.upper[t];
      const Real missing = std::max(1 - of.y[t] * (of.f[t] - of.rho), Real{0});
      loss += of.upper[t] * missing * missing / 2;
    }
    outside(std::fabs(b + of.rho), sum_of_sizes(of));
    violated(most - least, of);
    dual_ += (of.norm + b * b + slacks) / 2 - alphas;
    primal_ += (of.norm + of.rho * of.rho) / 2 + loss;
  }

  void fixed_threshold(const Function& of) {
    Real alphas = 0, loss = 0, worst = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real alpha = of.y[t] * of.coefficients[t], slope = of.y[t] * of.f[t] - 1;
      out_of_box(alpha, of.upper[t]);
      if (alpha < of.upper[t]) worst = std::max(worst, -slope);
      if (alpha > 0) worst = std::max(worst, slope);
      alphas += alpha;
      loss += of.upper[t] * std::max(-slope, Real{0});
    }
    outside(std::fabs(of.rho), 1);
    violated(worst, of);
    dual_ += of.norm / 2 - alphas;
    primal_ += of.norm / 2 + loss;
  }

  // The model has w, perhaps of an embedding, and not the variables of the dual.
  void primal_only(const Function& of) {
    const bool regression = param_.svm_type == EPSILON_SVR;
    const bool has_bias = trained_.objective == Objective::kNoThreshold && trained_.bias > 0;
    const Real bias_weight = has_bias ? -of.rho / trained_.bias : 0;
    if (!has_bias) outside(std::fabs(of.rho), 1);
    Real loss = 0;
    for (std::size_t t = 0; t < of.size(); ++t) {
      const Real value = of.f[t] - of.rho;
      const Real missing = regression ? std::fabs(value - of.y[t]) - param_.p : 1 - of.y[t] * value;
      loss += of.upper[t] * std::max(missing, Real{0});
      // Every variable adds at most its violation times its upper bound to the gap.
      gap_ += (regression ? 2 : 1) * of.upper[t] * (param_.eps + of.rounding);
      // The embedding is in floats, and computed by a factor of condition 1e3 (its ridge is 1e-6).
      constexpr Real kEmbedding = 1e3 * kFloatUnit;
      if (trained_.objective == Objective::kEmbedded) {
        gap_ += of.upper[t] * kEmbedding * (1 + std::fabs(of.f[t]));
      }
    }
    primal_ += (of.norm + bias_weight * bias_weight) / 2 + loss;
    verdict_.rounding = std::max(verdict_.rounding, static_cast<double>(of.rounding));
  }

  bool objective_fits() const {
    constexpr Real kDigits = 1e-6L, kEmbeddingDigits = 1e-2L;
    const Real reported = trained_.reported_objective;
    switch (trained_.objective) {
      case Objective::kNoThreshold: {
        const Real gap = primal_ + reported, blur = kDigits * std::fabs(reported);
        return gap >= -blur - gap_ && gap <= blur + gap_;
      }
      case Objective::kEmbedded:  // the ridge of the embedding only increases it
        return primal_ <= -reported * (1 + kEmbeddingDigits) + gap_;
      default:
        return std::fabs(dual_ + solved_ - reported) <=
               kDigits * std::max(std::fabs(reported), std::fabs(dual_)) + gap_;
    }
  }

  const Trained& trained_;
  const svm_parameter& param_;
  Verdict& verdict_;
  Real dual_ = 0, primal_ = 0;
  Real solved_ = 0;  // difference between the dual and the function that the solver minimised
  Real gap_ = 0;     // permitted difference between the reported and the recomputed objective
};

std::string text(const char* what, double value, double limit) {
  char line[160];
  std::snprintf(line, sizeof(line), "%s %.3g, at most %.3g", what, value, limit);
  return line;
}

}  // namespace

Verdict check_model(const Trained& trained) {
  Verdict verdict;
  Checker(trained, verdict).check();
  return verdict;
}

std::string complaint(const Trained& trained, const Verdict& verdict) {
  constexpr double kFeasible = 1e-9;
  if (!verdict.finite) return "numbers of the model are not finite";
  if (!(verdict.infeasibility <= kFeasible)) {
    return text("the constraints are missed by", verdict.infeasibility, kFeasible);
  }
  const double limit = trained.param->eps + verdict.rounding;
  if (!(verdict.violation <= limit)) return text("the violation is", verdict.violation, limit);
  if (!(verdict.threshold <= limit))
    return text("the threshold is off by", verdict.threshold, limit);
  return verdict.objective_fits ? "" : "the objective is another";
}

}  // namespace svm::test
