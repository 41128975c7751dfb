// One binary sub-problem: a formulation of the SVM as a dual problem, solved.
#ifndef SVM_TRAINING_BINARY_H_
#define SVM_TRAINING_BINARY_H_

#include <vector>

#include "solvers/run.h"
#include "svm.h"

namespace svm {

// f(x) = sum_t coefficients_t K(x_t, x) - rho, over all rows of the problem; or, where there is a
// row of its own, f(x) = K(own_row, x) - rho.
struct DecisionFunction {
  std::vector<double> coefficients;
  double rho;
  std::vector<svm_node> own_row = {};  // with the node that ends it; or empty
};

// Trains on the rows of `problem`; labels count as positive above 0 for the classifications.
// `cost_positive` and `cost_negative` are C of the two classes (C-SVC only).  Prints what LIBSVM
// prints.  Throws PrecomputedRowError and std::bad_alloc.
DecisionFunction train_binary(const svm_problem& problem, const svm_parameter& param,
                              double cost_positive, double cost_negative, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_BINARY_H_
