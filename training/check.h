// Checks of parameters against a problem.
#ifndef SVM_TRAINING_CHECK_H_
#define SVM_TRAINING_CHECK_H_

#include <vector>

#include "svm.h"
#include "training/problem.h"

namespace svm {

// Returns LIBSVM's message (a string constant) if the parameters are invalid, else null.  NaN is
// never valid.  Here and below, `weights` has the weights of the rows; null if all are 1.
const char* check_parameters(const Problem& problem, const svm_parameter& param,
                             const double* weights = nullptr);

// What is wrong if a C of a class is negative or NaN; null if none is.
const char* cost_fault(const std::vector<double>& costs);

// The largest nu for which nu-SVC has a feasible point: the least 2 min(n_a, n_b) / (n_a + n_b) of
// all pairs of classes, and at most 1.
double largest_feasible_nu(const Problem& problem, const double* weights = nullptr);
bool nu_is_feasible(const Problem& problem, double nu, const double* weights);

}  // namespace svm

#endif  // SVM_TRAINING_CHECK_H_
