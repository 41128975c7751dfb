// Reconstructs the gradient of shrunk variables with the bits of LIBSVM's.
#ifndef SVM_SOLVERS_SMO_GRADIENT_LOG_H_
#define SVM_SOLVERS_SMO_GRADIENT_LOG_H_

#include <cstddef>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// f is the sum of the contributions of the variables at their upper bound, of the linear part, and
// of the contributions of the free variables.  Instead of updating the first sum in every step,
// this keeps a log of the bounds reached and left, and adds it up for a variable when its f is
// needed.  Sums run in the order of the log, so that they have the bits of sums that are updated.
class GradientLog {
 public:
  explicit GradientLog(std::size_t size) : size_(size) {}

  // Records that a variable, by its place in the problem, reached its upper bound (change is
  // y_t C_t) or left it (-y_t C_t).
  void record(std::size_t place, double change) {
    allocate();
    events_.push_back({place, change});
  }

  // True if the log takes a lot of memory, so that replay() should be called.
  bool is_long() const { return events_.size() >= kMostEvents + 4 * size_; }
  // Adds the log to the sums of all variables and clears it.
  void replay(KernelMatrix& kernel, const std::vector<std::size_t>& original);

  // Sets f of `columns`.  `original` has the place of each variable in the problem.  False if the
  // kernel's poll function interrupted it; the log is then invalid, as it is after an interrupted
  // replay().
  bool rebuild(KernelMatrix& kernel, const std::vector<std::size_t>& original,
               std::vector<std::size_t> columns, const std::vector<double>& linear,
               const std::vector<Term>& free_part, std::vector<double>& f);

  // Exchanges variables i and j.
  void swap(std::size_t i, std::size_t j) {
    if (sums_.empty()) return;
    std::swap(sums_[i], sums_[j]);
    std::swap(replayed_[i], replayed_[j]);
  }

 private:
  static constexpr std::size_t kMostEvents = std::size_t{1} << 18;

  struct Event {
    std::size_t place;
    double change;
  };
  struct Rest;
  struct Group;

  // Allocates the sums when they are first needed.
  void allocate() {
    sums_.resize(size_);
    replayed_.resize(size_);
  }
  // Adds the new part of the log to the sums of `columns`, and sets their f if `rest` is not null.
  bool sum_up(KernelMatrix& kernel, const std::vector<std::size_t>& original,
              std::vector<std::size_t> columns, const Rest* rest);
  bool add_in_order(KernelMatrix& kernel, const std::vector<std::size_t>& variable_at,
                    const Group& group, const Rest* rest);

  const Loops& loops_ = loops(instruction_set());
  const std::size_t size_;
  std::vector<Event> events_;
  std::vector<double> sums_;  // of each variable, over the first `replayed_` events
  std::vector<std::size_t> replayed_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_GRADIENT_LOG_H_
