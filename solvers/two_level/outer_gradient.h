// The gradient of the outer level: fused sums over the active examples, and a log of what the
// others have missed.
#ifndef SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_
#define SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/matrix/column_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// Brings f up to date as b changes; `f` is always that of the same state, with all variables.  If
// an example has two variables, both are active while one is.
class OuterGradient {
 public:
  // With all examples active.  The kernel's variables must stay where they are, and the kernel must
  // outlive this.
  explicit OuterGradient(KernelMatrix& kernel);

  // b has changed by these terms.  False if the kernel's poll function ended it; then f is of no
  // use any more.
  bool add(const std::vector<Term>& change, std::vector<double>& f);

  // From now on the examples of these variables are active, which they must have been before.
  void keep(const std::vector<std::uint32_t>& variables);

  // All are active again.  False if the run was interrupted, as above.
  bool activate_all(std::vector<double>& f);

 private:
  struct Change {
    std::uint32_t example;
    double factor;
  };

  void reset_active();
  bool add_net(ColumnSums& columns, std::vector<double>& f);

  KernelMatrix& kernel_;
  std::vector<std::uint32_t> example_;  // of each variable
  std::size_t examples_ = 0;
  std::vector<double> net_;  // change of each example's b, while it is added; else 0
  // Changes of the log that the sums of an example include; kNoIndex if it is active.
  std::vector<std::size_t> seen_;
  std::vector<Change> log_;  // since some example became inactive
  std::unique_ptr<ColumnSums> active_;
  std::size_t inactive_ = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_
