// The tail of a kernel: its values from dot products or squared distances, many at a time, in
// exact, single and double arithmetic.  KernelFunction::of_inner() is the tail for one value.
#ifndef SVM_KERNELS_KERNEL_TAIL_H_
#define SVM_KERNELS_KERNEL_TAIL_H_

#include <cstddef>
#include <optional>

#include "base/simd/loops.h"
#include "kernels/kernel_function.h"

namespace svm {

// The form of the kernel's tail in the loops of single and double arithmetic.  Nothing if there are
// no such loops: of_inner() then computes the values one by one.
std::optional<TailForm> tail_form(int kernel_type);

// Values with the bits of of_inner(), on every instruction set.
class ExactTail {
 public:
  explicit ExactTail(const KernelFunction& kernel);

  // out[k] = of_dot(dots[k], norm, norms[k]) rounded to float, for k < count.  `norms` may be null
  // if the kernel is one of dot products.
  void values(const double* dots, double norm, const double* norms, std::size_t count,
              float* out) const;
  // The same in doubles, from dot products or squared distances.  `out` may be `inner`.
  void values(const double* inner, std::size_t count, double* out) const;

  // Rough cost of one value rounded to float, in nanoseconds; the same on every processor.
  double cost() const;

 private:
  KernelFunction kernel_;
  const Loops& loops_;
  bool vector_exp_;  // Loops::library_exp gives the bits of the library's exp
};

// The tail in single arithmetic, for inner sums in multiples of `unit`.  Requires tail_form().
SingleTail single_tail(const KernelFunction& kernel, double unit);

// The tail in double arithmetic, for fused sums.  `largest_norm` bounds the squared norms of the
// rows.  Requires tail_form().
PreciseKernel precise_tail(const KernelFunction& kernel, PreciseInner inner, double largest_norm);

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_TAIL_H_
