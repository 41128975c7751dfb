// Start points from a model that was trained on the same rows.
#ifndef SVM_TRAINING_INIT_H_
#define SVM_TRAINING_INIT_H_

#include <vector>

#include "svm.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// Returns a start point for each class pair in its order, which depends on `sorted_classes` as in
// group_classes(), or one for regression and one-class.  `problem` has all rows of its data set;
// start points have those of weight above 0.  Support vectors are matched with rows of their class
// by the eight digits that a model file has of them.  Throws std::invalid_argument if type, kernel,
// classes or rows do not fit.
std::vector<StartPoint> start_points(const Problem& problem, const svm_parameter& param,
                                     const svm_model& model, bool sorted_classes = false);

}  // namespace svm

#endif  // SVM_TRAINING_INIT_H_
