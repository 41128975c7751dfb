#include "solvers/historical/platt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/platform/numbers.h"
#include "kernels/examples.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/resolution.h"

namespace svm {

// Kernel values and decision values, without the threshold, of a dual problem: from kernel rows, or
// with the linear kernel from the examples and the weight vector w.
class DecisionValues {
 public:
  virtual ~DecisionValues() = default;

  virtual double kernel(std::size_t s, std::size_t t) = 0;

  // True if kernel values are not rounded to float.
  virtual bool in_doubles() const = 0;

  // sum_s weights_s K_st
  virtual double value(std::size_t t, const std::vector<double>& weights) = 0;

  // Sets values[k] to offsets[k] + value(k, weights), for all k of `examples`, after the weights of
  // s and t changed.  To be called after every change of weights; with s == t and change_t == 0 if
  // only one changed.
  virtual void update(std::size_t s, double change_s, std::size_t t, double change_t,
                      const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
                      std::vector<double>& values) = 0;
};

namespace {

constexpr double kPublishedLeastStep = 1e-8;  // the paper: "a small epsilon for round-off error"
constexpr double kLeastAboveBound = 1e-8;     // the paper's: closer to a bound means at the bound
constexpr double kMostLeastStep = 1e-3;
constexpr double kStepPerTolerance = 1e-2;
constexpr double kLastLeastStep = 1e-13;
constexpr double kLeastStepFactor = 0.1;

class RowValues final : public DecisionValues {
 public:
  explicit RowValues(KernelMatrix& kernel) : kernel_(kernel) {}

  double kernel(std::size_t s, std::size_t t) override {
    return s == t ? kernel_.diagonal(s) : kernel_.row(t)[s];
  }

  bool in_doubles() const override { return kernel_.in_doubles(); }

  double value(std::size_t t, const std::vector<double>& weights) override {
    return kernel_.row(t).visit([&](const auto* row) {
      constexpr std::size_t kSums = 8;  // independent ones, so that the compiler can use vectors
      std::array<double, kSums> sums{};
      std::size_t s = 0;
      for (; s + kSums <= weights.size(); s += kSums) {
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += weights[s + k] * row[s + k];
      }
      double sum = 0;
      for (; s < weights.size(); ++s) sum += weights[s] * row[s];
      for (const double part : sums) sum += part;
      return sum;
    });
  }

  void update(std::size_t s, double change_s, std::size_t t, double change_t,
              const std::vector<std::size_t>& examples, const std::vector<double>& /*offsets*/,
              std::vector<double>& values) override {
    const KernelRow row_s = kernel_.row(s);
    const KernelRow row_t = kernel_.row(t);
    for (const std::size_t k : examples) {
      values[k] += change_s * row_s[k] + change_t * row_t[k];
    }
  }

 private:
  KernelMatrix& kernel_;
};

class FoldedValues final : public DecisionValues {
 public:
  explicit FoldedValues(Examples examples)
      : examples_(std::move(examples)), weights_(examples_.dimension()) {}

  double kernel(std::size_t s, std::size_t t) override {
    if (s == t) return examples_.squared_norm(s);
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    std::size_t p = examples_.begin(s), q = examples_.begin(t);
    const std::size_t p_end = examples_.end(s), q_end = examples_.end(t);
    double sum = 0;
    while (p < p_end && q < q_end) {
      const std::uint32_t a = features[p], b = features[q];
      if (a == b) sum += values[p] * values[q];
      p += a <= b;
      q += b <= a;
    }
    return sum;
  }

  bool in_doubles() const override { return true; }

  double value(std::size_t t, const std::vector<double>& /*weights*/) override {
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    const std::size_t end = examples_.end(t);
    double sum = 0;
    for (std::size_t p = examples_.begin(t); p < end; ++p) {
      sum += weights_[features[p]] * values[p];
    }
    return sum;
  }

  void update(std::size_t s, double change_s, std::size_t t, double change_t,
              const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
              std::vector<double>& values) override {
    fold(s, change_s);
    fold(t, change_t);
    for (const std::size_t k : examples) values[k] = offsets[k] + value(k, weights_);
  }

 private:
  void fold(std::size_t t, double change) {
    for (std::size_t p = examples_.begin(t); p < examples_.end(t); ++p) {
      weights_[examples_.features()[p]] += change * examples_.values()[p];
    }
  }

  const Examples examples_;
  std::vector<double> weights_;  // w
};

// By the weight vector if `linear_rows` is not null, else by kernel rows; also by kernel rows if
// `go_on` returns false, as these need no preparation.  `kernel` must outlive the result.
std::unique_ptr<DecisionValues> make_decision_values(KernelMatrix& kernel, DataRows linear_rows,
                                                     const GoOn& go_on) {
  try {
    if (linear_rows) {
      Examples examples(linear_rows, kernel.size(), go_on);
      if (examples.is_regular()) return std::make_unique<FoldedValues>(std::move(examples));
    }
  } catch (const Interrupted&) {
  }
  return std::make_unique<RowValues>(kernel);
}

}  // namespace

PlattSolver::PlattSolver(DualProblem&& problem, double epsilon, bool /*shrinking*/,
                         Monitor& monitor)
    : state_(problem),
      size_(state_.size()),
      epsilon_(epsilon),
      attainable_(epsilon),
      tolerance_(epsilon),
      fixed_threshold_(monitor.options().fixed_threshold != 0),
      is_published_(monitor.is_published()),
      order_(variable_range(0, size_)),
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

PlattSolver::~PlattSolver() = default;

// Sweeps over all examples and over the free ones alternate as in the paper.  Two examples within
// the tolerance may violate the condition of the pair by twice as much; the tolerance is then
// halved.  If only steps shorter than the least one are left, the least step is reduced.  The paper
// has neither.
Solution PlattSolver::solve() {
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

// Continues in doubles if floats do not resolve the tolerance; false if that is not needed or does
// not help.  Solutions with a threshold are refined instead.
bool PlattSolver::switch_to_doubles() {
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

// Returns the number of steps.
std::size_t PlattSolver::sweep(bool all) {
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

// True if a step was taken.
bool PlattSolver::examine(std::size_t t) {
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
bool PlattSolver::seek_partner(const Point& second) {
  if (free_.size() > 1 && step(largest_difference(second), second)) return true;
  return try_all(second, &free_, free_.size()) || try_all(second, nullptr, size_);
}

// Tries the candidates from a random place on; all examples if `candidates` is null.
bool PlattSolver::try_all(const Point& second, const std::vector<std::size_t>* candidates,
                          std::size_t count) {
  if (count == 0) return false;
  const std::size_t start = random_() % count;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t place = start + k < count ? start + k : start + k - count;
    if (step(candidates != nullptr ? (*candidates)[place] : place, second)) return true;
    if (!go_on()) return false;
  }
  return false;
}

// The paper looks only at errors below one that is positive, and above one that is negative.
std::size_t PlattSolver::largest_difference(const Point& second) const {
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

// Takes a joint step of two multipliers.  False if it would move nothing.
bool PlattSolver::step(std::size_t at, const Point& second) {
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
bool PlattSolver::step_alone(const Point& point) {
  const double curvature = values_->kernel(point.at, point.at);
  const double slope = -state_.labels[point.at] * point.error;
  const double end = slope > 0 ? state_.upper_bound(point.at) : 0;
  double target = end;
  if (curvature > 0) {
    target = std::min(std::max(point.alpha + slope / curvature, 0.0), state_.upper_bound(point.at));
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

void PlattSolver::update(const Moved& first, const Moved& second) {
  ++rounding_history_.steps;
  values_->update(first.at, first.change, second.at, second.change, free_, state_.linear, cached_);
  // Their errors are 0, except for the rounding of large multipliers.
  for (const Moved& moved : {first, second}) {
    if (is_free(moved.at)) cached_[moved.at] = moved.value;
  }
}

void PlattSolver::set_alpha(std::size_t t, double alpha) {
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

// The first free example at this place or after it.
std::vector<std::size_t>::iterator PlattSolver::free_from(std::size_t place) {
  return std::partition_point(free_.begin(), free_.end(),
                              [&](std::size_t t) { return place_[t] < place; });
}

double PlattSolver::error(std::size_t t) {
  if (is_free(t)) return cached_[t] - threshold_;
  return values_->value(t, signed_alpha_) + state_.linear[t] - threshold_;
}

// The estimated rounding error of f.  With a threshold, the refinement accounts for the drift.
double PlattSolver::rounding() const {
  const double lost = fixed_threshold_ ? drift({kernel_, state_.alpha}, rounding_history_) : 0;
  return resolution(kernel_, state_.alpha) + lost;
}

bool PlattSolver::is_negligible(double alpha, double before) const {
  return std::fabs(alpha - before) < least_step_ * (alpha + before + least_step_);
}

}  // namespace svm
