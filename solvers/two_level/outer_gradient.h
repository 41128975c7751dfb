// The gradient of the outer level, by fused sums: updated for active examples after every outer
// step, and reconstructed for the others from a log of changes.
#ifndef SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_
#define SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/threads/pool.h"
#include "kernels/matrix/column_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// Updates f as b changes.  `f` is always that of the same state, over all variables; it is valid
// for active variables.  The two variables of an example are active together.
class OuterGradient {
 public:
  // All examples are active.  Kernel and pool must outlive this; the kernel must not swap
  // variables.
  OuterGradient(KernelMatrix& kernel, ThreadPool& pool);

  // Adds the effect of this change of b to f.  False if the kernel's poll function interrupted it;
  // f is then invalid.
  bool add(const std::vector<Term>& change, std::vector<double>& f);

  // Makes only the examples of these variables active.  They must be active already.
  void keep(const std::vector<std::uint32_t>& variables);

  // Makes all examples active, with their f.  False if interrupted, as above.
  bool activate_all(std::vector<double>& f);

 private:
  struct Change {
    std::uint32_t example;
    double factor;
  };

  void reset_active();
  bool add_net(std::vector<std::uint32_t> rows, ColumnSums& columns, std::vector<double>& f);

  KernelMatrix& kernel_;
  ThreadPool& pool_;
  std::vector<std::uint32_t> example_;       // of each variable
  std::vector<std::size_t> first_, second_;  // variables of each example; kNoIndex if there is none
  std::size_t examples_ = 0;
  std::vector<double> net_;  // change of b of each example while it is added; else 0
  // Changes of the log that the sums of an example include; kNoIndex if it is active.
  std::vector<std::size_t> seen_;
  std::vector<Change> log_;  // changes since some example became inactive
  std::unique_ptr<ColumnSums> active_;
  std::size_t inactive_ = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_OUTER_GRADIENT_H_
