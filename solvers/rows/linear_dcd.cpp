// Dual coordinate descent for linear machines.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/platform/numbers.h"
#include "kernels/examples.h"
#include "solvers/math/draws.h"
#include "solvers/rows/row_solvers.h"

namespace svm {
namespace {

struct Coordinate {
  std::size_t row;
  double label;  // +1 or -1
  double linear;
  double upper;
  double alpha = 0;
};

// The slope and the bounds at a variable when a sweep visits it.
struct CoordinateState {
  double g;  // minus the derivative of the objective
  bool at_lower, at_upper;
};

// The smallest g of the variables that may fall and the largest of those that may rise, or 0.
struct CoordinateEnds {
  double lowest = 0;
  double highest = 0;
  double violation() const { return highest - lowest; }
};

// Sweeps over all variables in random order.  With shrinking, a variable at a bound is left out if
// g pushes it there harder than any variable that could move that way in the last sweep.
class UniformOrder {
 public:
  UniformOrder(std::size_t size, bool shrinking, Draws& draws)
      : draws_(draws), size_(size), shrinking_(shrinking) {
    take_all();
  }

  std::vector<std::uint32_t> next_sweep() {
    std::vector<std::uint32_t> sweep;
    sweep.swap(kept_);
    draws_.shuffle(sweep);
    kept_.reserve(sweep.size());
    return sweep;
  }

  bool leaves_out(std::uint32_t variable, const CoordinateState& seen) {
    const bool out = shrinking_ && ((seen.at_lower && seen.g < lowest_before_) ||
                                    (seen.at_upper && seen.g > highest_before_));
    if (!out) kept_.push_back(variable);
    return out;
  }

  void gained(std::uint32_t, double) {}

  // To be called after a sweep.  True if the sweep shows that the point is optimal.
  bool proves_optimality(const CoordinateEnds& extremes, bool within_tolerance) {
    if (within_tolerance) {
      if (kept_.size() == size_) return true;
      take_all();
    } else {
      lowest_before_ = -kInfinity;
      highest_before_ = kInfinity;
      if (extremes.lowest < 0) lowest_before_ = extremes.lowest;
      if (extremes.highest > 0) highest_before_ = extremes.highest;
    }
    return false;
  }

  static double published_violation(const CoordinateEnds& ends) { return ends.violation(); }

 private:
  void take_all() {
    kept_ = index_range<std::uint32_t>(0, size_);
    lowest_before_ = -kInfinity;
    highest_before_ = kInfinity;
  }

  Draws& draws_;
  const std::size_t size_;
  const bool shrinking_;
  std::vector<std::uint32_t> kept_;  // for the next sweep
  double lowest_before_ = -kInfinity, highest_before_ = kInfinity;
};

// Sweeps in which a variable comes about as often as its preference says.  The preference grows if
// a step gains more than the moving average, and falls if it gains less.
class AdaptiveOrder {
 public:
  AdaptiveOrder(std::size_t size, bool, Draws& draws) : draws_(draws), preferences_(size, 1.0) {}

  std::vector<std::uint32_t> next_sweep() {
    const std::size_t size = preferences_.size();
    std::vector<std::uint32_t> sweep;
    sweep.reserve(size);
    double left = 0;  // sum of the preferences not yet handled
    for (const double preference : preferences_) left += preference;
    for (std::size_t v = 0; v < size; ++v) {
      const std::size_t places = size - sweep.size();
      const double wanted = preferences_[v] * static_cast<double>(places) / left;
      std::size_t count = static_cast<std::size_t>(std::max(wanted, 0.0));
      const double rest = wanted - static_cast<double>(count);
      if (rest > 0 && draws_.fraction() < rest) ++count;
      sweep.insert(sweep.end(), std::min(count, places), static_cast<std::uint32_t>(v));
      left -= preferences_[v];
    }
    draws_.shuffle(sweep);
    return sweep;
  }

  static bool leaves_out(std::uint32_t, const CoordinateState&) { return false; }

  void gained(std::uint32_t variable, double gain) {
    const double part = 1 / static_cast<double>(preferences_.size());
    if (first_sweep_) {
      average_ += gain * part;
      return;
    }
    double& preference = preferences_[variable];
    if (!(gain > 0)) {
      preference = std::max(preference * kFall, kLeast);
    } else if (average_ > 0) {
      const double change = kRate * (gain / average_ - 1);
      preference = change > kLargestChange
                       ? kMost
                       : std::min(std::max(preference * std::exp(change), kLeast), kMost);
    }
    average_ += (gain - average_) * part;
  }

  bool proves_optimality(const CoordinateEnds&, bool within_tolerance) {
    first_sweep_ = false;
    const bool proof = within_tolerance && uniform_;
    uniform_ = within_tolerance;
    if (uniform_) std::fill(preferences_.begin(), preferences_.end(), 1.0);
    return proof;
  }

  // That of the worst variable (Algorithm 3).
  static double published_violation(const CoordinateEnds& ends) {
    return std::max(ends.highest, -ends.lowest);
  }

 private:
  static constexpr double kLeast = 1.0 / 20, kMost = 20;
  static constexpr double kRate = 1.0 / 5;
  static constexpr double kLargestChange = 6;         // exp(6) > kMost / kLeast
  static constexpr double kFall = 0.818730753077982;  // exp(-kRate)

  Draws& draws_;
  std::vector<double> preferences_;
  double average_ = 0;  // moving average of the gain of a step
  bool first_sweep_ = true;
  bool uniform_ = true;  // the present sweep visits every variable once
};

class Descent {
 public:
  Descent(const ExampleProblem& problem, Run& run)
      : problem_(problem),
        run_(run),
        bias_(run.options.bias),
        examples_(problem.rows, problem.size, {[&run] { return run.poll(); }, *run.services.pool}),
        weights_(examples_.dimension(), 0.0),
        draws_(static_cast<std::uint64_t>(run.options.seed)),
        monitor_(run, problem.size * (problem.regression ? 2 : 1), pace()) {
    for (int side = +1; side >= (problem.regression ? -1 : +1); side -= 2) {
      for (std::size_t t = 0; t < problem.size; ++t) {
        const double target = problem.targets[t];
        const double label = problem.regression ? side : target > 0 ? +1 : -1;
        const double linear = problem.regression ? problem.tube - side * target : -1;
        variables_.push_back({t, label, linear, problem.cost.of(t, label > 0 ? +1 : -1)});
      }
    }
    norms_.reserve(problem.size);
    for (std::size_t t = 0; t < problem.size; ++t) {
      norms_.push_back(examples_.squared_norm(t) + bias_ * bias_);
    }
  }

  template <typename Order>
  ExampleSolution solve() {
    Order order(variables_.size(), problem_.shrinking, draws_);
    for (const Coordinate& variable : variables_) {
      violation_ = std::max(violation_, -variable.linear);
    }
    int proofs = 0;
    for (int sweep = 1; !variables_.empty() && !monitor_.stopped(); ++sweep) {
      CoordinateEnds extremes;
      const double before = objective_;
      if (!run_sweep(order, extremes)) break;
      violation_ =
          monitor_.is_published() ? order.published_violation(extremes) : extremes.violation();
      const bool within_tolerance = violation_ < problem_.epsilon;
      const bool moved = !is_rounding(before - objective_);
      if (order.proves_optimality(extremes, within_tolerance)) {
        if (monitor_.is_published()) break;
        sum_up_weights();
        if (check() < problem_.epsilon) break;
        // The steps of the sweep may have moved w away from what their variables saw.
        if (!moved && ++proofs == kMostProofs) monitor_.stop(SVM_IMPRECISE);
      } else if (!within_tolerance && !moved) {
        if (++idle_sweeps_ == kMostIdleSweeps) monitor_.stop(SVM_STALLED);
      } else {
        idle_sweeps_ = 0;
      }
      if (sweep % kSweepsPerDot == 0) run_.services.messages.print(".");
    }
    return result();
  }

 private:
  static constexpr int kSweepsPerDot = 10;
  static constexpr int kMostProofs = 5;
  static constexpr int kMostIdleSweeps = 10;
  static constexpr long long kMostVisits = 10000;  // per variable

  Monitor::Pace pace() const {
    constexpr double kSecondsPerValue = 2e-9;
    const auto variables = static_cast<long long>(problem_.size) * (problem_.regression ? 2 : 1);
    return {std::max(iteration_cap(problem_.size), kMostVisits * variables), 256,
            kSecondsPerValue * examples_.nonzeros_per_row()};
  }

  // True if a decrease of the objective is no more than rounding noise.
  bool is_rounding(double decrease) const {
    double size = bias_weight_ * bias_weight_;
    for (const double weight : weights_) size += weight * weight;
    for (const Coordinate& v : variables_) size += std::fabs(v.linear) * v.alpha;
    return !(decrease > std::numeric_limits<double>::epsilon() * size);
  }

  // Computes w anew, without the rounding errors of all steps.
  void sum_up_weights() {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    bias_weight_ = 0;
    for (const Coordinate& v : variables_) {
      if (v.alpha > 0) add_to_weights(v.row, v.label * v.alpha);
      poll_at(v);
    }
  }

  // Polls now and then in a pass over the variables, which is completed whatever the answer.
  void poll_at(const Coordinate& v) {
    constexpr std::size_t kVariablesPerPoll = 1024;
    if (static_cast<std::size_t>(&v - variables_.data()) % kVariablesPerPoll == 0) monitor_.poll();
  }

  void add_to_weights(std::size_t row, double factor) {
    const std::uint32_t* const features = examples_.features();
    const double* const values = examples_.values();
    for (std::size_t k = examples_.begin(row), end = examples_.end(row); k < end; ++k) {
      weights_[features[k]] += factor * values[k];
    }
    bias_weight_ += factor * bias_;
  }

  // Computes the violation over all variables.
  double check() {
    CoordinateEnds extremes;
    for (const Coordinate& v : variables_) {
      const double g = -v.linear - v.label * decision(v.row);
      if (v.alpha > 0) extremes.lowest = std::min(extremes.lowest, g);
      if (v.alpha < v.upper) extremes.highest = std::max(extremes.highest, g);
      poll_at(v);
    }
    return violation_ = extremes.violation();
  }

  // False if the solver has to end.
  template <typename Order>
  bool run_sweep(Order& order, CoordinateEnds& extremes) {
    const std::vector<std::uint32_t> sweep = order.next_sweep();
    for (const std::uint32_t number : sweep) {
      if (!monitor_.go_on(objective_, violation_, sweep.size())) return false;
      monitor_.count_iteration();
      Coordinate& v = variables_[number];
      const double g = -v.linear - v.label * decision(v.row);
      const CoordinateState seen = {g, v.alpha <= 0, v.alpha >= v.upper};
      if (order.leaves_out(number, seen)) continue;
      if (!seen.at_lower) extremes.lowest = std::min(extremes.lowest, g);
      if (!seen.at_upper) extremes.highest = std::max(extremes.highest, g);
      double gain = 0;
      if (!(seen.at_lower && g <= 0) && !(seen.at_upper && g >= 0)) gain = step(v, g);
      objective_ -= gain;
      order.gained(number, gain);
    }
    return true;
  }

  // Moves a variable to its optimum, which is a bound if its row is 0.  Returns the gain.
  double step(Coordinate& v, double g) {
    const double norm = norms_[v.row];
    const double wanted = norm > 0 ? v.alpha + g / norm : g > 0 ? v.upper : g < 0 ? 0 : v.alpha;
    const double alpha = std::min(std::max(wanted, 0.0), v.upper);
    const double change = alpha - v.alpha;
    if (change == 0) return 0;
    v.alpha = alpha;
    add_to_weights(v.row, change * v.label);
    return change * (g - 0.5 * change * norm);
  }

  // w'x, in four independent sums, which processors compute in parallel.
  double decision(std::size_t row) const {
    const std::uint32_t* const features = examples_.features();
    const double* const values = examples_.values();
    const double* const weights = weights_.data();
    std::size_t k = examples_.begin(row);
    const std::size_t end = examples_.end(row);
    double a = bias_weight_ * bias_, b = 0, c = 0, d = 0;
    for (; end - k >= 4; k += 4) {
      a += weights[features[k]] * values[k];
      b += weights[features[k + 1]] * values[k + 1];
      c += weights[features[k + 2]] * values[k + 2];
      d += weights[features[k + 3]] * values[k + 3];
    }
    for (; k < end; ++k) a += weights[features[k]] * values[k];
    return (a + b) + (c + d);
  }

  ExampleSolution result() {
    ExampleSolution solution;
    solution.rho = bias_ > 0 ? -bias_ * bias_weight_ : 0;
    objective_ = bias_weight_ * bias_weight_;
    for (const double weight : weights_) objective_ += weight * weight;
    objective_ /= 2;
    std::vector<double> coefficients(problem_.size, 0.0);
    for (const Coordinate& v : variables_) {
      objective_ += v.linear * v.alpha;
      coefficients[v.row] += v.label * v.alpha;
    }
    for (std::size_t t = 0; t < problem_.size; ++t) {
      const double size = std::fabs(coefficients[t]);
      if (size > 0) ++solution.support_vectors;
      if (size >= variables_[t].upper) ++solution.bounded;
    }
    solution.objective = objective_;
    solution.row = weight_row();
    monitor_.finish(objective_, violation_);
    return solution;
  }

  // w as a row, with the feature indices of the training rows.
  std::vector<svm_node> weight_row() const {
    std::vector<int> index(weights_.size(), 0);
    for (std::size_t t = 0; t < problem_.size; ++t) {
      std::size_t k = examples_.begin(t);
      problem_.rows[t].for_each(
          [&](int number, double) { index[examples_.features()[k++]] = number; });
    }
    std::vector<svm_node> row;
    for (std::size_t f = 0; f < weights_.size(); ++f) {
      if (weights_[f] != 0) row.push_back({index[f], weights_[f]});
    }
    row.push_back({-1, 0});
    return row;
  }

  const ExampleProblem& problem_;
  Run& run_;
  const double bias_;  // value of the constant feature; 0 for none
  const Examples examples_;
  std::vector<Coordinate> variables_;
  std::vector<double> norms_;  // squared norms of the rows
  std::vector<double> weights_;
  double bias_weight_ = 0;
  double objective_ = 0;
  double violation_ = 0;
  int idle_sweeps_ = 0;  // sweeps in a row without progress
  Draws draws_;
  Monitor monitor_;
};

}  // namespace

ExampleSolution solve_dcd(const ExampleProblem& problem, Run& run) {
  return Descent(problem, run).solve<UniformOrder>();
}

ExampleSolution solve_avsf(const ExampleProblem& problem, Run& run) {
  return Descent(problem, run).solve<AdaptiveOrder>();
}

}  // namespace svm
