// Are parameters fit for a problem?
#ifndef SVM_TRAINING_CHECK_H_
#define SVM_TRAINING_CHECK_H_

#include "svm.h"
#include "training/problem.h"

namespace svm {

// Null, or LIBSVM's message (a string constant).  NaN fails every range check.
const char* check_parameters(const Problem& problem, const svm_parameter& param);

// Largest nu for which nu-SVC has a feasible point: twice the smaller class of the most unequal
// pair over the size of the pair.
double largest_feasible_nu(const Problem& problem);

}  // namespace svm

#endif  // SVM_TRAINING_CHECK_H_
