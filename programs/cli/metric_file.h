// Files with the weights of features (--metric): ranges in svm-scale's format, by which svm-scale
// -l 0 -u 1 would divide each feature by the reciprocal of its weight.
#ifndef SVM_PROGRAMS_CLI_METRIC_FILE_H_
#define SVM_PROGRAMS_CLI_METRIC_FILE_H_

#include <string>
#include <string_view>

#include "kernels/feature_weights.h"
#include "svm.h"

namespace svm::cli {

struct MetricFile {
  std::string path;
  std::string text;
  FeatureWeights weights;  // features that are not in the file have weight 0, as with svm-scale -r
};

// Reads a file. Throws Failure if it cannot be read, or has other ranges.
MetricFile read_metric(const std::string& path);

// The file with these weights of the features that occur in a problem.
MetricFile metric_file(const std::string& path, const FeatureWeights& weights,
                       const svm_problem& problem);
// Writes it completely or not at all. Throws Failure.
void write_metric(const MetricFile& file);

// Multiplies the features of all rows by their weights, in place.
void weigh_rows(const svm_problem& problem, const FeatureWeights& weights);

// The line behind the support vectors of a model file by which svm-predict knows the metric that
// the model was trained with. LIBSVM ignores what stands there. Empty if `file` has no path.
std::string metric_line(const MetricFile& file);

// Tells if a model's metric, which the text of its file names, is not that of `file`: by a warning
// if there is none, by a Failure if it is another one.
void check_metric(const std::string& model, std::string_view text, const MetricFile& file);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_METRIC_FILE_H_
