// The dual problem that every kernel solver solves, and its state at a point.
#ifndef SVM_SOLVERS_RUN_DUAL_STATE_H_
#define SVM_SOLVERS_RUN_DUAL_STATE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/data_row.h"
#include "kernels/exact_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "svm.h"

namespace svm {

// Variables that share an equality constraint form a group.  With one constraint, group 0 has all.
inline constexpr int kGroups = 2;

// Threads that share a pass over the variables take this many at a time.
inline constexpr std::size_t kVariablesPerTask = 8192;

// The upper bounds C_t: one for each label, or one for each variable.
struct UpperBounds {
  double positive = 0;
  double negative = 0;
  std::vector<double> each = {};  // in the order of the variables; empty: one for each label

  double of(std::size_t t, int label) const {
    if (!each.empty()) return each[t];
    return *(label > 0 ? &positive : &negative);  // labels are hard to predict
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

// The ends of the index sets of a group: the least f of I_up, whose b may rise, and the greatest f
// of I_low, whose b may fall.  Free variables are in both sets.
struct GroupEnds : Extremes {
  double free_sum = 0;  // of f of the free variables
  std::size_t free_count = 0;

  // Includes variable t, which is in these index sets (kInUp, kInLow).  `f_up` and `f_low` stand
  // for its f in I_up and in I_low; they differ if f has an error.  Sums run in the order of the
  // calls.
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
  // Includes variables that follow those of this group.
  void add(const GroupEnds& later) {
    if (!(lowest < later.lowest)) {
      lowest = later.lowest;
      lowest_at = later.lowest_at;
    }
    if (!(highest > later.highest)) {
      highest = later.highest;
      highest_at = later.highest_at;
    }
    free_count += later.free_count;
    free_sum += later.free_sum;
  }

  // LIBSVM's threshold: the mean of f over the free variables, or the middle of the ends if there
  // are none.  Not finite if no variable is free and one of the sets is empty.
  double threshold() const {
    return free_count > 0 ? free_sum / static_cast<double>(free_count) : (lowest + highest) / 2;
  }
  // The threshold if it is finite, else the end that is finite, else 0.
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

// Statistics of sums that are updated step by step, from which drift() estimates their error.
struct RoundingHistory {
  double most_difference = 0;  // the largest difference of two sums so far
  double largest_square = 0;   // the largest weight^2 |K_tt| of a variable so far
  long long steps = 0;         // updates of the sums

  // Counts in a variable that has this weight.
  void note(double weight, double diagonal) {
    largest_square = std::max(largest_square, weight * weight * std::fabs(diagonal));
  }
  // Adds the history of the same sums that an earlier solver kept.
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
// The point fixes the constants.  The signed gradient is f = Kb + linear: f_t is y_t times the
// derivative with respect to a_t.  The point is optimal if, in each group, no f of I_low is larger
// than any f of I_up.
struct DualState {
  std::vector<double> linear = {};       // y_t p_t; empty if this is a part, see part()
  std::vector<signed char> labels = {};  // y: +1 or -1
  std::vector<double> alpha = {};        // a: feasible
  UpperBounds upper = {};                // C_t
  bool two_groups = false;
  std::vector<double> f = {};  // at this point; empty if it is not known
  // f is exact up to the rounding of doubles.  Rounded kernel values then affect only its changes.
  bool f_is_exact = false;
  // At this point.  The solver of a part updates the given value; other solvers compute it.
  double objective = 0;
  // Some variable was at its upper bound at some time.  If none was, larger bounds give the same
  // iterates.
  bool reached_upper = false;

  std::size_t size() const { return alpha.size(); }
  // True for a part of a problem: f includes the share of the fixed variables, and the objective is
  // that of the whole problem.
  bool is_part() const { return linear.empty(); }
  int group(std::size_t t) const { return two_groups && labels[t] < 0 ? 1 : 0; }
  double upper_bound(std::size_t t) const { return upper.of(t, labels[t]); }
  double b(std::size_t t) const { return labels[t] * alpha[t]; }
  bool is_at_upper(std::size_t t) const { return alpha[t] >= upper_bound(t); }
  bool is_at_zero(std::size_t t) const { return alpha[t] <= 0; }
  bool is_free(std::size_t t) const { return !is_at_upper(t) && !is_at_zero(t); }
  // The bounds of b_t.
  double lowest_b(std::size_t t) const { return labels[t] > 0 ? 0 : -upper_bound(t); }
  double highest_b(std::size_t t) const { return labels[t] > 0 ? upper_bound(t) : 0; }
  bool has_upper() const {  // whether some variable is at its upper bound
    for (std::size_t t = 0; t < size(); ++t) {
      if (is_at_upper(t)) return true;
    }
    return false;
  }
  // How far b_t may rise, and how far it may fall.
  double room_up(std::size_t t) const {
    return labels[t] > 0 ? upper_bound(t) - alpha[t] : alpha[t];
  }
  double room_down(std::size_t t) const {
    return labels[t] > 0 ? alpha[t] : upper_bound(t) - alpha[t];
  }
  // How far b_t may move in the direction of this sign.
  double room(std::size_t t, double direction) const {
    const double rooms[] = {alpha[t], upper_bound(t) - alpha[t]};  // signs are hard to predict
    return rooms[(direction > 0) == (labels[t] > 0) ? 1 : 0];
  }
  // The sets that contain variable t: kInUp if b_t may rise, kInLow if it may fall; no set if C_t
  // is 0.
  std::uint8_t index_sets(std::size_t t) const {
    const bool may_rise = labels[t] > 0 ? !is_at_upper(t) : !is_at_zero(t);
    const bool may_fall = labels[t] > 0 ? !is_at_zero(t) : !is_at_upper(t);
    return static_cast<std::uint8_t>((may_rise ? kInUp : 0) | (may_fall ? kInLow : 0));
  }

  // The ends of each group among these variables, or among all.  Requires their f.
  Ends ends(const std::uint32_t* variables, std::size_t count) const;
  Ends ends() const;

  // The non-zero elements of b.
  std::vector<Term> terms() const;

  // The objective at this point.  Requires f and `linear`.
  double compute_objective() const;

  // The sums over s of K_ts b_s, which are f - linear.  Empty if f is.  Requires `linear`, so not
  // for a part.
  std::vector<double> kernel_sums() &&;

  // The problem over these variables, at the same point, with the others fixed.  Requires f, which
  // contains the contribution of the fixed variables.  The part's `linear` stays empty.
  DualState part(const std::vector<std::size_t>& variables) const;

  // Sets these variables to their values in `part`, a solution of part(variables).  Returns the
  // changes of b.  Does not update f.
  std::vector<Term> take_over(const std::vector<std::size_t>& variables, const DualState& part);

  // Exchanges two variables.
  void swap(std::size_t i, std::size_t j);
  // Puts variable t at original[t], for all t.
  void reorder(const std::vector<std::size_t>& original);
};

// What a solver starts from.  The kernel must outlive the solver.
struct DualProblem : DualState {
  DualProblem(KernelMatrix& matrix, DualState state)
      : DualState(std::move(state)), kernel(matrix) {}

  KernelMatrix& kernel;  // permuted by the solver
  // What the kernel's examples are made of, if that is known.
  std::optional<ExactSums> source = {};

  // The rows of the examples if the kernel is linear, else null.
  DataRows linear_rows() const {
    return source && source->kernel().type == LINEAR ? source->rows() : DataRows();
  }
};

// What a solver ends with.  The variables are in the order of the problem.  f is empty if the
// solver does not know all of it.
struct Solution : DualState {
  Solution() = default;
  explicit Solution(DualState state) : DualState(std::move(state)) {}

  double rho = 0;                // threshold
  double margin = 0;             // r of the nu formulations; 0 otherwise
  double violation = 0;          // of the KKT conditions, by the kernel values that the solver used
  RoundingHistory history = {};  // of f
  bool has_converged = false;    // as the record of the run says
  std::string remark = {};       // a line to print after training, or empty

  // Sets threshold and margin from the thresholds of the groups.  Ignores `second` if there is only
  // one group.
  void set_thresholds(double first, double second) {
    rho = two_groups ? (first + second) / 2 : first;
    margin = two_groups ? (first - second) / 2 : 0;
  }
  void set_thresholds(const Ends& ends) {
    set_thresholds(ends.of[0].finite_threshold(), ends.of[1].finite_threshold());
  }
};

// sums[k] += sum over t of weights[t] K(t, columns[k]), as KernelMatrix::add_sums, but with one row
// and one column for the two variables of an example.  `weights` has one element per variable;
// `columns` are variables, in the kernel's order.  False if interrupted.
bool add_kernel_sums(KernelMatrix& kernel, const std::vector<double>& weights,
                     const std::vector<std::size_t>& columns, Precision precision,
                     std::vector<double>& sums);

struct BoxedVariable {
  double value, low, high;
};

// Removes the rounding error of an equality constraint: moves the variables that are between their
// bounds until all sum to `sum`, each by the same part of its room in that direction.  If there is
// no bound in that direction, the room is that in the other one.  False, and nothing changes, if
// the room does not suffice.
bool restore_sum(std::vector<BoxedVariable>& variables, double sum);

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_DUAL_STATE_H_
