// The words of a model file, shared by its reader and its writer.
#ifndef SVM_IO_MODEL_WORDS_H_
#define SVM_IO_MODEL_WORDS_H_

#include <array>

#include "svm.h"

namespace svm {

// Indexed by svm_parameter::svm_type and ::kernel_type.
constexpr std::array<const char*, 5> kSvmTypeWords = {"c_svc", "nu_svc", "one_class", "epsilon_svr",
                                                      "nu_svr"};
constexpr std::array<const char*, 5> kKernelTypeWords = {"linear", "polynomial", "rbf", "sigmoid",
                                                         "precomputed"};

constexpr bool has_degree(int kernel_type) { return kernel_type == POLY; }
constexpr bool has_gamma(int kernel_type) {
  return kernel_type == POLY || kernel_type == RBF || kernel_type == SIGMOID;
}
constexpr bool has_coef0(int kernel_type) { return kernel_type == POLY || kernel_type == SIGMOID; }

}  // namespace svm

#endif  // SVM_IO_MODEL_WORDS_H_
