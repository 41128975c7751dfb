// The tail of a kernel: from dot products or squared distances to values, many at a time, in each
// arithmetic.  KernelFunction::of_inner() is the tail for one value.
#ifndef SVM_KERNELS_KERNEL_TAIL_H_
#define SVM_KERNELS_KERNEL_TAIL_H_

#include <cstddef>
#include <optional>

#include "kernels/kernel_function.h"
#include "simd/loops.h"

namespace svm {

// The tail that has loops of its own in single and double arithmetic.  A kernel that has none is
// computed exactly, by of_inner().
std::optional<TailForm> tail_form(int kernel_type);

// Exact: values with the bits of of_inner(), so that they do not depend on the instruction set.
class ExactTail {
 public:
  explicit ExactTail(const KernelFunction& kernel);

  // out[k] = of_dot(dots[k], norm, norms[k]) rounded to float, for k < count.  `norms` may be null
  // if the kernel is one of dot products.
  void values(const double* dots, double norm, const double* norms, std::size_t count,
              float* out) const;
  // The same in doubles, from dot products or squared distances.
  void values(const double* inner, std::size_t count, double* out) const;

  // Of one value to float, roughly, in nanoseconds: the same for every processor.
  double cost() const;

 private:
  KernelFunction kernel_;
  const Loops& loops_;
  bool vector_exp_;  // Loops::library_exp has the bits of the library's exp
};

// Single arithmetic, for sums of which 1 stands for `unit`.  The kernel has a tail_form().
SingleTail single_tail(const KernelFunction& kernel, double unit);

// Double arithmetic, for sums whose values are not kept.  `mark_value` is what a mark stands for;
// `largest_norm` bounds the squared norms of the rows.  The kernel has a tail_form().
PreciseKernel precise_tail(const KernelFunction& kernel, PreciseInner inner, double mark_value,
                           double largest_norm);

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_TAIL_H_
