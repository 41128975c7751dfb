// The kinds of SVM types.
#ifndef SVM_MODEL_SVM_TYPE_H_
#define SVM_MODEL_SVM_TYPE_H_

#include "kernels/kernel_types.h"
#include "svm.h"

namespace svm {

// One-class is neither.
constexpr bool is_classification(int svm_type) { return svm_type == C_SVC || svm_type == NU_SVC; }
constexpr bool is_regression(int svm_type) { return svm_type == EPSILON_SVR || svm_type == NU_SVR; }

}  // namespace svm

#endif  // SVM_MODEL_SVM_TYPE_H_
