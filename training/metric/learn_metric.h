// Learns a diagonal metric for the RBF kernel from the gradients of machines.
#ifndef SVM_TRAINING_METRIC_LEARN_METRIC_H_
#define SVM_TRAINING_METRIC_LEARN_METRIC_H_

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/feature_weights.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// A machine is trained on some rows of a problem and judged by others.
struct MetricTrial {
  RowNumbers trained, judged;
};
using MetricTrials = std::vector<MetricTrial>;

struct Metric {
  FeatureWeights weights;  // none if they do not lower the error for certain
  // The part of the rows that judge the guards which is predicted wrong, or their mean squared
  // error, without and with weights.  There are no such rows if the pilots prefer no weights.
  double error_without = 0, error_with = 0;
  std::size_t judged = 0;
};

// Constants of the method; docs/notes/metric.md has what others give.
struct MetricRecipe {
  std::size_t rounds = 5;
  std::size_t rows = 1600;   // at which gradients are taken, over all pilots
  double exponent = 0.45;    // weights are this power of the mean squared gradient
  double least = 1e-6;       // features with a smaller part of the largest square keep their weight
  double margin = 3;         // standard deviations by which weights must lower the error
  double choice_margin = 1;  // and those that decide between weights
};

// What is wrong with a metric for such machines; null if nothing is.
const char* metric_fault(const svm_parameter& param, const Run& run);

// Learns weights in rounds: machines of the pilots are trained with the weights so far, and new
// weights made of their gradients, so that the mean squared distance of rows stays the same.  The
// guards, judged by rows that no pilot has, decide between weights, at several multiples of gamma,
// and none.  A multiple is folded into the weights.  The problem's weights of rows were checked,
// and those of the trials' rows are above 0.  If the run was stopped, there are no weights.  Throws
// std::invalid_argument if there is a fault, or if the pilots have more than 10,000 features.
Metric learn_metric(const Problem& problem, const svm_parameter& param, const MetricTrials& pilots,
                    const MetricTrials& guards, Run& run, const MetricRecipe& recipe = {});

// A line that tells what was learned, with the features of the largest weights.
std::string metric_text(const Metric& metric, const svm_parameter& param);

}  // namespace svm

#endif  // SVM_TRAINING_METRIC_LEARN_METRIC_H_
