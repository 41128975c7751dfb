// Newton steps over the free variables of a dual problem.
//
// Late in a hard run SMO moves the same free variables over and over.  The problem over them is a
// quadratic one with few linear constraints, which a Cholesky factor solves at once:
//
//   minimise 1/2 d'Kd + f'd  subject to  B'd = 0.
//
// B has a column of ones for each equality constraint, and a unit column for each variable that is
// held.  With z = -K^-1 f and W = K^-1 B, the solution is d = z - W n for (B'W) n = B'z.  The path
// goes along d to the first bound, adds that variable to B, and repeats: z <- z - length d, and W
// gets one more column.  See docs/csmo.md.
#ifndef SVM_SOLVERS_PHASES_FREE_SET_H_
#define SVM_SOLVERS_PHASES_FREE_SET_H_

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "base/threads/go_on.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/math/cholesky.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"

namespace svm {

// One variable of the factored matrix, at the start of a phase.
struct FreeSetVariable {
  double gradient = 0;  // f
  double lowest = 0;    // bounds of its change: lowest <= 0 <= highest
  double highest = 0;
  int group = 0;  // its equality constraint: 0 or 1
};

// The Cholesky factor, in the precision of the kernel values.
class FreeSetFactor {
 public:
  // In doubles, a matrix of deficient rank with a ridge can be told from rounding noise.
  static constexpr double kLeastPivot = 1e-14;

  // `largest` is the largest element of the diagonal, without the ridge.
  explicit FreeSetFactor(Precision precision, double largest = 0) {
    if (precision == Precision::kDouble) {
      factor_.emplace<CholeskyFactor<double>>(kLeastPivot);
      ridge_ = 1e-13 * largest;
    } else {
      ridge_ = static_cast<double>(static_cast<float>(1e-5 * largest));
    }
  }
  // Calls visit(factor).
  template <typename Visit>
  auto visit(const Visit& visit) {
    return std::visit(visit, factor_);
  }
  bool in_doubles() const { return factor_.index() == 1; }

  // The ridge to add to the diagonal, which covers the rounding of the rows and a deficient rank,
  // and the part of it by which rounding may have changed the diagonal.
  double ridge() const { return ridge_; }
  double rounding() const { return in_doubles() ? 1e-2 : 0.1; }
  // See CholeskyFactor.
  void solve(std::vector<double>& x, std::size_t first = 0) const {
    std::visit([&](const auto& factor) { factor.solve(x, first); }, factor_);
  }

 private:
  std::variant<CholeskyFactor<float>, CholeskyFactor<double>> factor_;
  double ridge_ = 0;
};

struct FreeSetPath {
  // Change of b of each variable, whose sum over each group is 0.  Empty if there is no step.
  std::vector<double> change;
  double gain = 0;         // decrease of the objective
  std::size_t rounds = 0;  // steps; all but the last met a bound
  bool complete = false;   // the last step met no bound
};

// Follows the path of constrained Newton steps.  `factor` is that of K over `variables`, with the
// ridge.  Takes at most `max_rounds` steps.  Returns no step if `go_on`, which is called in every
// round and may be null, returns false.
FreeSetPath follow_free_set(const FreeSetFactor& factor,
                            const std::vector<FreeSetVariable>& variables, std::size_t max_rounds,
                            const GoOn& go_on = nullptr);

// A view of the present point of a solver, whose variables [0, active) are in play.
struct PhasePoint {
  const DualState& state;  // with f of the active variables
  std::size_t active;
  const std::vector<double>& diagonal;  // K_tt
};

// Phases of conjugate SMO over the free variables: decides when one pays, and keeps the factor. The
// cost of phases is in proportion to that of the iterations between them, so that it is bounded if
// phases do not help.  See docs/csmo.md, "Phases".
class FreeSetPhases {
 public:
  // The factor's memory is taken from the kernel's cache.  Kernel and monitor must outlive this.
  FreeSetPhases(KernelMatrix& kernel, Monitor& monitor) : kernel_(kernel), monitor_(monitor) {}

  // To be called after every iteration of the solver.
  void count_iteration(std::size_t active) {
    work_ += kIterationCost + static_cast<double>(active);
  }

  // False if it is too early even to estimate whether a phase would pay.
  bool is_due() const { return !(work_ < next_check_); }

  // Runs a phase if one pays.  Returns its change of b, with variables in the solver's present
  // order: no terms if the phase failed, nullopt if none pays yet.
  std::optional<std::vector<Term>> run(const PhasePoint& point);

  // Tells that the point is near the solution, so that the first phase, which comes at once, will
  // meet few bounds.
  void begin_near_solution() {
    patience_ = 0;
    expected_rounds_ = kRoundsNearSolution;
  }

 private:
  using Variables = std::vector<std::size_t>;

  static constexpr double kRoundsNearSolution = 5;
  static constexpr double kIterationCost = 300;  // in addition to one value per active variable

  double cost_of(std::size_t size, std::size_t active) const;
  Variables variables_for(const PhasePoint& point) const;
  FreeSetPath find_path(const PhasePoint& point, const Variables& free_variables);
  template <typename Element>
  bool compute(CholeskyFactor<Element>& factor, const Variables& members, double ridge);

  KernelMatrix& kernel_;
  Monitor& monitor_;

  // The unit of costs is the time that an ordinary iteration takes for one value.
  double work_ = 0;              // since the last phase
  double next_check_ = 0;        // the work_ at which to estimate again
  double patience_ = 1;          // see kLeastPatience
  std::size_t last_size_ = 0;    // of the factor at the last phase
  double expected_rounds_ = 30;  // of the next path
};

}  // namespace svm

#endif  // SVM_SOLVERS_PHASES_FREE_SET_H_
