// Finds the ends of digit sequences in blocks of characters.
#ifndef SVM_BASE_SIMD_TEXT_BLOCK_H_
#define SVM_BASE_SIMD_TEXT_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

#include "base/platform/bits.h"

namespace svm {

inline constexpr int kWordCharacters = 8;
inline constexpr std::size_t kBlockCharacters = 64;

constexpr std::uint64_t repeat(std::uint64_t byte) { return byte * 0x0101010101010101U; }

// Eight characters at `text` as a number, the first one in the lowest bits.
inline std::uint64_t load_word(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return platform::first_byte_lowest(word);
}

// The highest bit of every byte that is not a digit.
constexpr std::uint64_t not_digits(std::uint64_t word) {
  const std::uint64_t value = word ^ repeat('0');
  return (((value & repeat(0x7F)) + repeat(0x76)) | value) & repeat(0x80);
}

// One bit for each of the kBlockCharacters at `text`, the first one lowest: set if it is not a
// digit.
inline std::uint64_t mark_not_digits(const char* text) {
#if defined(__SSE2__)
  std::uint64_t marks = 0;
  for (unsigned i = 0; i < kBlockCharacters; i += 16) {
    const __m128i piece = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    // Maps '0' to the lowest signed byte, so that one comparison separates digits from all others.
    const __m128i moved = _mm_add_epi8(piece, _mm_set1_epi8(static_cast<char>(-128 - '0')));
    const __m128i others = _mm_cmpgt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + 9)));
    marks |= static_cast<std::uint64_t>(_mm_movemask_epi8(others)) << i;
  }
  return marks;
#elif defined(__AARCH64EL__)
  // Every byte keeps one bit, by its position among eight; adding neighbours combines them.
  const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
  const auto marks_of = [place](const char* piece) {
    const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(piece));
    return vandq_u8(vcgtq_u8(vsubq_u8(bytes, vdupq_n_u8('0')), vdupq_n_u8(9)), place);
  };
  const uint8x16_t low = vpaddq_u8(marks_of(text), marks_of(text + 16));
  const uint8x16_t high = vpaddq_u8(marks_of(text + 32), marks_of(text + 48));
  const uint8x16_t both = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
#else
  std::uint64_t marks = 0;
  for (unsigned i = 0; i < kBlockCharacters; i += kWordCharacters) {
    // The multiplication gathers the highest bits of all bytes.
    const std::uint64_t bits = (not_digits(load_word(text + i)) >> 7U) * 0x0102040810204080U >> 56U;
    marks |= bits << i;
  }
  return marks;
#endif
}

}  // namespace svm

#endif  // SVM_BASE_SIMD_TEXT_BLOCK_H_
