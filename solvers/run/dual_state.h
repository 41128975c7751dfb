// The dual problem that every kernel solver solves, and what is known of it at a point.
#ifndef SVM_SOLVERS_RUN_DUAL_STATE_H_
#define SVM_SOLVERS_RUN_DUAL_STATE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/matrix/kernel_matrix.h"
#include "simd/loops.h"
#include "svm.h"

namespace svm {

// Variables that share an equality constraint form a group; with one constraint all are in the
// first.
inline constexpr int kGroups = 2;

// C_t: one bound for each label, unless every variable has its own.
struct UpperBounds {
  double positive = 0;
  double negative = 0;
  std::vector<double> each = {};  // in the order of the variables; or empty

  double of(std::size_t t, int label) const {
    if (!each.empty()) return each[t];
    return label > 0 ? positive : negative;
  }
  bool are_finite() const {
    return std::isfinite(positive) && std::isfinite(negative) &&
           std::all_of(each.begin(), each.end(), [](double upper) { return std::isfinite(upper); });
  }
};

// The KKT violation of a group: the greatest f of I_low minus the least f of I_up.  Not positive if
// the group is optimal.
inline double violation(const Extremes& ends) { return ends.highest - ends.lowest; }

// The KKT violation of a point: that of its worse group.
template <typename Group>
double violation(const Group (&groups)[kGroups]) {
  return std::max(violation(groups[0]), violation(groups[1]));
}

// True if a variable of these index sets is at a bound, and even the most violating partner in its
// group would push it back there.  Shrinking leaves such variables out.
inline bool is_settled(std::uint8_t sets, double f, const Extremes& group) {
  return (sets == kInUp && f > group.highest) || (sets == kInLow && f < group.lowest);
}

// The ends of the index sets of a group: the least f of I_up, whose variables b may rise, and the
// greatest f of I_low, whose variables may fall.  Free variables are in both.
struct GroupEnds : Extremes {
  double free_sum = 0;  // of f
  std::size_t free_count = 0;

  // Takes in variable t of these index sets (kInUp, kInLow).  Its f is `f_up` if it may rise, and
  // `f_low` if it may fall: two numbers if f is known within an error only.  Sums run in the order
  // of the calls.
  void add(std::size_t t, std::uint8_t sets, double f_up, double f_low) {
    if ((sets & kInUp) != 0 && !(lowest < f_up)) {
      lowest = f_up;
      lowest_at = t;
    }
    if ((sets & kInLow) != 0 && !(highest > f_low)) {
      highest = f_low;
      highest_at = t;
    }
    if (sets == (kInUp | kInLow)) {
      ++free_count;
      free_sum += f_up;
    }
  }
  void add(std::size_t t, std::uint8_t sets, double f) { add(t, sets, f, f); }

  // The threshold as LIBSVM has it: the mean of f over the free variables, else the middle of the
  // ends.  Not finite if no variable is free and all may go the same way.
  double threshold() const {
    return free_count > 0 ? free_sum / static_cast<double>(free_count) : (lowest + highest) / 2;
  }
  // The same if it is finite, else the end that is, else 0.
  double finite_threshold() const {
    if (std::isfinite(threshold())) return threshold();
    if (std::isfinite(lowest)) return lowest;
    return std::isfinite(highest) ? highest : 0;
  }
};

struct Ends {
  GroupEnds of[kGroups];

  double violation() const { return svm::violation(of); }
  std::size_t free_count() const { return of[0].free_count + of[1].free_count; }
};

// One component of a sparse change of b.
struct Term {
  std::size_t variable;
  double change;
};

// How much rounding may have accumulated in sums that are updated step by step.
struct RoundingHistory {
  double most_difference = 0;  // the largest difference of two of the sums so far
  double largest_square = 0;   // the largest weight^2 |K_tt| of a variable so far
  long long steps = 0;

  void note(double weight, double diagonal) {
    largest_square = std::max(largest_square, weight * weight * std::fabs(diagonal));
  }
  // Adds the history of the same sums under a solver before.
  void add(const RoundingHistory& before) {
    most_difference = std::max(most_difference, before.most_difference);
    largest_square = std::max(largest_square, before.largest_square);
    steps += before.steps;
  }
};

// A dual problem without its kernel matrix K, and a point of it.  With the signed variables
// b_t = y_t a_t,
//
//   minimise   1/2 b'Kb + linear'b,
//   subject to 0 <= a_t <= C_t and sum b = const, or, with two groups, the sums of b over y_t = +1
//   and over y_t = -1 each const (nu-SVC and nu-SVR).
//
// The constants are those of the point.  The signed gradient is f = Kb + linear, which is y_t times
// the derivative by a_t.  The point is optimal if, in each group, no f of I_low is larger than any
// f of I_up.
struct DualState {
  std::vector<double> linear = {};       // y_t p_t.  A part has none; see part().
  std::vector<signed char> labels = {};  // y: +1 or -1
  std::vector<double> alpha = {};        // a: feasible
  UpperBounds upper = {};                // C_t
  bool two_groups = false;
  std::vector<double> f = {};  // at this point; empty if it is not known
  // f is right in doubles: the rounding of kernel values matters only for what changes from here.
  bool f_is_exact = false;
  // At this point.  A solver of a part counts on from it; other solvers compute it.
  double objective = 0;
  // Some variable was at its upper bound at some time.  If none was, larger bounds give the same
  // iterates.
  bool met_upper = false;

  std::size_t size() const { return alpha.size(); }
  int group(std::size_t t) const { return two_groups && labels[t] < 0 ? 1 : 0; }
  double upper_bound(std::size_t t) const { return upper.of(t, labels[t]); }
  double b(std::size_t t) const { return labels[t] * alpha[t]; }
  bool is_at_upper(std::size_t t) const { return alpha[t] >= upper_bound(t); }
  bool is_at_zero(std::size_t t) const { return alpha[t] <= 0; }
  bool is_free(std::size_t t) const { return !is_at_upper(t) && !is_at_zero(t); }
  // The bounds of b_t.
  double lowest_b(std::size_t t) const { return labels[t] > 0 ? 0 : -upper_bound(t); }
  double highest_b(std::size_t t) const { return labels[t] > 0 ? upper_bound(t) : 0; }
  // How far b_t may rise, and how far it may fall.
  double room_up(std::size_t t) const {
    return labels[t] > 0 ? upper_bound(t) - alpha[t] : alpha[t];
  }
  double room_down(std::size_t t) const {
    return labels[t] > 0 ? alpha[t] : upper_bound(t) - alpha[t];
  }
  // How far b_t may move in the direction of this sign.
  double room(std::size_t t, double direction) const {
    return direction > 0 ? room_up(t) : room_down(t);
  }
  // The sets that contain variable t: kInUp if b_t may rise, kInLow if it may fall; none if C_t is
  // 0.
  std::uint8_t index_sets(std::size_t t) const {
    const bool may_rise = labels[t] > 0 ? !is_at_upper(t) : !is_at_zero(t);
    const bool may_fall = labels[t] > 0 ? !is_at_zero(t) : !is_at_upper(t);
    return static_cast<std::uint8_t>((may_rise ? kInUp : 0) | (may_fall ? kInLow : 0));
  }

  // The ends of each group among these variables, or all.  Requires f of them.
  Ends ends(const std::vector<std::uint32_t>& variables) const;
  Ends ends() const;

  // The objective at this point, by f and the linear part.  Requires both.
  double compute_objective() const;

  // Sums over s of K_ts b_s: f without the linear part.  Empty if f is.  Requires `linear`, which a
  // part does not have.
  std::vector<double> kernel_sums() const;

  // The problem over these variables while the others stay where they are, at the same point.
  // Requires f, in which the part has what the others give; its linear part stays empty.
  DualState part(const std::vector<std::size_t>& variables) const;

  // Moves these variables to where a part of them was solved to.  Returns how b changes; f is that
  // of the point before.
  std::vector<Term> take_over(const std::vector<std::size_t>& variables, const DualState& part);

  // Exchanges two variables.
  void swap(std::size_t i, std::size_t j);
  // Puts variable t at original[t], for all t.
  void reorder(const std::vector<std::size_t>& original);
};

// What a solver starts from.
struct DualProblem : DualState {
  DualProblem(KernelMatrix& matrix, DualState state)
      : DualState(std::move(state)), kernel(matrix) {}

  KernelMatrix& kernel;  // permuted by the solver
  // The rows of the kernel's examples if the kernel is linear, else null.
  DataRows linear_rows = {};
};

// What a solver ends with: the state, its variables in the order of the problem, and what follows
// from it.  f is empty if the solver does not know all of it.
struct Solution : DualState {
  Solution() = default;
  explicit Solution(DualState state) : DualState(std::move(state)) {}

  double rho = 0;        // threshold
  double margin = 0;     // r of the nu formulations; 0 otherwise
  double violation = 0;  // of the KKT conditions, by the kernel values that the solver worked with
  RoundingHistory history = {};  // of f
  std::string remark = {};       // a line for those who are told of the progress, or empty

  // Sets threshold and margin by the thresholds of the groups; the second counts if there are two.
  void set_thresholds(double first, double second) {
    rho = two_groups ? (first + second) / 2 : first;
    margin = two_groups ? (first - second) / 2 : 0;
  }
  void set_thresholds(const Ends& ends) {
    set_thresholds(ends.of[0].finite_threshold(), ends.of[1].finite_threshold());
  }
};

// sums[k] += sum over t of weights[t] K(t, columns[k]), as KernelMatrix::add_sums, each example
// once if it has two variables.  Weights and columns are in the kernel's order.  False if
// interrupted.
bool add_kernel_sums(KernelMatrix& kernel, const std::vector<double>& weights,
                     const std::vector<std::size_t>& columns, KernelMatrix::Precision precision,
                     std::vector<double>& sums);

struct BoxedVariable {
  double value, low, high;
};

// Makes up for what rounding did to the sum: moves the variables between their bounds, each by the
// same part of its room on that side, until they all sum to `sum`.  Where there is no bound on that
// side, the room is that on the other.  False, and nothing changes, where there is too little.
bool restore_sum(std::vector<BoxedVariable>& variables, double sum);

// One run on one dual problem.
class DualSolver {
 public:
  DualSolver() = default;
  DualSolver(const DualSolver&) = delete;
  DualSolver& operator=(const DualSolver&) = delete;
  virtual ~DualSolver() = default;

  // Runs to the end.  May be called once.  What ended it, if not convergence, is with the monitor.
  virtual Solution solve() = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_DUAL_STATE_H_
