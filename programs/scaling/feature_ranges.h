// The smallest and largest value of every feature: of a data file, and in LIBSVM's range files.
#ifndef SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_
#define SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

  std::vector<Entry> dense_;               // by index; rows is 0 where the index is not in use
  std::unordered_map<int, Entry> sparse_;  // indices too large for dense_ when they came first
  Entry target_;
  int min_index_ = 1;
  std::size_t rows_ = 0;
  std::size_t pairs_ = 0;
};

// The interval to which ranges are mapped.
struct Limits {
  double lower = -1;
  double upper = 1;
};

struct ScalingParameters {
  bool scale_target = false;
  Limits target_limits;  // this and target_range only if scale_target is set
  Range target_range;
  Limits limits;
  std::vector<FeatureRange> features;  // by ascending index
};

// LIBSVM's text, which omits features that do not vary and those with an index below 1.
std::string range_file_text(const ScalingParameters& parameters);

// Throws InputError.
ScalingParameters parse_range_file(std::string_view text);

}  // namespace svm

#endif  // SVM_PROGRAMS_SCALING_FEATURE_RANGES_H_
