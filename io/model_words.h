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

}  // namespace svm

#endif  // SVM_IO_MODEL_WORDS_H_
