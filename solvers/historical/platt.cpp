// SMO as first published.
//
//   Platt: Fast training of support vector machines using sequential minimal optimization, in:
//   Advances in Kernel Methods, MIT Press 1998.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"
#include "base/platform/numbers.h"
#include "solvers/historical/decision_values.h"
#include "solvers/historical/historical.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

constexpr double kPublishedLeastStep = 1e-8;  // the paper: "a small epsilon for round-off error"
constexpr double kLeastAboveBound = 1e-8;     // the paper's: closer to a bound means at the bound
constexpr double kMostLeastStep = 1e-3;
constexpr double kStepPerTolerance = 1e-2;
constexpr double kLastLeastStep = 1e-13;
constexpr double kLeastStepFactor = 0.1;

// Notation of the paper: the decision function is f(x) = sum a_t y_t K(x_t, x) - b, and the error
// at example t is E_t = f(x_t) - y_t.  An example is free ("non-bound") if 0 < a_t < C_t.
class PlattSolver final {
 public:
  // Stops if no example, given the threshold, and no pair of examples, as in smo, violates
  // optimality by more than `epsilon`, or than kernel values resolve.  If the run's options fix the
  // threshold at 0, there is no equality constraint.  The start point of the problem must be 0.
  PlattSolver(DualProblem&& problem, double epsilon, Monitor& monitor)
      : state_(problem),
        size_(state_.size()),
        epsilon_(epsilon),
        attainable_(epsilon),
        tolerance_(epsilon),
        fixed_threshold_(monitor.options().fixed_threshold != 0),
        is_published_(monitor.is_published()),
        order_(index_range(0, size_)),
        place_(size_),
        signed_alpha_(size_),
        cached_(size_),
        least_step_(is_published_ ? kPublishedLeastStep
                                  : std::min(kMostLeastStep, kStepPerTolerance * epsilon)),
        kernel_(problem.kernel),
        values_(make_decision_values(problem.kernel, problem.linear_rows(),
                                     [&monitor] { return monitor.poll(); })),
        monitor_(monitor) {
    state_.reached_upper = true;                       // not tracked, so it may have
    if (values_->in_doubles()) kernel_.use_doubles();  // for the resolution; no rows are used
    for (std::size_t k = size_; k > 1; --k) std::swap(order_[k - 1], order_[random_() % k]);
    for (std::size_t k = 0; k < size_; ++k) place_[order_[k]] = k;
  }

  // Sweeps over all examples and over the free ones alternate as in the paper.  Two examples within
  // the tolerance may violate the condition of the pair by twice as much; the tolerance is then
  // halved.  If only steps shorter than the least one are left, the least step is reduced.  The
  // paper has neither.
  Solution solve() {
    monitor_.observe(kernel_);
    constexpr double kHalf = 0.5;
    bool all = true;
    double share = 1;
    while (go_on()) {
      if (all && !is_published_) {
        attainable_ = attainable_violation(epsilon_, rounding());
        tolerance_ = share * attainable_;
      }
      const std::size_t steps = sweep(all);
      if (!all || steps > 0) {
        all = !all && steps == 0;
      } else if (violators_ == 0 && !is_published_ && share == 1 && !(violation() < attainable_)) {
        share = kHalf;
      } else if (violators_ == 0) {
        if (!switch_to_doubles()) break;
      } else if (is_published_ || least_step_ <= kLastLeastStep) {
        monitor_.stop(SVM_STALLED);
      } else {
        least_step_ *= kLeastStepFactor;
      }
    }
    monitor_.release();
    Solution solution(std::move(state_));
    solution.rho = threshold_;
    solution.history = rounding_history_;
    solution.violation = violation();
    return solution;
  }

 private:
  // An example whose partner is sought.
  struct Point {
    std::size_t at;
    double alpha, error;
  };

  // True if a step was taken.
  bool examine(std::size_t t) {
    const Point point = {t, state_.alpha[t], error(t)};
    rounding_history_.most_difference =
        std::max(rounding_history_.most_difference, std::fabs(point.error));
    const double margin = state_.labels[t] * point.error;
    const bool too_small = margin < -tolerance_ && point.alpha < state_.upper_bound(t);
    const bool too_large = margin > tolerance_ && point.alpha > 0;
    if (!too_small && !too_large) {
      // For the reported violation.
      if (state_.room_up(t) > 0) most_below_ = std::max(most_below_, -point.error);
      if (state_.room_down(t) > 0) most_above_ = std::max(most_above_, point.error);
      return false;
    }
    if (fixed_threshold_ ? step_alone(point) : seek_partner(point)) return true;
    ++violators_;
    double& most = point.error > 0 ? most_above_ : most_below_;
    most = std::max(most, std::fabs(point.error));
    return false;
  }

  // The hierarchy of second choices: by |E1 - E2|, any free example, any example at all.
  bool seek_partner(const Point& second) {
    if (free_.size() > 1 && step(largest_difference(second), second)) return true;
    return try_all(second, &free_, free_.size()) || try_all(second, nullptr, size_);
  }

  // Tries the candidates from a random place on; all examples if `candidates` is null.
  bool try_all(const Point& second, const std::vector<std::size_t>* candidates, std::size_t count) {
    if (count == 0) return false;
    const std::size_t start = random_() % count;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t place = start + k < count ? start + k : start + k - count;
      if (step(candidates != nullptr ? (*candidates)[place] : place, second)) return true;
      if (!go_on()) return false;
    }
    return false;
  }

  // Takes a joint step of two multipliers.  False if it would move nothing.
  bool step(std::size_t at, const Point& second) {
    if (at == second.at) return false;
    const double alpha_1 = state_.alpha[at], alpha_2 = second.alpha;
    const double upper_1 = state_.upper_bound(at), upper_2 = state_.upper_bound(second.at);
    const double s = state_.labels[at] * state_.labels[second.at];
    // The range of a_2 for a fixed a_1 + s a_2.  At each end one of the two is at its bound.
    const double sum = alpha_1 + s * alpha_2;
    const double partner_low = s > 0 ? sum - upper_1 : -sum;
    const double partner_high = s > 0 ? sum : upper_1 - sum;
    const double low = std::max(0.0, partner_low), high = std::min(upper_2, partner_high);
    if (!(low < high)) return false;

    const Point first = {at, alpha_1, error(at)};
    const double k11 = values_->kernel(at, at), k22 = values_->kernel(second.at, second.at);
    const double k12 = values_->kernel(at, second.at);
    const double curvature = k11 + k22 - 2 * k12;
    const double slope = state_.labels[second.at] * (first.error - second.error);
    const auto gain = [&](double change) { return change * (slope - 0.5 * curvature * change); };
    double target = alpha_2;
    if (curvature > 0) {
      target = std::min(std::max(alpha_2 + slope / curvature, low), high);
    } else {
      const double at_low = gain(low - alpha_2), at_high = gain(high - alpha_2);
      if (at_low > at_high + least_step_) target = low;
      if (at_high > at_low + least_step_) target = high;
    }
    if (is_published_ && low == 0 && target < kLeastAboveBound) target = 0;
    if (is_published_ && high == upper_2 && target > upper_2 - kLeastAboveBound) target = upper_2;
    if (is_negligible(target, alpha_2)) return false;

    monitor_.count_iteration();
    state_.objective -= gain(target - alpha_2);
    double partner = moved_within_box(alpha_1, s * (alpha_2 - target), upper_1);
    if (target == partner_low) partner = s > 0 ? upper_1 : 0;
    if (target == partner_high) partner = s > 0 ? 0 : upper_1;
    const double change_1 = state_.labels[at] * (partner - alpha_1);
    const double change_2 = state_.labels[second.at] * (target - alpha_2);
    set_alpha(at, partner);
    set_alpha(second.at, target);
    // The threshold that makes the error of a free one 0, or the middle of both if none is free.
    const double of_first = threshold_ + first.error + change_1 * k11 + change_2 * k12;
    const double of_second = threshold_ + second.error + change_1 * k12 + change_2 * k22;
    if (is_free(at)) {
      threshold_ = of_first;
    } else {
      threshold_ = is_free(second.at) ? of_second : (of_first + of_second) / 2;
    }
    update({at, change_1, of_first}, {second.at, change_2, of_second});
    return true;
  }

  // Takes a step of one multiplier, for a fixed threshold.
  bool step_alone(const Point& point) {
    const double curvature = values_->kernel(point.at, point.at);
    const double slope = -state_.labels[point.at] * point.error;
    const double end = slope > 0 ? state_.upper_bound(point.at) : 0;
    double target = end;
    if (curvature > 0) {
      target =
          std::min(std::max(point.alpha + slope / curvature, 0.0), state_.upper_bound(point.at));
    }
    if (is_negligible(target, point.alpha)) return false;
    monitor_.count_iteration();
    const double change = target - point.alpha;
    state_.objective -= change * (slope - 0.5 * curvature * change);
    set_alpha(point.at, target);
    const double signed_change = state_.labels[point.at] * change;
    const double value = threshold_ + point.error + signed_change * curvature;
    update({point.at, signed_change, value}, {point.at, 0, value});
    return true;
  }

  // Returns the number of steps.
  std::size_t sweep(bool all) {
    std::size_t steps = 0;
    violators_ = 0;
    most_above_ = most_below_ = 0;
    std::size_t k = 0;  // place of the next example
    while (true) {
      if (!all) {  // the next one in the present list of free examples
        const auto next = free_from(k);
        k = next == free_.end() ? size_ : place_[*next];
      }
      if (k >= size_ || !go_on()) break;
      if (examine(order_[k++])) ++steps;
    }
    return steps;
  }

  // The paper looks only at errors below one that is positive, and above one that is negative.
  std::size_t largest_difference(const Point& second) const {
    std::size_t best = kNoIndex;
    double largest = -kInfinity;
    for (const std::size_t t : free_) {
      double difference = cached_[t] - threshold_ - second.error;
      if (second.error > 0) difference = -difference;
      if (!is_published_) difference = std::fabs(difference);
      if (difference > largest) {
        largest = difference;
        best = t;
      }
    }
    return best;
  }

  // Sets a_t and updates the list of free examples.
  void set_alpha(std::size_t t, double alpha) {
    const bool was_free = is_free(t);
    rounding_history_.note(alpha, kernel_.diagonal(t));
    state_.alpha[t] = alpha;
    signed_alpha_[t] = state_.labels[t] * alpha;
    if (is_free(t) == was_free) return;
    const auto place = free_from(place_[t]);
    if (was_free) {
      free_.erase(place);
    } else {
      free_.insert(place, t);
    }
  }

  // A change of y_t a_t, and the decision value after it.
  struct Moved {
    std::size_t at;
    double change, value;
  };
  // Updates the decision values of the free examples.
  void update(const Moved& first, const Moved& second) {
    ++rounding_history_.steps;
    values_->update(first.at, first.change, second.at, second.change, free_, state_.linear,
                    cached_);
    // Their errors are 0, except for the rounding of large multipliers.
    for (const Moved& moved : {first, second}) {
      if (is_free(moved.at)) cached_[moved.at] = moved.value;
    }
  }

  // The first free example at this place or after it.
  std::vector<std::size_t>::iterator free_from(std::size_t place) {
    return std::partition_point(free_.begin(), free_.end(),
                                [&](std::size_t t) { return place_[t] < place; });
  }

  double error(std::size_t t) {
    if (is_free(t)) return cached_[t] - threshold_;
    return values_->value(t, signed_alpha_) + state_.linear[t] - threshold_;
  }

  bool is_free(std::size_t t) const { return state_.is_free(t); }

  // Continues in doubles if floats do not resolve the tolerance; false if that is not needed or
  // does not help.  Solutions with a threshold are refined instead.
  bool switch_to_doubles() {
    if (!fixed_threshold_ || !is_too_coarse(epsilon_, rounding())) return false;
    if (kernel_.in_doubles()) {
      monitor_.stop(SVM_IMPRECISE);
      return false;
    }
    kernel_.use_doubles();
    rounding_history_ = {};
    for (const std::size_t t : free_)
      cached_[t] = values_->value(t, signed_alpha_) + state_.linear[t];
    return true;
  }

  bool is_negligible(double alpha, double before) const {
    return std::fabs(alpha - before) < least_step_ * (alpha + before + least_step_);
  }

  // The estimated rounding error of f.  With a threshold, the refinement accounts for the drift.
  double rounding() const {
    const double lost = fixed_threshold_ ? drift({kernel_, state_.alpha}, rounding_history_) : 0;
    return resolution(kernel_, state_.alpha) + lost;
  }

  double violation() const {
    return fixed_threshold_ ? std::max(most_above_, most_below_) : most_above_ + most_below_;
  }
  bool go_on() { return monitor_.go_on(state_.objective, violation(), size_); }

  DualState state_;  // its linear part is -y_t
  const std::size_t size_;
  const double epsilon_;
  double attainable_;  // epsilon_, or what kernel values resolve if that is more
  double tolerance_;   // of an example: attainable_, or half of it; as published epsilon_
  const bool fixed_threshold_;
  const bool is_published_;  // nothing is added to the paper's algorithm

  std::mt19937 random_;  // default seed: the same run every time
  // The examples in the order of sweeps, which is random, as the problem has its classes one after
  // the other (see docs/platt.md), and the place of each in it.
  std::vector<std::size_t> order_, place_;
  std::vector<double> signed_alpha_;  // y_t a_t
  std::vector<std::size_t> free_;     // in the order of sweeps
  // E_t + b of the free examples: the paper's error cache, but independent of b.
  std::vector<double> cached_;
  double threshold_ = 0;                    // b
  RoundingHistory rounding_history_;        // of the decision values
  double least_step_;                       // relative to a_t
  std::size_t violators_ = 0;               // in the last sweep, without a step
  double most_above_ = 0, most_below_ = 0;  // largest violating errors of the last sweep

  KernelMatrix& kernel_;
  std::unique_ptr<DecisionValues> values_;
  Monitor& monitor_;
};

}  // namespace

Solution solve_platt(DualProblem&& problem, double epsilon, bool /*shrinking*/, Monitor& monitor) {
  return PlattSolver(std::move(problem), epsilon, monitor).solve();
}

}  // namespace svm
