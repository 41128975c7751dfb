// Rows of a precomputed kernel: 0:serial 1:K(row, 1) 2:K(row, 2) ... and index -1 at the end.  A
// value is looked up at the position that the serial number of the other row names.  The rows of a
// view hold the values from position 1 on, and are numbered as they stand.
#ifndef SVM_KERNELS_PRECOMPUTED_ROW_H_
#define SVM_KERNELS_PRECOMPUTED_ROW_H_

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// A precomputed row has no entry for a serial number that is asked of it, or no serial number.
class PrecomputedRowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a row has at a position, which it must reach.
inline double value_at(const DataRow& row, std::size_t position) {
  if (const svm_node* const nodes = row.nodes()) return nodes[position].value;
  return position == 0 ? static_cast<double>(row.number() + 1) : row.value_in(position - 1);
}

// Where a row's first pair stands; 0 in one that is valid.
inline int first_index(const DataRow& row) {
  const svm_node* const nodes = row.nodes();
  return nodes == nullptr ? 0 : nodes->index;
}

// The serial number that `row` begins with.  Nothing where that is not a whole number from 0 to the
// largest int.
inline std::optional<int> serial_number(const DataRow& row) {
  constexpr double kMost = std::numeric_limits<int>::max();
  const double value = value_at(row, 0);
  const int nearest = static_cast<int>(std::min(std::max(0.0, value), kMost));  // 0 for NaN
  return nearest == value ? std::optional<int>(nearest) : std::nullopt;
}

// The first pair of `row` as messages show it.
std::string first_pair(const DataRow& row);

// The values of a row by position.  Of nodes only their end tells how many there are: they are
// walked once, and no further than is asked for, so that any number of values can be looked up.
class PrecomputedRow {
 public:
  explicit PrecomputedRow(const DataRow& row)
      : row_(row), nodes_(row.nodes()), seen_(nodes_ == nullptr ? row.columns() + 1 : 0) {}

  // Are there values at 0 ... position?
  bool reaches(int position) {
    const auto place = static_cast<std::size_t>(position);
    if (place >= seen_ && nodes_ != nullptr) walk(place);
    return place < seen_;
  }

  // Values seen so far: all of them once reaches() was false.
  std::size_t seen() const { return seen_; }

  // The row must reach so far.
  double value_at(int position) const {
    return svm::value_at(row_, static_cast<std::size_t>(position));
  }

 private:
  void walk(std::size_t position);

  const DataRow row_;
  const svm_node* const nodes_;
  std::size_t seen_;
};

// K(x, support_vectors[s]) goes to values[s].  Throws PrecomputedRowError where a support vector
// has no serial number, or x no value for it.
void look_up(const DataRow& x, const DataRows& support_vectors, std::size_t count, double* values);

}  // namespace svm

#endif  // SVM_KERNELS_PRECOMPUTED_ROW_H_
