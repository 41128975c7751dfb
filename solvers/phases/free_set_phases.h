// Phases of conjugate SMO over the free variables: when one pays, and with which factor.
//
// A phase solves the problem over the free variables by a Cholesky factor (free_set.h).  Phases are
// run in proportion to the iterations between them, so that their cost is bounded where they do not
// help, and they are frequent where they do.  The factor is kept from one phase to the next, and
// brought up to date with the variables that became free or bounded.  docs/csmo.md, "Phases".
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

// The present point of a solver, whose variables [0, active) are in play.  A view.
struct PhasePoint {
  const DualState& state;  // with f of the active variables
  std::size_t active;
  const std::vector<double>& diagonal;       // K_tt
  const std::vector<std::size_t>& original;  // place of each variable in the problem

  std::size_t size() const { return original.size(); }
};

class FreeSetPhases {
 public:
  // For a problem of `size` variables.  The factor's memory is taken from that of the kernel's
  // rows.  Kernel and monitor must outlive this.
  FreeSetPhases(KernelMatrix& kernel, std::size_t size, Monitor& monitor);

  // After every iteration of the solver.
  void count_iteration(std::size_t active) {
    work_ += kIterationCost + static_cast<double>(active);
  }

  // False while it need not even be estimated whether a phase would pay.
  bool is_due() const { return !(work_ < next_check_); }

  // Runs a phase where it would pay.  The change of the signed variables y_t a_t that it ends with,
  // by their present places; no terms where it could not be run.  Null where none would pay yet.
  std::optional<std::vector<Term>> run(const PhasePoint& point);

  // The factor was of no use: the next phase begins with a new one.
  void drop_factor();

 private:
  using Variables = std::vector<std::size_t>;

  static constexpr double kIterationCost = 300;  // beside a value of each active variable

  Variables variables_for(const PhasePoint& point) const;
  double cost_of(std::size_t size, std::size_t added, std::size_t held, bool rebuild,
                 std::size_t active) const;
  Variables factored_variables(const PhasePoint& point) const;
  FreeSetPath find_path(const PhasePoint& point, const Variables& free_variables,
                        Variables& members);
  std::size_t prepare_factor(const PhasePoint& point, const Variables& free_variables,
                             Variables& members);
  template <typename Element>
  bool rebuild_factor(const PhasePoint& point, CholeskyFactor<Element>& factor,
                      const Variables& free_variables);
  bool extend_factor(const PhasePoint& point, const Variables& new_variables,
                     const Variables& members);
  void remember(std::size_t place);

  KernelMatrix& kernel_;
  Monitor& monitor_;
  FreeSetFactor factor_;           // of K over the variables below
  Variables factored_;             // by their place in the problem
  std::vector<char> is_factored_;  // by place in the problem

  // Costs are in values that ordinary iterations touch.
  double work_ = 0;              // since the last phase
  double next_check_ = 0;        // at work_, whether a phase would pay
  double patience_ = 1;          // see the .cpp file
  std::size_t last_size_ = 0;    // of the factor at the last phase
  double expected_rounds_ = 30;  // of the next path
};

}  // namespace svm

#endif  // SVM_SOLVERS_PHASES_FREE_SET_PHASES_H_
