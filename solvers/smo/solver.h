// Sequential minimal optimisation with second order working set selection and shrinking.
//
//   Fan, Chen, Lin: Working set selection using second order information for training support
//   vector machines, JMLR 6 (2005).
//
// The iterates are those of LIBSVM 3.37, bit for bit.
#ifndef SVM_SOLVERS_SMO_SOLVER_H_
#define SVM_SOLVERS_SMO_SOLVER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/numbers.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/gradient_log.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/passes.h"
#include "solvers/smo/resolution.h"

namespace svm {

// One run on one dual problem.
//
// The solver works with the signed gradient f, for which label signs drop out of every formula.
// Variables that may move their b up form I_up, those that may move it down I_low; the point is
// optimal if max_{I_low} f <= min_{I_up} f.  With one constraint per label this is asked of each
// label by itself: a "group" of variables is all of them, or those of one label.
class Solver : public DualSolver {
 public:
  // Stops at a KKT violation below `epsilon`, or when `monitor` says so, which must outlive the
  // solver.
  Solver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor);

  Solution solve() override;

 protected:
  // The seams: what a variant of SMO does differently.
  virtual void before_selection() {}            // may move the point
  virtual bool select_working_set(Pair& pair);  // false if the active set is optimal
  virtual void step(const Pair& pair);
  virtual void swap_variables(std::size_t i, std::size_t j);
  virtual void active_set_shrank() {}  // after variables were moved out of play
  virtual void active_set_grew() {}    // all variables are in play again, with their gradient
  // The violation to stop at, at this point.
  virtual double tolerance() const { return epsilon_; }
  virtual double threshold(const GroupEnds& ends) const { return ends.threshold(); }
  // A variable came to its upper bound (sign +1) or left it (-1).
  virtual void upper_bound_changed(std::size_t t, int sign);
  // These two find f of all variables, or of those out of play.  False if the run was interrupted.
  virtual bool compute_gradient();
  virtual bool compute_gradient_out_of_play();

  // Finds the ends of the active variables in every group, unless they are known.
  const Extremes* find_extremes();
  // False if they violate optimality by less than the tolerance.
  bool find_violation();

  // i is the lowest of I_up in its group; j is the member of I_low of the same group that
  // maximises violation^2 / curvature: the gain of a step, the box aside.  The curvature is that
  // along e_i - e_j or, if q = Qd and delta = d'Qd of a direction are given, along the direction
  // that it is turned to, conjugate to d.
  // Ties go to the last index.  False if the active set is optimal.
  bool select_second_order(Pair& pair, const double* q = nullptr, double delta = 1);

  // Bring the gradient of the active variables up to date, after their moves.
  void add_pair(KernelRow row_i, KernelRow row_j, double change_i, double change_j);
  void add_conjugate(KernelRow row_i, KernelRow row_j, double gamma, double lambda, double* q,
                     bool store);
  void add_image(const std::vector<double>& image, double length);
  // image[t] = the sum over the terms of change K, for the active t.  False: interrupted.
  bool find_image(const std::vector<Term>& terms, std::vector<double>& image);

  bool is_free(std::size_t t) const { return index_sets_[t] == (kInUp | kInLow); }

  // Sets a variable and its index sets, not the gradient.
  void set_alpha(std::size_t t, double alpha);

  KernelMatrix& kernel_;
  DualState state_;                    // its f is that of the active variables
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
  bool find_pair(Pair& pair);
  bool adapt_tolerance();
  void update_index_sets(std::size_t t);
  void find_other_extremes();
  bool may_iterate(const Pair& pair);
  void shrink();
  bool is_shrinkable(std::size_t t, const Extremes (&extremes)[kGroups]) const {
    return is_settled(index_sets_[t], state_.f[t], extremes[state_.group(t)]);
  }
  bool unshrink();
  Solution result();

  std::vector<std::uint8_t> index_sets_;                 // kInUp, kInLow
  std::vector<std::uint8_t> group_index_sets_[kGroups];  // with two groups: of one, else 0
  bool one_diagonal_ = true;                             // all are the same, as with an RBF kernel
  const Passes passes_;
  GradientLog log_;
  Extremes extremes_[kGroups];  // of the active variables
  bool extremes_are_known_ = false;
  double tolerance_;                  // as last asked for
  bool unshrunk_ = false;             // the full set was taken up again near the optimum, once
  double violation_ = 0;              // as last found
  RoundingHistory rounding_history_;  // of the gradient
  Pair last_pair_ = {kNoIndex, kNoIndex};
  int repetitions_ = 0;     // of last_pair_
  double stall_alpha_ = 0;  // of its first variable, when they began to be counted
  double last_alpha_ = 0;   // of its first variable, one iteration ago
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_SOLVER_H_
