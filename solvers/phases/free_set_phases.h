// Phases of conjugate SMO over the free variables: decides when one pays, and keeps the factor.
//
// A phase solves the problem over the free variables by a Cholesky factor (free_set.h).  The cost
// of phases is in proportion to that of the iterations between them, so that it is bounded if
// phases do not help.  See docs/csmo.md, "Phases".
#ifndef SVM_SOLVERS_PHASES_FREE_SET_PHASES_H_
#define SVM_SOLVERS_PHASES_FREE_SET_PHASES_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/phases/free_set.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"

namespace svm {

// A view of the present point of a solver, whose variables [0, active) are in play.
struct PhasePoint {
  const DualState& state;  // with f of the active variables
  std::size_t active;
  const std::vector<double>& diagonal;  // K_tt
};

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

#endif  // SVM_SOLVERS_PHASES_FREE_SET_PHASES_H_
