// Instructions that C++17 has no words for.
#ifndef SVM_PLATFORM_BITS_H_
#define SVM_PLATFORM_BITS_H_

#include <cstddef>
#include <cstdint>

namespace svm::platform {

// Asks the memory for the line at `address`, which need not be a valid one.
inline void prefetch(const void* address) { __builtin_prefetch(address); }

// Bits of std::uint64_t.
constexpr std::size_t kWordBits = 64;

// The place of the lowest bit that is set; there must be one.
inline int trailing_zeros(std::uint64_t bits) { return __builtin_ctzll(bits); }

// Eight bytes of memory as a number, the first byte in its lowest bits.
inline std::uint64_t first_byte_lowest(std::uint64_t loaded) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return loaded;
#else
  return __builtin_bswap64(loaded);
#endif
}

// Tells the processor that this thread waits in a loop.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace svm::platform

#endif  // SVM_PLATFORM_BITS_H_
