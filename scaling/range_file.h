// The file of limits and ranges that svm-scale saves (-s) and restores (-r).
#ifndef SVM_SCALING_RANGE_FILE_H_
#define SVM_SCALING_RANGE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "scaling/feature_ranges.h"

namespace svm {

// Where ranges are mapped to.
struct Limits {
  double lower = -1;
  double upper = 1;
};

struct ScalingParameters {
  bool scale_target = false;
  Limits target_limits;  // these two for scale_target only
  Range target_range;
  Limits limits;
  std::vector<FeatureRange> features;  // ascending
};

// LIBSVM's text: features that do not vary and those with an index below 1 are left out.
std::string range_file_text(const ScalingParameters& parameters);

// Throws InputError.
ScalingParameters parse_range_file(std::string_view text);

}  // namespace svm

#endif  // SVM_SCALING_RANGE_FILE_H_
