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

#include "solvers/math/box.h"
#include "solvers/run/dual_problem.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/gradient_log.h"
#include "solvers/smo/pair_step.h"
#include "solvers/smo/passes.h"
#include "solvers/smo/resolution.h"

namespace svm {

// One run on one dual problem.
//
// The solver works with the signed gradient f_t = y_t G_t, G = Qa + p, for which label signs drop
// out of every formula: f = K (y a) + y p.  Variables that may move their y_t a_t up form I_up,
// those that may move it down I_low; the point is optimal where max_{I_low} f <= min_{I_up} f.
// With one constraint per label this is asked of each label by itself: a "group" of variables is
// all of them, or those of one label.
class Solver : public DualSolver {
 public:
  // Stops at a KKT violation below `epsilon`, or when `monitor` says so, which must outlive the
  // solver.
  Solver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor);

  Solution solve() override;

 protected:
  // KKT violation of a group: the largest decrease of f between a member of I_low and one of I_up.
  static double violation(const Extremes& extremes) { return extremes.highest - extremes.lowest; }
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // The seams: what a variant of SMO does differently.
  virtual void before_selection() {}            // may move the point
  virtual bool select_working_set(Pair& pair);  // false where the active set is optimal
  virtual void step(const Pair& pair);
  virtual void swap_variables(std::size_t i, std::size_t j);
  virtual void active_set_shrank() {}  // after variables were moved out of play
  virtual void active_set_grew() {}    // all variables are in play again, with their gradient
  // A variant that is free of LIBSVM's iterates and messages ends where kernel values do not
  // resolve a smaller violation, and says a thing once.
  virtual bool follows_libsvm() const { return true; }

  // Finds the ends of the active variables in every group, unless they are known.
  const Extremes* find_extremes();
  // False where they violate optimality by less than the tolerance.
  bool find_violation();
  bool adapt_tolerance();

  // i is the lowest of I_up in its group; j is the member of I_low of the same group that
  // maximises violation^2 / curvature: the gain of a step, the box aside.  The curvature is that
  // along e_i - e_j or, where q = Qd and delta = d'Qd of a direction are given, along the direction
  // that it is turned to, conjugate to d.
  // Ties go to the last index.  False where the active set is optimal.
  bool select_second_order(Pair& pair, const double* q = nullptr, double delta = 1);

  // Bring the gradient of the active variables up to date, after their moves.
  void add_pair(KernelRow row_i, KernelRow row_j, double change_i, double change_j);
  void add_conjugate(KernelRow row_i, KernelRow row_j, double gamma, double lambda, double* q,
                     bool store);
  void add_image(const std::vector<double>& image, double length);
  // image[t] = the sum over the terms of change K, for the active t.  False: interrupted.
  bool find_image(const std::vector<Term>& terms, std::vector<double>& image);

  int group(std::size_t t) const { return two_groups_ && labels_[t] < 0 ? 1 : 0; }
  double upper(std::size_t t) const { return box().upper(t); }
  bool in_up(std::size_t t) const { return (index_sets_[t] & kInUp) != 0; }
  bool is_free(std::size_t t) const { return index_sets_[t] == (kInUp | kInLow); }
  bool at_upper(std::size_t t) const { return index_sets_[t] == (labels_[t] > 0 ? kInLow : kInUp); }
  // f_t with the sign that a zero of G_t gives it: +0 times the label.
  double signed_gradient(std::size_t t) const;

  // Sets a variable, its index sets and the log of bounds, not the gradient.
  void set_alpha(std::size_t t, double alpha);

  Box box() const { return {alpha_.data(), labels_.data(), upper_}; }

  KernelMatrix& kernel_;
  const std::size_t size_;
  std::size_t active_;  // variables [0, active_) are in play, the rest are shrunk
  std::vector<signed char> labels_;
  std::vector<double> linear_;  // y_t p_t
  std::vector<double> alpha_;
  std::vector<double> gradient_;          // f; of the active variables only
  std::vector<double> diagonal_;          // K_tt
  bool one_diagonal_ = true;              // all are the same, as with an RBF kernel
  std::vector<std::uint8_t> index_sets_;  // kInUp, kInLow
  std::vector<std::size_t> original_;     // place of each variable in the problem
  UpperBounds upper_;
  const bool two_groups_;

  Monitor& monitor_;
  const double epsilon_;
  double objective_ = 0;  // kept up to date by step()

 private:
  const std::uint8_t* group_index_sets(int g) const {
    return two_groups_ ? group_index_sets_[g].data() : index_sets_.data();
  }
  int groups() const { return two_groups_ ? 2 : 1; }
  const Passes* passes_in_order() const { return follows_libsvm() ? &passes_ : nullptr; }
  bool compute_gradient();
  void iterate();
  bool find_pair(Pair& pair);
  void update_index_sets(std::size_t t);
  void log_bound(std::size_t t, int sign);
  bool may_go_on(const Pair& pair);
  void shrink();
  bool is_shrinkable(std::size_t t, const Extremes (&extremes)[kGroups]) const;
  bool reconstruct_gradient();
  double group_threshold(int group) const;
  Solution result();

  std::vector<double> start_sums_;   // the problem's kernel_sums
  std::vector<double> exact_start_;  // alpha, by place, where the gradient is exact; or empty
  const Passes passes_;
  GradientLog log_;
  std::vector<std::uint8_t> group_index_sets_[kGroups];  // with two groups: of one, else 0
  Extremes extremes_[kGroups];                           // of the active variables
  bool extremes_are_known_ = false;
  const bool shrinking_;
  double tolerance_;                  // epsilon_, or what the rows resolve
  bool met_upper_ = false;            // some variable, at some time
  bool unshrunk_ = false;             // the full set was taken up again near the optimum, once
  double violation_ = 0;              // as last found
  RoundingHistory rounding_history_;  // of the gradient
  Pair last_pair_ = {kNone, kNone};
  int repetitions_ = 0;     // of last_pair_
  double stall_alpha_ = 0;  // of its first variable, when they began to be counted
  double last_alpha_ = 0;   // of its first variable, one iteration ago
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_SOLVER_H_
