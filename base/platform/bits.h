// Processor instructions that C++17 cannot express.
#ifndef SVM_BASE_PLATFORM_BITS_H_
#define SVM_BASE_PLATFORM_BITS_H_

#include <cstddef>
#include <cstdint>

namespace svm::platform {

// Prefetches the cache line at `address`, which need not be a valid address.  The empty statement
// keeps GCC from taking functions that only prefetch for such without effect, whose calls it leaves
// out.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

// Number of bits in a std::uint64_t.
constexpr std::size_t kWordBits = 64;

// Index of the lowest set bit. `bits` must not be 0.  It is always inlined, as functions compiled
// for one instruction set must leave no copy that others would call.
[[gnu::always_inline]] inline int trailing_zeros(std::uint64_t bits) {
  return __builtin_ctzll(bits);
}

// The eight loaded bytes as a number whose lowest byte is the first one in memory.
inline std::uint64_t first_byte_lowest(std::uint64_t loaded) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return loaded;
#else
  return __builtin_bswap64(loaded);
#endif
}

// Tells the processor that this thread is spinning.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace svm::platform

#endif  // SVM_BASE_PLATFORM_BITS_H_
