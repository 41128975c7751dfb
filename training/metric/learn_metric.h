// Learns a diagonal metric for the RBF kernel from the gradients of machines.
#ifndef SVM_TRAINING_METRIC_LEARN_METRIC_H_
#define SVM_TRAINING_METRIC_LEARN_METRIC_H_

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/feature_weights.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/metric/trials.h"
#include "training/problem.h"

namespace svm {

struct Metric {
  FeatureWeights weights;  // none if the guards prefer that
  // The part of the rows that judge the guards which is predicted wrong, or their mean squared
  // error, without and with weights.
  double error_without = 0, error_with = 0;
  std::size_t judged = 0;
  std::size_t features = 0;  // of the pilots; nothing is learned if they are too many
};

// Constants of the method; docs/notes/metric.md has what others give.
struct MetricRecipe {
  std::size_t rounds = 5;
  std::size_t rows = 1600;   // at which gradients are taken, over all pilots
  double exponent = 0.45;    // weights are this power of the mean squared gradient
  double least = 1e-6;       // features with a smaller part of the largest square keep their weight
  double margin = 2;         // standard deviations by which weights must lower the error
  double choice_margin = 1;  // and those that decide between weights
};

// What is wrong with a metric for such machines; null if nothing is.
const char* metric_fault(const svm_parameter& param, const Run& run);

// A metric is learned for up to so many features that occur in the pilots.
constexpr std::size_t kMostMetricFeatures = 10000;

// Learns weights in rounds: machines of the pilots are trained with the weights so far, and new
// weights made of their gradients, so that the mean squared distance of rows stays the same.  The
// weights with the least error of the pilots are compared, at several multiples of gamma, with no
// weights by the guards.  A multiple is folded into the weights.  The problem's weights of rows
// were checked, and those of rows in trials are above 0.  If the run was stopped, there are no
// weights.
Metric learn_metric(const Problem& problem, const svm_parameter& param, const MetricTrials& trials,
                    Run& run, const MetricRecipe& recipe = {});

// Learns that of a machine of all rows whose weights are above 0.
Metric machine_metric(const Problem& problem, const svm_parameter& param, Run& run);

// Predicts every row by a machine that was trained on the other folds, with the metric that is
// learned from these.  Rows of unfinished folds are NaN.  Throws as make_folds() and train().
std::vector<double> cross_validate_by_metrics(const Problem& problem, const svm_parameter& param,
                                              int folds, Run& run);

// A line that tells what was learned, with the features of the largest weights.
std::string metric_text(const Metric& metric, const svm_parameter& param);

}  // namespace svm

#endif  // SVM_TRAINING_METRIC_LEARN_METRIC_H_
