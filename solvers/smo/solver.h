// Sequential minimal optimisation with second order working set selection and shrinking.
//
//   Fan, Chen, Lin: Working set selection using second order information for training support
//   vector machines, JMLR 6 (2005).
//
// Has the iterates of LIBSVM 3.37, bit for bit.
#ifndef SVM_SOLVERS_SMO_SOLVER_H_
#define SVM_SOLVERS_SMO_SOLVER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/platform/numbers.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/gradient_log.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/passes.h"
#include "solvers/smo/resolution.h"

namespace svm {

// Works with the signed gradient f, for which label signs drop out of every formula.  I_up has the
// variables whose b may rise, I_low those whose b may fall; the point is optimal if in each group
// max_{I_low} f <= min_{I_up} f (see DualState).
class Solver {
 public:
  // Stops at a KKT violation below `epsilon`, or if `monitor` says so, which must outlive the
  // solver.
  Solver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);
  virtual ~Solver() = default;

  // Runs to the end.  May be called once.  The monitor tells why it ended before convergence.
  Solution solve();

 protected:
  // The parts of an iteration, which variants of SMO override.
  virtual void accelerate() {}      // may move the point where that pays more than steps do
  virtual bool select(Pair& pair);  // does not move it; false if the active set is optimal
  virtual void step(const Pair& pair);
  virtual void swap_variables(std::size_t i, std::size_t j);
  virtual void active_set_shrank() {}  // called after variables left play
  virtual void active_set_grew() {}    // called after all returned, with their gradient
  // The violation to stop at, given the present point.
  virtual double tolerance() const { return epsilon_; }
  virtual double threshold(const GroupEnds& ends) const { return ends.threshold(); }
  // Called if a variable reached its upper bound (sign +1) or left it (-1).
  virtual void upper_bound_changed(std::size_t t, int sign);
  // Compute f of all variables, or of those out of play.  False if the run was interrupted.
  virtual bool compute_gradient();
  virtual bool compute_gradient_out_of_play();

  // The ends of the active variables in each group.
  const Extremes* find_extremes();
  // Finds the violation over the active variables.  False if it is below the tolerance.
  bool find_violation();

  // Sets i to the variable of I_up with the least f in its group, and j to the variable of I_low in
  // the same group with the greatest violation^2 / curvature, the gain of a step without the box.
  // The curvature is that along e_i - e_j or, if q = Qd and delta = d'Qd of a direction d are
  // given, that along e_i - e_j made conjugate to d.  Ties go to the last index.  False if the
  // active set is optimal.
  bool select_second_order(Pair& pair, const double* q = nullptr, double delta = 1);

  // Sets the pair to the most violating one of the worse group.  False if the active set is
  // optimal.
  bool select_first_order(Pair& pair);

  // Update f of the active variables after a move.
  void add_pair(KernelRow row_i, KernelRow row_j, double change_i, double change_j);
  void add_conjugate(KernelRow row_i, KernelRow row_j, double gamma, double lambda, double* q,
                     bool store);
  void add_image(const std::vector<double>& image, double length);
  // image[t] = the sum over the terms of change * K(variable, t), for the active t.  False if the
  // run was interrupted.
  bool find_image(const std::vector<Term>& terms, std::vector<double>& image);

  // The violation over the active variables as last found.
  double last_violation() const { return violation_; }

  bool is_free(std::size_t t) const { return index_sets_[t] == (kInUp | kInLow); }

  // Sets alpha_t and its index sets, not the gradient.
  void set_alpha(std::size_t t, double alpha);
  // The same for a variable that is free and stays free, and so stays in its index sets.
  void set_free_alpha(std::size_t t, double alpha) {
    rounding_history_.note(alpha, diagonal_[t]);
    state_.alpha[t] = alpha;
  }

  KernelMatrix& kernel_;
  DualState state_;                    // f is valid for the active variables
  const std::size_t size_;             // of the problem
  std::size_t active_;                 // variables [0, active_) are in play, the rest are shrunk
  std::vector<double> diagonal_;       // K_tt
  std::vector<std::size_t> original_;  // place of each variable in the problem
  Monitor& monitor_;
  const double epsilon_;
  const bool shrinking_;

 private:
  const std::uint8_t* group_index_sets(int g) const {
    return state_.two_groups ? group_index_sets_[g].data() : index_sets_.data();
  }
  int groups() const { return state_.two_groups ? 2 : 1; }
  bool start();
  void iterate();
  // The violation of the worse group, as LIBSVM compares them: the second's if the first's is NaN.
  double worst(const Extremes (&extremes)[kGroups]) const {
    const double first = violation(extremes[0]), second = violation(extremes[1]);
    return !state_.two_groups || first > second ? first : second;
  }
  bool adapt_tolerance();
  void update_index_sets(std::size_t t);
  void find_extremes_from(int first);
  bool may_iterate(const Pair& pair);
  void shrink();
  bool is_shrinkable(std::size_t t, const Extremes (&extremes)[kGroups]) const {
    return is_settled(index_sets_[t], state_.f[t], extremes[state_.group(t)]);
  }
  bool unshrink();
  Solution result();

  std::vector<std::uint8_t> index_sets_;  // kInUp, kInLow
  // With two groups: the index sets of one group's variables, and 0 for all others.
  std::vector<std::uint8_t> group_index_sets_[kGroups];
  bool one_diagonal_ = true;  // all diagonal values are equal, as with an RBF kernel
  const Passes passes_;
  GradientLog log_;
  Extremes extremes_[kGroups];  // of the active variables, if extremes_are_known_
  bool extremes_are_known_ = false;
  double tolerance_;                  // as last adapted
  const long long first_iteration_;   // of this solver, as the monitor counts
  bool unshrunk_ = false;             // near the optimum; this happens once
  double violation_ = 0;              // as last found
  RoundingHistory rounding_history_;  // of f
  Pair last_pair_ = {kNoIndex, kNoIndex};
  int repetitions_ = 0;     // of last_pair_
  double stall_alpha_ = 0;  // alpha of its first variable when counting began
  double last_alpha_ = 0;   // alpha of its first variable one iteration ago
};

// The base of variants that need not follow LIBSVM's iterates.  Reconstructs the gradient by fused
// sums, ends at a violation that kernel values resolve, and has a finite threshold.  By itself it
// is first-order SMO, whose pairs are the most violating ones:
//
//   Keerthi, Shevade, Bhattacharyya, Murthy: Improvements to Platt's SMO algorithm for SVM
//   classifier design, Neural Computation 13 (2001), modification 2.
class FusedSolver : public Solver {
 public:
  FusedSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

 protected:
  bool select(Pair& pair) override { return select_first_order(pair); }
  void active_set_shrank() override;
  void active_set_grew() override;
  double tolerance() const override;
  double threshold(const GroupEnds& ends) const override { return ends.finite_threshold(); }
  void upper_bound_changed(std::size_t /*t*/, int /*sign*/) override {}
  bool compute_gradient() override;
  bool compute_gradient_out_of_play() override;

 private:
  bool add_changes(std::size_t first);

  // By place in the problem: b and f when all variables were last in play; empty while they are.  f
  // of a variable out of play follows from these and the change of b since then.
  std::vector<double> known_b_, known_f_;
  std::vector<double> exact_alpha_;  // by place: the start point if its f is exact, else empty
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_SOLVER_H_
