// The kinds of SVM types, and the parameters that kernels have.
#ifndef SVM_MODEL_SVM_TYPE_H_
#define SVM_MODEL_SVM_TYPE_H_

#include "svm.h"

namespace svm {

// One-class is neither of the two.
constexpr bool is_classification(int svm_type) { return svm_type == C_SVC || svm_type == NU_SVC; }
constexpr bool is_regression(int svm_type) { return svm_type == EPSILON_SVR || svm_type == NU_SVR; }

constexpr bool has_degree(int kernel_type) { return kernel_type == POLY; }
constexpr bool has_gamma(int kernel_type) {
  return kernel_type == POLY || kernel_type == RBF || kernel_type == SIGMOID;
}
constexpr bool has_coef0(int kernel_type) { return kernel_type == POLY || kernel_type == SIGMOID; }

}  // namespace svm

#endif  // SVM_MODEL_SVM_TYPE_H_
