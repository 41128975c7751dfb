// Fused sums in doubles, for engines whose examples can be unpacked to values and marks.
#ifndef SVM_KERNELS_ENGINES_PRECISE_SUMS_H_
#define SVM_KERNELS_ENGINES_PRECISE_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

// Unpacks examples to values at places 0, 1, ..., and to marks: bits for features that have one and
// the same value in all examples that have them.  All marked values are mark_value(), up to the
// sign.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  virtual std::size_t places() const = 0;
  virtual std::size_t words() const = 0;  // words of 64 marks
  virtual double mark_value() const = 0;  // up to the sign, which may differ

  // Where to write an example: to values[place * stride] and marks[word * stride], which are zero
  // before.  used[place] is set to 1 for each place that is written.
  struct Target {
    std::size_t stride;
    double* values;
    std::uint64_t* marks;
    std::uint8_t* used;
  };
  // Returns the sum of the squared values, marks not included.
  virtual double unpack(std::uint32_t example, const Target& target) const = 0;

  // Announces that the example will be unpacked soon.
  virtual void prefetch(std::uint32_t /*example*/) const {}
};

// The places of features in an unpacked example.  A feature that has one value besides 0 is marked
// by bits.
struct FeaturePlaces {
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};  // the feature does not occur

  explicit FeaturePlaces(const std::vector<Examples::FeatureValues>& features);

  bool is_full(std::uint32_t feature) const { return (of[feature] & kMarkPlace) == 0; }

  std::vector<std::uint32_t> of;  // the place of each feature; from kMarkPlace on, among the marks
  std::vector<double> marked;     // the value of each place among the marks
  std::size_t full = 0;           // number of features with a value for each example
};

// Takes values from the rows of `examples`, which must outlive it.
class RowUnpacker final : public Unpacker {
 public:
  // The most frequent magnitude of the values that can be marked gets marks, unless it is rare;
  // features with others get places after the full ones.
  RowUnpacker(const Examples& examples, const FeaturePlaces& places);
  // Every feature has a place.
  explicit RowUnpacker(const Examples& examples);

  std::size_t places() const override { return full_; }
  std::size_t words() const override { return words_; }
  double mark_value() const override { return mark_value_; }
  double unpack(std::uint32_t example, const Target& target) const override;
  void prefetch(std::uint32_t example) const override { examples_.prefetch(example); }

 private:
  const Examples& examples_;
  std::vector<std::uint32_t> places_;  // of each feature: a place, or kMarkPlace + the mark
  std::size_t full_;
  std::size_t words_ = 0;
  double mark_value_ = 0;
};

class PreciseSums {
 public:
  // Requires tail_form().  `is_exact` tells that sums of products and of squares of values are
  // doubles without rounding.  `largest_norm` bounds the squared norms.
  PreciseSums(const KernelFunction& kernel, std::unique_ptr<const Unpacker> unpacker,
              double largest_norm, bool is_exact);

  // RowEngine::add_precise_sums()
  void add(const std::uint32_t* examples, const double* factors, std::size_t count,
           const std::uint32_t* columns, std::size_t width, double* sums) const;

 private:
  void add_group(const std::uint32_t* examples, const double* factors, std::size_t count,
                 const std::uint32_t* columns, std::size_t width, double* sums) const;

  std::unique_ptr<const Unpacker> unpacker_;
  PreciseKernel kernel_;
  const Loops& loops_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PRECISE_SUMS_H_
