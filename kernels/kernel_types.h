// The table of kernels: their names in model files and help, and their parameters.
#ifndef SVM_KERNELS_KERNEL_TYPES_H_
#define SVM_KERNELS_KERNEL_TYPES_H_

#include <cstddef>
#include <iterator>

#include "svm.h"

namespace svm {

struct KernelType {
  const char* word;     // in model files
  const char* formula;  // for the help; u and v are rows
  // A function of the squared distance |u - v|^2, else of the dot product u'v.
  bool of_distances;
  bool has_degree, has_gamma, has_coef0;  // which parameters it has
};

// Indexed by svm_parameter::kernel_type.  KernelFunction::of_inner() computes the values.
inline constexpr KernelType kKernelTypes[] = {
    {"linear", "linear: u'v", false, false, false, false},
    {"polynomial", "polynomial: (gamma u'v + coef0)^degree", false, true, true, true},
    {"rbf", "radial basis function: exp(-gamma |u-v|^2)", true, false, true, false},
    {"sigmoid", "sigmoid: tanh(gamma u'v + coef0)", false, false, true, true},
    {"precomputed", "precomputed: row t of the file is 0:t 1:K(t,1) 2:K(t,2) ...", false, false,
     false, false},
};
inline constexpr int kKernelCount = static_cast<int>(std::size(kKernelTypes));

constexpr bool is_kernel_type(int type) { return type >= 0 && type < kKernelCount; }

// These take any number; all are false if it is not a kernel's.
constexpr bool is_of_distances(int type) {
  return is_kernel_type(type) && kKernelTypes[type].of_distances;
}
constexpr bool has_degree(int type) {
  return is_kernel_type(type) && kKernelTypes[type].has_degree;
}
constexpr bool has_gamma(int type) { return is_kernel_type(type) && kKernelTypes[type].has_gamma; }
constexpr bool has_coef0(int type) { return is_kernel_type(type) && kKernelTypes[type].has_coef0; }

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_TYPES_H_
