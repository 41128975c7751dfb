// Rows of a precomputed kernel: 0:serial 1:K(row, 1) 2:K(row, 2) ... and index -1 at the end.  A
// value is looked up at the position that the serial number of the other row names.
#ifndef SVM_KERNELS_PRECOMPUTED_ROW_H_
#define SVM_KERNELS_PRECOMPUTED_ROW_H_

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "svm.h"

namespace svm {

// A precomputed row has no entry for a serial number that is asked of it, or no serial number.
class PrecomputedRowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The serial number that `row` begins with.  Nothing where that is not a whole number from 0 to the
// largest int.
inline std::optional<int> serial_number(const svm_node* row) {
  constexpr double kMost = std::numeric_limits<int>::max();
  const double value = row->value;
  const int nearest = static_cast<int>(std::min(std::max(0.0, value), kMost));  // 0 for NaN
  return nearest == value ? std::optional<int>(nearest) : std::nullopt;
}

// The first pair of `row` as messages show it.
std::string first_pair(const svm_node* row);

// A view of the nodes of a row.  Only its end tells how long it is: it is walked once, and no
// further than it is asked for, so that any number of values can be looked up.
class PrecomputedRow {
 public:
  explicit PrecomputedRow(const svm_node* nodes) : nodes_(nodes) {}

  // Are there nodes 0 ... position?
  bool reaches(int position) {
    const auto place = static_cast<std::size_t>(position);
    if (place >= seen_) walk(place);
    return place < seen_;
  }

  // Nodes seen so far: all of them once reaches() was false.
  std::size_t seen() const { return seen_; }

  // The row must reach so far.
  double value_at(int position) const { return nodes_[position].value; }

 private:
  void walk(std::size_t position);

  const svm_node* nodes_;
  std::size_t seen_ = 0;
};

// K(x, support_vectors[s]) goes to values[s].  Throws PrecomputedRowError where a support vector
// has no serial number, or x no value for it.
void look_up(const svm_node* x, const svm_node* const* support_vectors, std::size_t count,
             double* values);

}  // namespace svm

#endif  // SVM_KERNELS_PRECOMPUTED_ROW_H_
