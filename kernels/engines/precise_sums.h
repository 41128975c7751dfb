// Fused sums in doubles, by values that are packed anew for each call.
#ifndef SVM_KERNELS_ENGINES_PRECISE_SUMS_H_
#define SVM_KERNELS_ENGINES_PRECISE_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

// Examples with the features that occur at places 0, 1, ...
class PlacedExamples {
 public:
  // Takes examples that still have their pairs, which must outlive this.
  explicit PlacedExamples(const Examples& examples);

  std::size_t size() const { return count_; }
  double half_norm(std::uint32_t example) const { return examples_.squared_norm(example) / 2; }
  // Calls entry(place, value) for each value of the example.
  template <typename OfEntry, typename OfOther>
  void for_each(std::uint32_t example, const OfEntry& entry, const OfOther& /*none*/) const {
    examples_.for_each_value(
        example, [&](std::uint32_t feature, double value) { entry(places_[feature], value); });
  }

 private:
  const Examples& examples_;
  std::vector<std::uint32_t> places_;  // of each feature
  std::size_t count_ = 0;
};

class PreciseSums {
 public:
  // Takes examples that still have their pairs, which must outlive this.  Requires tail_form().
  // `is_exact` tells that sums of products and of squares of values are doubles without rounding.
  PreciseSums(const KernelFunction& kernel, const Examples& examples, bool is_exact);

  // RowEngine::add_precise_sums()
  void add(const std::uint32_t* examples, const double* factors, std::size_t count,
           const std::uint32_t* columns, std::size_t width, double* sums) const;

 private:
  void add_group(const std::uint32_t* examples, const double* factors, std::size_t count,
                 const std::uint32_t* columns, std::size_t width, double* sums) const;

  PlacedExamples examples_;
  PreciseKernel kernel_;
  const Loops& loops_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PRECISE_SUMS_H_
