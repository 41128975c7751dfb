// Conjugate SMO on two levels, for large problems.
//
// The inner level is conjugate SMO on a working set of some thousand variables, whose kernel rows
// are short and stay in near memory.  The outer level draws the set at random from the violators,
// and brings the gradient of all active variables up to date once for each set, by sums whose
// kernel values are never stored.  When few variables still violate optimality, a last stage takes
// all that matter.  docs/csmo.md, "Two levels".
//
// Random sets, not the most violating variables: those are neighbours, which say the same thing.
#ifndef SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_
#define SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/math/box.h"
#include "solvers/run/dual_problem.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/csmo.h"
#include "solvers/two_level/outer_sums.h"
#include "solvers/two_level/working_sets.h"

namespace svm {

// Judges after every outer step whether working sets still pay.
class OuterProgress {
 public:
  // `patience` is the number of outer steps within which the violation has to fall noticeably.
  explicit OuterProgress(int patience) : patience_(patience) {}

  // To be asked before each outer step, with the violation and the number of iterations (inner and
  // outer steps) so far.  False if the last outer step took no inner step, if the last few took
  // hardly any, or if the violation has not fallen for too long.
  bool goes_on(double violation, long long iterations);

 private:
  const int patience_;
  double least_violation_ = std::numeric_limits<double>::infinity();
  int idle_steps_ = 0;    // since the violation fell noticeably
  int window_steps_ = 0;  // outer steps since `window_start_`
  long long last_iterations_ = -1, window_start_ = 0;
};

class TwoLevelSolver final : public DualSolver {
 public:
  // Stops at a KKT violation below `epsilon`, or when `monitor` says so, which must outlive the
  // solver.  Working sets have `set_size` variables.
  TwoLevelSolver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor,
                 ConjugateUse use, std::size_t set_size);

  // The size of working sets that suits a problem; 0 where one level is faster.
  static std::size_t set_size(const DualProblem& problem);

  Solution solve() override;

 private:
  using Variables = std::vector<std::uint32_t>;

  bool start();
  void iterate();
  bool find_violation();
  bool take_up_all();
  void shrink();
  bool solve_part(const WorkingSet& set);
  bool is_all_active() const { return active_.size() == alpha_.size(); }
  Box box() const { return {alpha_.data(), labels_.data(), upper_}; }
  int group(std::size_t t) const { return two_groups_ && labels_[t] < 0 ? 1 : 0; }
  double f(std::size_t t) const { return sums_.of(t) + linear_[t]; }
  double objective() const;
  Solution finish_on_one_level();
  Solution result();

  KernelMatrix& kernel_;
  const std::vector<signed char> labels_;
  std::vector<double> linear_;  // y_t p_t
  std::vector<double> alpha_;
  std::vector<double> start_sums_;
  const UpperBounds upper_;
  const bool two_groups_;
  const double epsilon_;
  const bool shrinking_;
  Monitor& monitor_;
  const ConjugateUse use_;

  Variables active_;
  OuterSums sums_;
  OuterPoint point_;  // of the active variables
  Bands bands_;
  double violation_ = 0;  // of the bands; 0 while it is not known
  const std::size_t most_in_set_;
  WorkingSets working_sets_;
  double tolerance_;
  double objective_ = 0;  // as last told
  bool met_upper_ = false;
  bool unshrunk_ = false;  // all were taken up again near the optimum, once
  OuterProgress progress_;
  bool needs_one_level_ = false;  // working sets do not get to the tolerance
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_TWO_LEVEL_H_
