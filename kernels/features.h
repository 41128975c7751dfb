// The features that occur in some rows, numbered.
#ifndef SVM_KERNELS_FEATURES_H_
#define SVM_KERNELS_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/data_row.h"

namespace svm {

// Numbers features 0, 1, 2 ... by rising index.
class Features {
 public:
  // Takes distinct indices in rising order, fewer than 2^32.
  explicit Features(std::vector<int> indices);

  struct Entry {
    std::uint32_t number;
    double value;
  };
  // A row in terms of the numbers.  `others` are the features without one, each with the number of
  // the feature that it comes before.
  struct Row {
    std::vector<Entry> entries, others;
  };
  std::size_t size() const { return indices_.size(); }
  int index(std::size_t number) const { return indices_[number]; }
  std::size_t bytes() const {
    return indices_.size() * sizeof(int) + numbers_.size() * sizeof(std::uint32_t);
  }

  // Replaces `row` by `data`.  Requires is_orderly(data).
  void place(const DataRow& data, Row& row) const;
  // The same without a copy: calls entry(number, value) and other(number, value), in order.
  template <typename OfEntry, typename OfOther>
  void for_each(const DataRow& data, const OfEntry& entry, const OfOther& other) const {
    std::uint32_t next = 0;  // the number behind that of the last feature
    const int* const indices = indices_.data();
    const std::size_t size = indices_.size();
    data.for_each([&, indices, size](int index, double value) {
      const bool is_next = next < size && indices[next] == index;
      const std::uint32_t number = is_next ? next : number_from(index);
      if (is_next || (number < size && indices[number] == index)) {
        entry(number, value);
        next = number + 1;
      } else {
        other(number, value);
        next = number;
      }
    });
  }

 private:
  // The first number whose index is not below `index`.
  std::uint32_t number_from(int index) const;

  std::vector<int> indices_;
  // number_from() of each index from the first on; empty if the indices are few in a wide range.
  std::vector<std::uint32_t> numbers_;
};

// The indices of all features of some rows, each once, rising.
std::vector<int> indices_of(const DataRows& rows, std::size_t count);

// True if the indices rise from feature to feature and all values are finite.  LIBSVM's merge of
// two rows gives other results for other rows.
bool is_orderly(const DataRow& row);

// True if all values are 1.
bool is_all_ones(const DataRow& row);

}  // namespace svm

#endif  // SVM_KERNELS_FEATURES_H_
