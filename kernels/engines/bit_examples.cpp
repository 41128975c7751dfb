#include "kernels/engines/bit_examples.h"

#include <algorithm>
#include <iterator>

#include "base/platform/bits.h"

namespace svm {

std::vector<std::uint32_t> bits_by_frequency(const std::vector<std::size_t>& frequency) {
  std::vector<std::uint32_t> order, bits(frequency.size(), 0);
  for (std::uint32_t f = 0; f < frequency.size(); ++f) {
    if (frequency[f] > 0) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
  for (std::uint32_t bit = 0; bit < order.size(); ++bit) bits[order[bit]] = bit;
  return bits;
}

BitExamples::BitExamples(const Loops& loops, std::size_t features, std::size_t largest)
    : digit_bits_(loops.digit_bits),
      digits_per_example_(std::max<std::size_t>((features + digit_bits_ - 1) / digit_bits_, 1)),
      digits_per_part_(largest < 256 ? digits_per_example_ : kPartBits / digit_bits_),
      parts_((digits_per_example_ + digits_per_part_ - 1) / digits_per_part_),
      begin_(1, 0) {}

void BitExamples::clear() {
  begin_.assign(1, 0);
  digits_.clear();
  numbers_.clear();
}

void BitExamples::add(const std::uint32_t* features, std::size_t count) {
  constexpr std::size_t kMostRowDigits = kMaxBits / 4;
  const std::size_t first = numbers_.size();
  numbers_.resize(first + parts_, 0);
  std::uint8_t bits[kMostRowDigits] = {};
  std::uint64_t used[kMostRowDigits / platform::kWordBits] = {};
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t digit = features[n] / digit_bits_;
    bits[digit] |= static_cast<std::uint8_t>(1U << features[n] % digit_bits_);
    used[digit / platform::kWordBits] |= std::uint64_t{1} << digit % platform::kWordBits;
    ++numbers_[first + digit / digits_per_part_];
  }
  std::size_t part = 0;
  for (std::size_t w = 0; w < std::size(used); ++w) {
    for (std::uint64_t left = used[w]; left != 0; left &= left - 1) {
      const std::size_t digit =
          w * platform::kWordBits + static_cast<std::size_t>(platform::trailing_zeros(left));
      for (; part < digit / digits_per_part_; ++part) begin_.push_back(digits_.size());
      digits_.push_back({static_cast<std::uint16_t>(digit * kBitColumns), bits[digit]});
    }
  }
  for (; part < parts_; ++part) begin_.push_back(digits_.size());
}

void BitExamples::add(const BitExamples& later) {
  const std::size_t before = digits_.size();
  begin_.reserve(begin_.size() + later.begin_.size() - 1);
  for (std::size_t n = 1; n < later.begin_.size(); ++n) begin_.push_back(before + later.begin_[n]);
  digits_.insert(digits_.end(), later.digits_.begin(), later.digits_.end());
  numbers_.insert(numbers_.end(), later.numbers_.begin(), later.numbers_.end());
}

void BitExamples::pack(const std::uint32_t* examples, std::size_t count,
                       AlignedVector<std::uint8_t>& bytes) const {
  const std::size_t block_bytes = blocks(bytes, false).block_bytes();
  bytes.assign((count + kBitColumns - 1) / kBitColumns * block_bytes, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t run = k % kBitColumns / kBlockColumns * kBlockColumns;
    const std::size_t place = k % kBitGroup * 4 + k % kBlockColumns / kBitGroup;
    std::uint8_t* const to = bytes.data() + k / kBitColumns * block_bytes + run + place;
    const std::size_t first = examples[k] * parts_;
    for (std::size_t n = begin_[first]; n < begin_[first + parts_]; ++n) {
      to[digits_[n].plane] = static_cast<std::uint8_t>(digits_[n].bits);
    }
    for (std::size_t part = 0; part < parts_; ++part) {
      to[(digits_per_example_ + part) * kBitColumns] = numbers_[first + part];
    }
  }
}

}  // namespace svm
