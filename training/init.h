// Start points from a model that was trained on the same rows.
#ifndef SVM_TRAINING_INIT_H_
#define SVM_TRAINING_INIT_H_

#include <vector>

#include "svm.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// The coefficients of each binary problem of a training, in the order of the class pairs, which
// depends on `sorted_classes` as in group_classes(); one for regression and one-class.  Support
// vectors are found among the problem's rows of their class by what a model file keeps of them
// (eight digits).  The problem has all rows of its data set; starts have those of weight above 0.
// Throws std::invalid_argument where type, kernel, classes or rows do not fit.
std::vector<StartPoint> start_points(const Problem& problem, const svm_parameter& param,
                                     const svm_model& model, bool sorted_classes = false);

}  // namespace svm

#endif  // SVM_TRAINING_INIT_H_
