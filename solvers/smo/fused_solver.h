// The base of SMO variants that need not follow LIBSVM's iterates.
#ifndef SVM_SOLVERS_SMO_FUSED_SOLVER_H_
#define SVM_SOLVERS_SMO_FUSED_SOLVER_H_

#include <cstddef>
#include <vector>

#include "solvers/smo/solver.h"

namespace svm {

// Reconstructs the gradient by fused sums, ends at a violation that kernel values resolve, and has
// a finite threshold.  By itself it is first-order SMO, whose pairs are the most violating ones:
//
//   Keerthi, Shevade, Bhattacharyya, Murthy: Improvements to Platt's SMO algorithm for SVM
//   classifier design, Neural Computation 13 (2001), modification 2.
class FusedSolver : public Solver {
 public:
  FusedSolver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor);

 protected:
  bool select_working_set(Pair& pair) override { return select_first_order(pair); }
  void active_set_shrank() override;
  void active_set_grew() override;
  double tolerance() const override;
  double threshold(const GroupEnds& ends) const override { return ends.finite_threshold(); }
  void upper_bound_changed(std::size_t /*t*/, int /*sign*/) override {}
  bool compute_gradient() override;
  bool compute_gradient_out_of_play() override;

 private:
  bool add_changes(std::size_t first);

  // By place in the problem: b and f when all variables were last in play; empty while they are.  f
  // of a variable out of play follows from these and the change of b since then.
  std::vector<double> known_b_, known_f_;
  std::vector<double> exact_alpha_;  // by place: the start point if its f is exact, else empty
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_FUSED_SOLVER_H_
