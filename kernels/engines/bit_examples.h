// Examples whose values are all 1, as rows and columns of bits for the loops over bits.
#ifndef SVM_KERNELS_ENGINES_BIT_EXAMPLES_H_
#define SVM_KERNELS_ENGINES_BIT_EXAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/bit_blocks.h"
#include "base/simd/loops.h"
#include "kernels/engines/aligned_vector.h"

namespace svm {

// The bits of the features that occur: the most frequent ones come first, so that most rows have
// few digits.
std::vector<std::uint32_t> bits_by_frequency(const std::vector<std::size_t>& frequency);

class BitExamples {
 public:
  // The examples will have features 0 ... `features` - 1, at most kMaxBits.  `largest` bounds the
  // numbers of bits that will be counted.
  BitExamples(const Loops& loops, std::size_t features, std::size_t largest);

  void clear();
  // Adds an example with these features, which are distinct and in any order.
  void add(const std::uint32_t* features, std::size_t count);
  // Adds the examples of another object that was made with the same arguments.
  void add(const BitExamples& later);

  // Packs examples as columns, in place of what `bytes` held before.
  void pack(const std::uint32_t* examples, std::size_t count,
            AlignedVector<std::uint8_t>& bytes) const;
  // The blocks of packed columns.
  BitBlocks blocks(const AlignedVector<std::uint8_t>& packed, bool differing) const {
    return {packed.data(), digits_per_example_, parts_, differing};
  }
  // Examples as rows; borrows them, and the array.
  BitRows rows(const std::uint32_t* examples, std::size_t count) const {
    return {begin_.data(), digits_.data(), numbers_.data(), examples, count};
  }

 private:
  std::size_t digit_bits_;
  std::size_t digits_per_example_, digits_per_part_, parts_;
  // As in BitRows.
  std::vector<std::size_t> begin_;
  std::vector<BitDigit> digits_;
  std::vector<std::uint8_t> numbers_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_BIT_EXAMPLES_H_
