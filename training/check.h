// Are parameters fit for a problem?
#ifndef SVM_TRAINING_CHECK_H_
#define SVM_TRAINING_CHECK_H_

#include "svm.h"
#include "training/problem.h"

namespace svm {

// Null, or LIBSVM's message (a string constant).  NaN fails every range check.  `weights` are those
// of the rows, here and below; null where all are 1.
const char* check_parameters(const Problem& problem, const svm_parameter& param,
                             const double* weights = nullptr);

// Largest nu for which nu-SVC has a feasible point: twice the smaller class of the most unequal
// pair over the size of the pair.
double largest_feasible_nu(const Problem& problem, const double* weights = nullptr);
bool nu_is_feasible(const Problem& problem, double nu, const double* weights);

}  // namespace svm

#endif  // SVM_TRAINING_CHECK_H_
