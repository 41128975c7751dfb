// Processor instructions that C++17 cannot express.
#ifndef SVM_BASE_PLATFORM_BITS_H_
#define SVM_BASE_PLATFORM_BITS_H_

#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace svm::platform {

// Prefetches the cache line at `address`, which need not be a valid address.  The empty statement
// keeps GCC from taking functions that only prefetch for such without effect, whose calls it leaves
// out.
inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
  asm volatile("");
#elif defined(_M_X64) || defined(_M_IX86)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

// Number of bits in a std::uint64_t.
constexpr std::size_t kWordBits = 64;

// Index of the lowest set bit. `bits` must not be 0.  It is always inlined, as functions compiled
// for one instruction set must leave no copy that others would call.
[[gnu::always_inline]] inline int trailing_zeros(std::uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_ctzll(bits);
#elif defined(_M_X64) || defined(_M_ARM64)
  unsigned long place = 0;
  _BitScanForward64(&place, bits);
  return static_cast<int>(place);
#else
  int place = 0;
  for (; (bits & 0xff) == 0; bits >>= 8) place += 8;
  for (; (bits & 1) == 0; bits >>= 1) ++place;
  return place;
#endif
}

// The eight loaded bytes as a number whose lowest byte is the first one in memory.
inline std::uint64_t first_byte_lowest(std::uint64_t loaded) {
#if defined(_WIN32) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return loaded;
#else
  return __builtin_bswap64(loaded);
#endif
}

// Tells the processor that this thread is spinning.
inline void pause() {
#if defined(_MSC_VER) && !defined(__clang__)
#if defined(_M_X64) || defined(_M_IX86)
  _mm_pause();
#endif
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace svm::platform

#endif  // SVM_BASE_PLATFORM_BITS_H_
