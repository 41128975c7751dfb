// The gradient of variables that are out of play.
#ifndef SVM_SOLVERS_SMO_GRADIENT_LOG_H_
#define SVM_SOLVERS_SMO_GRADIENT_LOG_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"
#include "solvers/smo/passes.h"

namespace svm {

// f = (what variables at their upper bound give) + linear + (what free variables give).  The first
// part is kept as a log of the bounds met and left, and summed up for a variable when its f is
// asked for: in the order of the log, so that the bits are those of a sum kept up to date.
class GradientLog {
 public:
  explicit GradientLog(std::size_t size) : size_(size) {}

  // A variable, by its place in the problem, came to its upper bound (change > 0 times its label)
  // or left it.
  void record(std::size_t place, double change) {
    allocate();
    events_.push_back({place, change});
  }

  // The log takes a lot of memory and should be replayed for all variables.
  bool is_long() const { return events_.size() >= kMostEvents + 4 * size_; }
  void replay(KernelMatrix& kernel, const Passes& passes, const std::vector<std::size_t>& original);

  // f of `columns`; `original` has the place of each variable in the problem.  False if the
  // kernel's poll function ended it; then the log is of no use any more, as after such a replay().
  bool rebuild(KernelMatrix& kernel, const Passes& passes, const std::vector<std::size_t>& original,
               std::vector<std::size_t> columns, const std::vector<double>& linear,
               const std::vector<Term>& free_part, std::vector<double>& f);

  // Variables i and j are exchanged.
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

  // Sums for all variables, unless there are some: a solver that never asks pays nothing.
  void allocate() {
    sums_.resize(size_);
    replayed_.resize(size_);
  }
  // Brings the sums of `columns` up to date with the log, and their f if there is a rest.
  bool sum_up(KernelMatrix& kernel, const Passes& passes, const std::vector<std::size_t>& original,
              std::vector<std::size_t> columns, const Rest* rest);
  bool add_in_order(KernelMatrix& kernel, const Passes& passes,
                    const std::vector<std::size_t>& variable_at, const Group& group,
                    const Rest* rest);

  const std::size_t size_;
  std::vector<Event> events_;
  std::vector<double> sums_;  // of each variable, over the first `replayed_` events
  std::vector<std::size_t> replayed_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_GRADIENT_LOG_H_
