// Reconstructs the gradient of shrunk variables with the bits of LIBSVM's.
#ifndef SVM_SOLVERS_SMO_GRADIENT_LOG_H_
#define SVM_SOLVERS_SMO_GRADIENT_LOG_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// f is the sum of the contributions of the variables at their upper bound, of the linear part, and
// of the contributions of the free variables.  Instead of updating the first sum in every step,
// this keeps a log of the bounds reached and left, and adds it up when f is needed.  Sums run in
// the order of the log, so that they have the bits of sums that are updated.
class GradientLog {
 public:
  // Records that a variable of this example of the kernel matrix reached its upper bound (change is
  // y_t C_t) or left it (-y_t C_t).
  void record(std::size_t example, double change) {
    constexpr std::size_t kFirstRoom = 16;
    if (events_.empty()) events_.reserve(kFirstRoom);
    events_.push_back({example, change});
  }

  // True if the log takes a lot of memory, so that replay() should be called.
  bool is_long(std::size_t variables) const {
    constexpr std::size_t kMostEvents = std::size_t{1} << 18;
    return events_.size() >= kMostEvents + 4 * variables;
  }
  // Adds the log to the sums and clears it.  False if the kernel's poll function interrupted it;
  // the log is then invalid.
  bool replay(KernelMatrix& kernel);

  // Sets f of `columns`.  False as replay(); then f stays as it was.
  bool rebuild(KernelMatrix& kernel, const std::vector<std::size_t>& columns,
               const std::vector<double>& linear, const std::vector<Term>& free_part,
               std::vector<double>& f);

 private:
  struct Event {
    std::size_t example;
    double change;
  };

  std::vector<Event> events_;
  std::vector<double> sums_;  // by example, over the events before those in the log
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_GRADIENT_LOG_H_
