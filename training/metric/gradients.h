// How much the decision functions of a machine depend on each feature.
#ifndef SVM_TRAINING_METRIC_GRADIENTS_H_
#define SVM_TRAINING_METRIC_GRADIENTS_H_

#include <vector>

#include "kernels/features.h"
#include "solvers/run/run.h"
#include "training/machines.h"
#include "training/problem.h"

namespace svm {

// Adds to squares[d] the sum over some rows of (df / dx_d)^2, for each feature number d: the
// diagonal of the average gradient outer product (Radhakrishnan, Beaglehole, Pandit, Belkin:
// Mechanism for feature learning in neural networks and backpropagation-free machine learning
// models, Science 383, 2024).  f is the function of a regression, or those of all pairs of classes
// at the rows of their two classes, with the RBF kernel.  `vectors` are of a training on `problem`,
// whose rows have the numbers 0, 1, 2 ...; `features` numbers all features of them.  Results do not
// depend on threads.  Does nothing if the run was stopped.
void add_squared_gradients(const Problem& problem, const SupportVectors& vectors,
                           const RowNumbers& rows, const Features& features, Run& run,
                           std::vector<double>& squares);

}  // namespace svm

#endif  // SVM_TRAINING_METRIC_GRADIENTS_H_
