// Rows of a precomputed kernel: 0:serial 1:K(row, 1) 2:K(row, 2) ... and index -1 at the end.  Like
// LIBSVM, the library does not read the indices: some programs number the places from 1.
// K(row, other) is at the position given by the serial number of the other row.  Rows of a view
// hold the values from position 1 on, or have them computed by the caller; their serial numbers are
// 1, 2, ...
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

// A precomputed row has no serial number, or no value for one that it is asked for.
class PrecomputedRowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The value of a row at a position, which must be in the row.
inline double value_at(const DataRow& row, std::size_t position) {
  if (const svm_node* const nodes = row.nodes()) return nodes[position].value;
  return position == 0 ? static_cast<double>(row.number() + 1) : row.value_in(position - 1);
}

// Index of the first pair of a row; 0 if the row is valid.
inline int first_index(const DataRow& row) {
  const svm_node* const nodes = row.nodes();
  return nodes == nullptr ? 0 : nodes->index;
}

// The serial number that `row` begins with.  Nothing if that is not a whole number from 0 to
// INT_MAX.
inline std::optional<int> serial_number(const DataRow& row) {
  constexpr double kMost = std::numeric_limits<int>::max();
  const double value = value_at(row, 0);
  const int nearest = static_cast<int>(std::min(std::max(0.0, value), kMost));  // 0 for NaN
  return nearest == value ? std::optional<int>(nearest) : std::nullopt;
}

// The first pair of `row` as text for messages.
std::string first_pair(const DataRow& row);

// The values of a row by position.  The length of a row of nodes shows only at its end, so the row
// is walked once, and no further than requested, however many values are looked up.
class PrecomputedRow {
 public:
  explicit PrecomputedRow(const DataRow& row)
      : row_(row), nodes_(row.nodes()), seen_(nodes_ == nullptr ? row.columns() + 1 : 0) {}

  // True if the row has values at 0 ... position.
  bool reaches(int position) {
    const auto place = static_cast<std::size_t>(position);
    while (nodes_ != nullptr && seen_ <= place && nodes_[seen_].index != -1) ++seen_;
    return place < seen_;
  }

  // Number of values seen so far; all of them once reaches() has returned false.
  std::size_t seen() const { return seen_; }

  // Requires reaches(position).
  double value_at(int position) const {
    return svm::value_at(row_, static_cast<std::size_t>(position));
  }

 private:
  const DataRow row_;
  const svm_node* const nodes_;
  std::size_t seen_;
};

// Sets values[s] = K(x, support_vectors[s]).  Throws PrecomputedRowError if a support vector has no
// serial number, or x has no value for it.
void look_up(const DataRow& x, const DataRows& support_vectors, std::size_t count, double* values);

}  // namespace svm

#endif  // SVM_KERNELS_PRECOMPUTED_ROW_H_
