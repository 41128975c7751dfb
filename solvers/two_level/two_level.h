// Conjugate SMO on two levels, for large problems.
//
// The inner level is conjugate SMO on a working set of some thousand variables, whose kernel rows
// are short and stay in near caches.  The outer level draws the set at random from the violators,
// and updates the gradient of all active variables once for each set, by fused sums, which store no
// full kernel rows.  When few variables still violate optimality, the last stage takes these, the
// free variables and those near to violating.  See docs/csmo.md, "Two levels".
//
// Sets are random because the worst violators are near-duplicates: random sets carry more
// information.
#ifndef SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_
#define SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_

#include <cstddef>
#include <limits>
#include <vector>

#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/resolution.h"
#include "solvers/two_level/outer_gradient.h"
#include "solvers/two_level/working_sets.h"

namespace svm {

// Decides after every outer step whether working sets still pay.
class OuterProgress {
 public:
  // The violation has to fall noticeably within `patience` outer steps.
  explicit OuterProgress(int patience) : patience_(patience) {}

  // To be called before each outer step, with the violation and the number of iterations so far
  // (inner and outer steps).  False if the last outer step took no inner step, if the last few took
  // hardly any, or if the violation has not fallen for too long.
  bool still_pays(double violation, long long iterations);

 private:
  const int patience_;
  double least_violation_ = std::numeric_limits<double>::infinity();
  int idle_steps_ = 0;    // since the violation fell noticeably
  int window_steps_ = 0;  // outer steps since `window_start_`
  long long last_iterations_ = -1, window_start_ = 0;
};

class TwoLevelSolver final {
 public:
  // Stops at a KKT violation below `epsilon`, or if `monitor` says so, which must outlive the
  // solver.  Working sets have `set_size` variables.
  TwoLevelSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor,
                 std::size_t set_size);

  // The size of working sets that suits a problem; 0 if one level is faster.
  static std::size_t set_size(const DualProblem& problem);

  Solution solve();

 private:
  bool start();
  void iterate();
  bool find_violation();
  bool unshrink();
  bool one_level_is_cheaper() const;
  void go_back_to_zero();
  void shrink();
  bool solve_working_set(const WorkingSet& set);
  bool add_to_f(const std::vector<Term>& change);
  bool is_all_active() const { return active_.size() == state_.size(); }
  Solution result();

  KernelMatrix& kernel_;
  DualState state_;  // with f of the active variables
  const double epsilon_;
  const bool shrinking_;
  Monitor& monitor_;

  VariableList active_;
  OuterGradient gradient_;
  Bands bands_;           // of the active variables
  double violation_ = 0;  // of the bands; 0 while it is not known
  WorkingSets working_sets_;
  TermSizes term_sizes_;   // of f
  double attainable_ = 0;  // attainable_violation() for epsilon_
  int shrinkings_ = 0;
  OuterProgress progress_;
  bool starts_at_zero_ = false;
  bool needs_one_level_ = false;      // working sets do not reach the tolerance
  RoundingHistory rounding_history_;  // of f
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_
