// C-SVC with squared slacks as a minimum norm problem, by the algorithm of Mitchell, Demyanov and
// Malozemov, plain or accelerated by steps along cycles.
//
//   Barbero, Lopez, Dorronsoro: An accelerated MDM algorithm for SVM training, ESANN 2008.
//
// See docs/mdm.md.
#ifndef SVM_SOLVERS_HISTORICAL_MDM_H_
#define SVM_SOLVERS_HISTORICAL_MDM_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/resolution.h"

namespace svm {

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
  MinimumNormSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor,
                    Cycles cycles);

  // rho stands for the 1 that is added to the kernel.
  Solution solve();

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

  void start();
  bool find_pair(Pair& pair);
  void step(const Pair& pair);
  bool cycle_step(const Pair& pair);
  void add_row(std::size_t t, double change, std::vector<double>& sums);
  void remember(const Step& step);
  bool go_on() { return monitor_.go_on(objective(), relative_gap(), size_); }
  bool retry_more_precisely();
  double resolution_of_margins() const;
  void form_sums();
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

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_MDM_H_
