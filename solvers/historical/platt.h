// Sequential minimal optimisation as first published.
//
//   Platt: Fast training of support vector machines using sequential minimal optimization, in:
//   Advances in Kernel Methods, MIT Press 1998.
//
// See docs/platt.md.
#ifndef SVM_SOLVERS_HISTORICAL_PLATT_H_
#define SVM_SOLVERS_HISTORICAL_PLATT_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/resolution.h"

namespace svm {

class DecisionValues;

// Notation of the paper: the decision function is f(x) = sum a_t y_t K(x_t, x) - b, and the error
// at example t is E_t = f(x_t) - y_t.  An example is free ("non-bound") if 0 < a_t < C_t.
class PlattSolver final {
 public:
  // Stops if no example, given the threshold, and no pair of examples, as in smo, violates
  // optimality by more than `epsilon`, or than kernel values resolve.  If the run's options fix the
  // threshold at 0, there is no equality constraint.  The start point of the problem must be 0.
  PlattSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);
  ~PlattSolver();

  Solution solve();

 private:
  // An example whose partner is sought.
  struct Point {
    std::size_t at;
    double alpha, error;
  };

  bool examine(std::size_t t);
  bool seek_partner(const Point& second);
  bool try_all(const Point& second, const std::vector<std::size_t>* candidates, std::size_t count);
  bool step(std::size_t first, const Point& second);
  bool step_alone(const Point& point);
  std::size_t sweep(bool all);
  std::size_t largest_difference(const Point& second) const;

  // Sets a_t and updates the list of free examples.
  void set_alpha(std::size_t t, double alpha);
  // A change of y_t a_t, and the decision value after it.
  struct Moved {
    std::size_t at;
    double change, value;
  };
  // Updates the decision values of the free examples.
  void update(const Moved& first, const Moved& second);

  std::vector<std::size_t>::iterator free_from(std::size_t place);
  double error(std::size_t t);
  bool is_free(std::size_t t) const { return state_.is_free(t); }
  bool switch_to_doubles();
  bool is_negligible(double alpha, double before) const;
  double rounding() const;
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

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_PLATT_H_
