// Chunking with projected conjugate gradients.
//
//   Burges: A tutorial on support vector machines for pattern recognition, Data Mining and
//   Knowledge Discovery 2 (1998). Platt: Fast training of support vector machines using sequential
//   minimal optimization, in: Advances in Kernel Methods, MIT Press 1998.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"
#include "base/platform/numbers.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/historical/historical.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

constexpr std::size_t kNewMembers = 500;  // of a chunk, in addition to the support vectors

class ChunkingSolver final {
 public:
  // Stops at a KKT violation below `epsilon`, or at the least one that kernel values resolve.  The
  // start point of the problem must be 0.
  ChunkingSolver(DualProblem&& problem, double epsilon, Monitor& monitor)
      : kernel_(problem.kernel),
        state_(std::move(problem)),
        size_(state_.size()),
        epsilon_(epsilon),
        tolerance_(epsilon),
        monitor_(monitor) {
    state_.f = state_.linear;
    state_.reached_upper = true;  // not tracked, so it may have
  }

  Solution solve() {
    monitor_.observe(kernel_);
    find_violation();
    while (go_on() && !(violation_ < tolerance_)) {
      Chunk chunk = choose_chunk();
      monitor_.observe(*chunk.kernel);
      solve_chunk(chunk);
      monitor_.observe(kernel_);
      restore_zero_sum(chunk);
      if (!take_over(chunk)) monitor_.stop(SVM_STALLED);
      find_violation();
      monitor_.poll();
      state_.objective = state_.compute_objective();
      monitor_.poll();
      tolerance_ = attainable_violation(epsilon_, resolution(kernel_, state_.alpha));
    }
    state_.objective = state_.compute_objective();
    rounding_history_.steps = monitor_.iterations();
    monitor_.release();
    Solution solution(std::move(state_));
    solution.set_thresholds(solution.ends());
    solution.violation = violation_;
    solution.history = rounding_history_;
    if (monitor_.interrupted()) solution.f.clear();
    return solution;
  }

 private:
  // The problem over some of the variables, with the others fixed.
  struct Chunk {
    std::vector<std::size_t> variables;
    std::vector<double> b, f, low, high;
    std::unique_ptr<KernelMatrix> kernel;  // of the variables
  };

  void find_violation() {
    violation_ = std::max(0.0, state_.ends().violation());
    rounding_history_.most_difference = std::max(rounding_history_.most_difference, violation_);
  }

  // Takes all support vectors, and the variables at 0 that violate optimality most: half of these
  // have to rise and half to fall, so that the sum can stay.
  Chunk choose_chunk() {
    const double middle = state_.ends().of[0].finite_threshold();
    std::vector<std::size_t> sides[2];
    Chunk chunk;
    for (std::size_t t = 0; t < size_; ++t) {
      const bool may_rise = state_.room_up(t) > 0;
      if (state_.alpha[t] > 0) {
        chunk.variables.push_back(t);
      } else if (may_rise ? state_.f[t] < middle : state_.f[t] > middle) {
        sides[may_rise ? 0 : 1].push_back(t);
      }
    }
    for (int side = 0; side < 2; ++side) {
      monitor_.poll();
      const std::size_t other = sides[1 - side].size();
      const std::size_t share = kNewMembers - std::min(kNewMembers / 2, other);
      const std::size_t count = std::min(sides[side].size(), share);
      const auto worse = [&](std::size_t s, std::size_t t) {
        const double a = std::fabs(state_.f[s] - middle), b = std::fabs(state_.f[t] - middle);
        return a > b || (a == b && s < t);
      };
      const auto end = sides[side].begin() + static_cast<std::ptrdiff_t>(count);
      std::partial_sort(sides[side].begin(), end, sides[side].end(), worse);
      chunk.variables.insert(chunk.variables.end(), sides[side].begin(), end);
    }
    std::sort(chunk.variables.begin(), chunk.variables.end());
    chunk.kernel = kernel_.part(chunk.variables);
    for (const std::size_t t : chunk.variables) {
      chunk.b.push_back(state_.b(t));
      chunk.f.push_back(state_.f[t]);
      chunk.low.push_back(state_.lowest_b(t));
      chunk.high.push_back(state_.highest_b(t));
    }
    return chunk;
  }

  // Solves for the free variables until these cannot improve, then releases the variables that
  // would leave their bound, one at a time, and repeats.
  void solve_chunk(Chunk& chunk) {
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < chunk.b.size(); ++k) {
      if (chunk.b[k] > chunk.low[k] && chunk.b[k] < chunk.high[k]) free.push_back(k);
    }
    minimise(chunk, free);
    std::size_t idle = 0;  // releases since the last step
    while (idle < chunk.b.size() && go_on() && release(chunk, free)) {
      const long long before = monitor_.iterations();
      minimise(chunk, free);
      idle = monitor_.iterations() > before ? 0 : idle + 1;
    }
  }

  // All variables sum to 0, and those outside of the chunk are 0.
  static void restore_zero_sum(Chunk& chunk) {
    std::vector<BoxedVariable> variables;
    for (std::size_t k = 0; k < chunk.b.size(); ++k) {
      variables.push_back({chunk.b[k], chunk.low[k], chunk.high[k]});
    }
    if (!restore_sum(variables, 0)) return;
    for (std::size_t k = 0; k < chunk.b.size(); ++k) chunk.b[k] = variables[k].value;
  }

  // Runs conjugate gradients over `free`, projected on sum = 0.  A variable that meets its bound
  // leaves `free`, and the directions are restarted.
  void minimise(Chunk& chunk, std::vector<std::size_t>& free) {
    const std::size_t size = chunk.b.size();
    std::vector<double> residual(size), direction(size), product(size);
    double squared = 0;  // norm of the residual, squared; 0 to restart the directions
    std::size_t directions = 0;
    while (go_on()) {
      double mean = 0;
      for (std::size_t count = free.size() + 1; free.size() < count;) {
        count = free.size();
        mean = 0;
        for (const std::size_t k : free) mean += chunk.f[k];
        mean /= static_cast<double>(count);
        // Removes variables at a bound that the residual would push out of the box.
        const auto out = [&](std::size_t k) {
          return (chunk.b[k] <= chunk.low[k] && chunk.f[k] >= mean) ||
                 (chunk.b[k] >= chunk.high[k] && chunk.f[k] <= mean);
        };
        free.erase(std::remove_if(free.begin(), free.end(), out), free.end());
        if (free.size() < count) squared = 0;
      }
      double lowest = kInfinity, highest = -kInfinity, now = 0;
      double left = 0;  // rounding error of the mean, which would accumulate in the sum
      for (const std::size_t k : free) {
        residual[k] = mean - chunk.f[k];
        left += residual[k];
      }
      left /= static_cast<double>(free.size());
      for (const std::size_t k : free) {
        residual[k] -= left;
        lowest = std::min(lowest, residual[k]);
        highest = std::max(highest, residual[k]);
        now += residual[k] * residual[k];
      }
      const GroupEnds bounded = ends_at_bounds(chunk);
      const double outside = std::max(mean - bounded.lowest, bounded.highest - mean);
      if (free.size() < 2 || highest - lowest < std::max(outside, tolerance_ / 2)) return;

      if (directions++ > free.size()) squared = 0;  // rounding has destroyed conjugacy
      const double turn = squared > 0 ? now / squared : 0;
      double slope = 0;
      for (const std::size_t k : free) {
        direction[k] = turn > 0 ? residual[k] + turn * direction[k] : residual[k];
        slope += residual[k] * direction[k];
      }
      if (squared == 0) directions = 0;
      squared = now;
      if (!multiply(chunk, free, direction, product)) return;
      double curvature = 0, limit = kInfinity;
      std::size_t met = 0;  // the variable that meets its bound first
      for (const std::size_t k : free) {
        const double d = direction[k];
        curvature += d * product[k];
        const double way = ((d > 0 ? chunk.high[k] : chunk.low[k]) - chunk.b[k]) / d;
        if (d == 0 || !(way < limit)) continue;
        limit = way;
        met = k;
      }
      const bool meets_bound = !(curvature > 0) || slope / curvature >= limit;
      const double length = meets_bound ? limit : slope / curvature;
      if (!std::isfinite(length)) return monitor_.stop(SVM_STALLED);
      monitor_.count_iteration();
      for (const std::size_t k : free) chunk.b[k] = moved(chunk, k, length * direction[k]);
      if (meets_bound) chunk.b[met] = direction[met] > 0 ? chunk.high[met] : chunk.low[met];
      for (std::size_t k = 0; k < size; ++k) chunk.f[k] += length * product[k];
      if (!meets_bound) continue;
      squared = 0;
      const auto at_bound = [&](std::size_t k) {
        return chunk.b[k] <= chunk.low[k] || chunk.b[k] >= chunk.high[k];
      };
      free.erase(std::remove_if(free.begin(), free.end(), at_bound), free.end());
    }
  }

  // The ends of the variables at a bound, which can leave it in one direction.
  static GroupEnds ends_at_bounds(const Chunk& chunk) {
    GroupEnds ends;
    for (std::size_t k = 0; k < chunk.b.size(); ++k) {
      if (chunk.b[k] <= chunk.low[k]) ends.add(k, kInUp, chunk.f[k]);
      if (chunk.b[k] >= chunk.high[k]) ends.add(k, kInLow, chunk.f[k]);
    }
    return ends;
  }

  // Adds the variable to `free` that would gain most by leaving its bound; with none free, the two
  // that would move in opposite directions, as one alone could not.  False if there are none.
  bool release(const Chunk& chunk, std::vector<std::size_t>& free) const {
    GroupEnds ends = ends_at_bounds(chunk);
    double middle = 0;
    for (const std::size_t k : free) middle += chunk.f[k] / static_cast<double>(free.size());
    const bool is_alone = free.empty();
    if (is_alone) middle = (ends.lowest + ends.highest) / 2;
    if (!std::isfinite(middle)) return false;  // all variables can move in one direction only
    const double rise = middle - ends.lowest, fall = ends.highest - middle;
    if (std::max(rise, fall) < tolerance_ / 4) return false;
    free.push_back(rise > fall ? ends.lowest_at : ends.highest_at);
    if (is_alone) free.push_back(rise > fall ? ends.highest_at : ends.lowest_at);
    std::sort(free.begin(), free.end());
    return std::unique(free.begin(), free.end()) == free.end();
  }

  // product = (matrix of the chunk) direction, where the direction is 0 except for the members.
  // False if the run was interrupted.
  bool multiply(const Chunk& chunk, const std::vector<std::size_t>& members,
                const std::vector<double>& direction, std::vector<double>& product) {
    std::fill(product.begin(), product.end(), 0.0);
    for (const std::size_t k : members) {
      if (!monitor_.poll()) return false;
      const double d = direction[k];
      chunk.kernel->row(k).visit([&](const auto* row) {
        for (std::size_t s = 0; s < product.size(); ++s) product[s] += d * row[s];
      });
    }
    return true;
  }

  // Updates the whole problem with the changes of the chunk.  False if there are none.
  bool take_over(const Chunk& chunk) {
    std::vector<double> changes(size_, 0.0);
    bool any = false;
    for (std::size_t k = 0; k < chunk.b.size(); ++k) {
      const std::size_t t = chunk.variables[k];
      if (chunk.b[k] == state_.b(t)) continue;
      any = true;
      changes[t] = chunk.b[k] - state_.b(t);
      state_.alpha[t] = std::fabs(chunk.b[k]);
      rounding_history_.note(chunk.b[k], kernel_.diagonal(t));
    }
    // If interrupted, the run is over.
    kernel_.add_sums(changes, index_range(0, size_), kernel_.precision(), state_.f.data());
    return any;
  }

  bool go_on() { return monitor_.go_on(state_.objective, violation_, size_); }

  static double moved(const Chunk& chunk, std::size_t k, double change) {
    return chunk.low[k] < 0 ? -moved_within_box(-chunk.b[k], -change, -chunk.low[k])
                            : moved_within_box(chunk.b[k], change, chunk.high[k]);
  }

  KernelMatrix& kernel_;
  DualState state_;  // the objective is as last computed
  const std::size_t size_;
  const double epsilon_;

  double violation_ = 0;
  RoundingHistory rounding_history_;  // of f
  double tolerance_;                  // epsilon_, or what kernel values resolve if that is more
  Monitor& monitor_;
};

}  // namespace

Solution solve_pcg(DualProblem&& problem, double epsilon, bool /*shrinking*/, Monitor& monitor) {
  return ChunkingSolver(std::move(problem), epsilon, monitor).solve();
}

}  // namespace svm
