// The gradient of the outer level: fused sums over the active examples, and a log of what the
// others have missed.
#ifndef SVM_SOLVERS_TWO_LEVEL_OUTER_SUMS_H_
#define SVM_SOLVERS_TWO_LEVEL_OUTER_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/matrix/column_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/math/box.h"

namespace svm {

// For every example e the sum over s of K(e, s) b_s.  Both variables of an example of a regression
// have the same.
class OuterSums {
 public:
  // At b = 0, with all examples active.  The kernel's variables must stay where they are, and the
  // kernel must outlive this.
  explicit OuterSums(KernelMatrix& kernel);

  // Sums that are known for every variable, instead of those at b = 0.
  void set(const std::vector<double>& kernel_sums);

  // Of an active variable.
  double of(std::size_t variable) const { return sums_[example_[variable]]; }

  // Brings the sums up to date after b has changed by these terms.  False where the
  // kernel's poll function ended it; then they are of no use any more.
  bool add(const std::vector<Term>& change);

  // From now on the examples of these variables are active, which they must have been before.
  void keep(const std::vector<std::uint32_t>& variables);

  // All are active again, with their sums.  False where the run was interrupted, as above.
  bool take_up_all();

 private:
  static constexpr std::size_t kActive = static_cast<std::size_t>(-1);

  struct Change {
    std::uint32_t example;
    double factor;
  };

  void activate_all();
  bool add_net(ColumnSums& columns);

  KernelMatrix& kernel_;
  std::vector<std::uint32_t> example_;  // of each variable
  std::size_t examples_ = 0;
  std::vector<double> sums_;       // of each example
  std::vector<double> net_;        // change of each example's b, while it is added; else 0
  std::vector<std::size_t> seen_;  // changes of the log that an inactive example has
  std::vector<Change> log_;        // since some example became inactive
  std::unique_ptr<ColumnSums> active_;
  std::size_t inactive_ = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_OUTER_SUMS_H_
