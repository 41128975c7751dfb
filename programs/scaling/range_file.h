// Reads and writes the file of limits and ranges of svm-scale (options -s and -r).
#ifndef SVM_PROGRAMS_SCALING_RANGE_FILE_H_
#define SVM_PROGRAMS_SCALING_RANGE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "programs/scaling/feature_ranges.h"

namespace svm {

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

#endif  // SVM_PROGRAMS_SCALING_RANGE_FILE_H_
