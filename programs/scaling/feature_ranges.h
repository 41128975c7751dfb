// Computes the smallest and largest value of every feature of a data file.
#ifndef SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_
#define SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_

#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/platform/raw_array.h"
#include "svm.h"

namespace svm {

struct Range {
  double min = 0;
  double max = 0;
  bool is_point() const { return min == max; }
  double width() const { return max - min; }
};

struct FeatureRange {
  int index;
  Range range;
};

// Collects ranges row by row. Its memory grows with the data, not with the largest index.
class RangeCollector {
 public:
  // `row` ends with index -1.
  void add_row(double label, const svm_node* row);

  // The ranges of the features that vary, by ascending index. A row without a feature counts as 0
  // for it; index 0, which LIBSVM does not expect, counts only in rows that have it. Clears all
  // features.
  std::vector<FeatureRange> take_features();

  Range target() const { return {target_.min, target_.max}; }
  int min_index() const { return min_index_; }  // <= 1
  std::size_t rows() const { return rows_; }
  std::size_t pairs() const { return pairs_; }  // index:value pairs including explicit zeros

 private:
  struct Entry {
    double min = std::numeric_limits<double>::max();
    double max = std::numeric_limits<double>::lowest();
    std::size_t rows = 0;  // rows included so far, with or without the feature
    void include(double value);
  };

  Entry& entry(int index);
  Entry& dense_entry(std::size_t place);
  void grow_dense(std::size_t size);

  RawArray<Entry> dense_;                  // by index
  std::size_t dense_used_ = 0;             // number of entries in use; the others are uninitialised
  std::unordered_map<int, Entry> sparse_;  // indices too large for dense_
  Entry target_;
  int min_index_ = 1;
  std::size_t rows_ = 0;
  std::size_t pairs_ = 0;
};

}  // namespace svm

#endif  // SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_
