// The minimum norm problem of a C-SVC with squared slacks.
//
//   Barbero, Lopez, Dorronsoro: An accelerated MDM algorithm for SVM training, ESANN 2008.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/platform/float_chars.h"
#include "base/platform/numbers.h"
#include "solvers/historical/historical.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// Most steps of a cycle that is used: a longer one takes more kernel rows than it saves.  The paper
// does not give its limit; with kPublishedCycle the savings are nearest to the paper's.
constexpr std::size_t kLongestCycle = 400, kPublishedCycle = 40;
constexpr long long kResolutionInterval = 1024;  // iterations
constexpr double kUnit = 0x1p-52;

enum class Cycles { kIgnore, kUse };

// minimise |W|^2 = a'Ma  subject to  sum a = 1, a >= 0,
// where M_st = y_s y_t (K_st + 1) + [s = t] / C_t.
// The margins are m = Ma.  With alpha = a / |W|^2, f(x) = sum alpha_t y_t (K(x_t, x) + 1) is the
// decision function of the C-SVC with cost sum C_t xi_t^2 / 2 and a threshold that is part of w.
class MinimumNormSolver final {
 public:
  // Stops if the margins of the support vectors exceed the least margin by at most `epsilon` |W|^2.
  // Continues in doubles if floats do not resolve that.  Ignores the linear part and the start
  // point of the problem.
  MinimumNormSolver(DualProblem&& problem, double epsilon, Monitor& monitor, Cycles cycles)
      : kernel_(problem.kernel),
        state_(std::move(problem)),
        size_(state_.size()),
        shift_(size_),
        epsilon_(epsilon),
        cycles_(cycles),
        weights_(size_),
        sums_(size_),
        direction_(cycles == Cycles::kUse ? size_ : 0),
        direction_sums_(direction_.size()),
        monitor_(monitor) {
    for (std::size_t t = 0; t < size_; ++t) shift_[t] = 1 / state_.upper_bound(t);
  }

  // rho stands for the 1 that is added to the kernel.
  Solution solve() {
    monitor_.observe(kernel_);
    start();
    Pair pair = {kNoIndex, kNoIndex};
    while (go_on()) {
      if (monitor_.iterations() % kResolutionInterval == 0) {
        resolved_ = resolution_of_margins() + drift({kernel_, weights_}, rounding_history_);
      }
      if (find_pair(pair)) {
        monitor_.count_iteration();
        ++rounding_history_.steps;
        if (cycles_ == Cycles::kIgnore || !cycle_step(pair)) step(pair);
      } else if (!retry_more_precisely()) {
        break;
      }
    }
    Solution solution(std::move(state_));
    solution.alpha = std::move(weights_);
    solution.reached_upper = true;  // not tracked, so it may have
    solution.objective = objective();
    solution.violation = relative_gap();
    for (std::size_t t = 0; t < size_; ++t) {
      solution.alpha[t] = norm_ > 0 ? solution.alpha[t] / norm_ : 0;
      solution.rho -= solution.b(t);
    }
    monitor_.release();
    const auto operations = static_cast<double>(rows_used_) * static_cast<double>(size_);
    solution.remark = "steps along cycles = " + std::to_string(cycle_steps_) +
                      ", kernel operations = " + fixed_text(operations, 0) + "\n";
    return solution;
  }

 private:
  struct Pair {
    std::size_t least;     // of the smallest margin
    std::size_t greatest;  // of the largest margin among those with a > 0
  };
  struct Step {
    Pair pair;
    double length;
  };

  double margin(std::size_t t) const {
    return state_.labels[t] * sums_[t] + shift_[t] * weights_[t];
  }
  std::uint64_t key(const Pair& pair) const { return pair.least * size_ + pair.greatest; }

  // Starts at the vertex nearest to 0.
  void start() {
    if (size_ == 0) return;
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < size_; ++t) {
      rounding_history_.most_difference =
          std::max(rounding_history_.most_difference, std::fabs(kernel_.diagonal(t)) + 1);
      const double squared = kernel_.diagonal(t) + 1 + shift_[t];
      if (squared < least) {
        least = squared;
        nearest = t;
      }
    }
    weights_[nearest] = norm_ = 1;
    add_row(nearest, state_.labels[nearest], sums_);
  }

  // False if the point is optimal, or if it cannot be improved because margins are not finite or
  // the kernel is not positive semidefinite.
  bool find_pair(Pair& pair) {
    const Pair last = std::exchange(pair, {kNoIndex, kNoIndex});
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    norm_ = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      const double m = margin(t);
      if (m < least) {
        least = m;
        pair.least = t;
      }
      if (weights_[t] > 0) {
        norm_ += weights_[t] * m;
        if (m > greatest) {
          greatest = m;
          pair.greatest = t;
        }
      }
    }
    if (size_ == 0) return false;
    gap_ = greatest - least;
    if (pair.least == kNoIndex || pair.greatest == kNoIndex || !std::isfinite(gap_)) {
      monitor_.stop(SVM_IMPRECISE);
      return false;
    }
    const bool same = pair.least == last.least && pair.greatest == last.greatest;
    repetitions_ = same ? repetitions_ + 1 : 0;
    if (norm_ > 0) {
      if (gap_ <= attainable_violation(epsilon_ * norm_, resolved_)) return false;
      if (repetitions_ < kStallRepetitions) return true;
    }
    monitor_.stop(SVM_STALLED);
    return false;
  }

  void step(const Pair& pair) {
    const auto [l, u] = pair;
    const double product = state_.labels[l] * state_.labels[u] * (kernel_.row(l)[u] + 1.0);
    const double curvature =
        kernel_.diagonal(l) + 1 + shift_[l] + kernel_.diagonal(u) + 1 + shift_[u] - 2 * product;
    const bool all = !(curvature > 0) || gap_ / curvature >= weights_[u];
    const double length = all ? weights_[u] : gap_ / curvature;
    weights_[l] += length;
    weights_[u] = all ? 0 : weights_[u] - length;
    add_row(l, state_.labels[l] * length, sums_);
    add_row(u, -state_.labels[u] * length, sums_);
    if (cycles_ == Cycles::kUse) remember({pair, length});
  }

  // If a step of this pair was taken before, moves along the sum of the steps since then, as far as
  // |W| decreases.  False if there is no such step, or if the run was interrupted.
  bool cycle_step(const Pair& pair) {
    const auto last = last_of_.find(key(pair));
    if (last == last_of_.end()) return false;
    const std::size_t length = steps_.size() - last->second;
    const std::size_t longest = monitor_.is_published() ? kPublishedCycle : kLongestCycle;
    if (length < 2 || length > longest) return false;

    std::vector<std::size_t> members;
    const auto change = [&](std::size_t t, double amount) {
      if (direction_[t] == 0) members.push_back(t);
      direction_[t] += amount;
    };
    for (std::size_t k = last->second; k < steps_.size(); ++k) {
      change(steps_[k].pair.least, steps_[k].length);
      change(steps_[k].pair.greatest, -steps_[k].length);
    }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());

    double slope = 0;
    double limit = std::numeric_limits<double>::infinity();
    std::size_t first_out = kNoIndex;
    for (const std::size_t t : members) {
      slope += direction_[t] * margin(t);
      if (direction_[t] >= 0) continue;  // a <= 1 follows from the others
      const double room = weights_[t] / -direction_[t];
      if (room < limit) {
        limit = room;
        first_out = t;
      }
    }
    bool descends = slope < 0 && limit > 0 && first_out != kNoIndex;
    if (descends) {
      std::fill(direction_sums_.begin(), direction_sums_.end(), 0.0);
      for (const std::size_t t : members) {
        if (!monitor_.poll()) break;
        if (direction_[t] != 0) add_row(t, state_.labels[t] * direction_[t], direction_sums_);
      }
      descends = !monitor_.interrupted();
    }
    if (descends) {
      double curvature = 0;
      for (const std::size_t t : members) {
        curvature +=
            direction_[t] * (state_.labels[t] * direction_sums_[t] + shift_[t] * direction_[t]);
      }
      const bool all = !(curvature > 0) || -slope / curvature >= limit;
      const double way = all ? limit : -slope / curvature;
      for (const std::size_t t : members) {
        weights_[t] = std::max(0.0, weights_[t] + way * direction_[t]);
      }
      if (all) weights_[first_out] = 0;
      for (std::size_t t = 0; t < size_; ++t) sums_[t] += way * direction_sums_[t];
      ++cycle_steps_;
      steps_.clear();
      last_of_.clear();
    }
    for (const std::size_t t : members) direction_[t] = 0;
    return descends;
  }

  // sums += change (row t + 1)
  void add_row(std::size_t t, double change, std::vector<double>& sums) {
    double* out = sums.data();
    kernel_.row(t).visit([&](const auto* row) {
      for (std::size_t s = 0; s < size_; ++s) out[s] += change * (row[s] + 1.0);
    });
    ++rows_used_;
  }

  void remember(const Step& step) {
    if (steps_.size() >= 8 * size_) {  // bounds the memory
      steps_.clear();
      last_of_.clear();
    }
    last_of_[key(step.pair)] = steps_.size();
    steps_.push_back(step);
  }

  bool go_on() { return monitor_.go_on(objective(), relative_gap(), size_); }

  // To be called if no pair is found.  True if there may be one by kernel values in doubles,
  // without which the method does not end, by margins computed anew, or by the present resolution.
  bool retry_more_precisely() {
    if (monitor_.interrupted()) return false;
    const double resolved = resolution_of_margins(),
                 lost = drift({kernel_, weights_}, rounding_history_);
    const double tolerance = epsilon_ * norm_;
    const bool is_coarse = is_too_coarse(tolerance, resolved);
    if (!kernel_.in_doubles() && (is_coarse || !monitor_.stopped())) {
      monitor_.resume();
      kernel_.use_doubles();
    } else if (is_coarse) {
      if (!monitor_.stopped()) monitor_.stop(SVM_IMPRECISE);
      return false;
    } else if (monitor_.stopped() || !is_too_coarse(tolerance, lost)) {
      resolved_ = resolved + lost;
      return !monitor_.stopped() && gap_ > attainable_violation(tolerance, resolved_);
    }
    form_sums();
    return true;
  }

  // Includes the 1 that is added to the kernel.
  double resolution_of_margins() const { return resolution(kernel_, weights_) + kUnit; }

  void form_sums() {
    rounding_history_.steps = 0;
    repetitions_ = 0;
    steps_.clear();
    last_of_.clear();
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t t = 0; t < size_ && monitor_.poll(); ++t) {
      if (weights_[t] > 0) add_row(t, state_.labels[t] * weights_[t], sums_);
    }
  }

  double relative_gap() const { return norm_ > 0 ? gap_ / norm_ : 0; }
  double objective() const { return norm_ > 0 ? -0.5 / norm_ : 0; }

  KernelMatrix& kernel_;
  DualState state_;  // its point is set at the end
  const std::size_t size_;
  std::vector<double> shift_;  // 1 / C_t
  const double epsilon_;
  const Cycles cycles_;

  std::vector<double> weights_;  // a
  std::vector<double> sums_;     // sum_s a_s y_s (K_st + 1): the margins without sign and shift
  double norm_ = 0;              // |W|^2
  double gap_ = 0;               // difference of the margins of the pair
  double resolved_ = 0;          // resolution of the margins, as last computed

  // The steps since the last step along a cycle, and the index of the last one of each pair.
  std::vector<Step> steps_;
  std::unordered_map<std::uint64_t, std::size_t> last_of_;
  std::vector<double> direction_;       // sum of the steps of a cycle; else 0
  std::vector<double> direction_sums_;  // sums_ of direction_
  long long cycle_steps_ = 0;
  long long rows_used_ = 0;
  int repetitions_ = 0;               // of the last pair
  RoundingHistory rounding_history_;  // of the sums

  Monitor& monitor_;
};

}  // namespace

Solution solve_mdm(DualProblem&& problem, double epsilon, bool /*shrinking*/, Monitor& monitor) {
  return MinimumNormSolver(std::move(problem), epsilon, monitor, Cycles::kIgnore).solve();
}

Solution solve_amdm(DualProblem&& problem, double epsilon, bool /*shrinking*/, Monitor& monitor) {
  return MinimumNormSolver(std::move(problem), epsilon, monitor, Cycles::kUse).solve();
}

}  // namespace svm
