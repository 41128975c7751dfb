// SMO that is free of LIBSVM's iterates, whatever its steps are.
#ifndef SVM_SOLVERS_SMO_FUSED_SOLVER_H_
#define SVM_SOLVERS_SMO_FUSED_SOLVER_H_

#include <cstddef>
#include <vector>

#include "solvers/smo/solver.h"

namespace svm {

// Sums up the gradient of variables that come back into play by fused sums, in no order; ends at a
// violation that kernel values resolve; has a threshold that is finite.
class FusedSolver : public Solver {
 public:
  FusedSolver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor);

 protected:
  void active_set_shrank() override;
  void active_set_grew() override;
  double tolerance() const override;
  double threshold(const GroupEnds& ends) const override { return ends.finite_threshold(); }
  void upper_bound_changed(std::size_t /*t*/, int /*sign*/) override {}
  bool compute_gradient() override;
  bool compute_gradient_out_of_play() override;

 private:
  bool add_changes(std::size_t first);

  // By place in the problem: b and f when all variables were last in play; empty while they are.
  // Variables out of play miss what has changed since then.
  std::vector<double> known_b_, known_f_;
  std::vector<double> exact_alpha_;  // by place, at a start whose f is exact; or empty
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_FUSED_SOLVER_H_
