#include "base/simd/x86_processor.h"

#if defined(SVM_HAS_X86_LOOPS)

namespace svm {

#if !defined(_MSC_VER)

bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}

bool has_avx512_vnni() {
  return __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
         __builtin_cpu_supports("avx512bitalg") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}

#else

// Clang in place of MSVC links without the library that __builtin_cpu_supports() needs.
namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf) {
  Registers r;
  asm volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(0));
  return r;
}

// Zeros if the processor has no such leaf.
Registers leaf(unsigned number) { return number <= cpuid(0).a ? cpuid(number) : Registers(); }

bool has_bits(unsigned bits, unsigned all) { return (bits & all) == all; }

constexpr unsigned bit(int place) { return 1U << place; }

// Which registers the operating system saves.
unsigned saved_registers() {
  if (!has_bits(leaf(1).c, bit(27))) return 0;
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool supports_avx2() {
  constexpr unsigned kFmaAndAvx = bit(12) | bit(28), kAvx2 = bit(5);
  constexpr unsigned kVectors = bit(1) | bit(2);
  return has_bits(leaf(1).c, kFmaAndAvx) && has_bits(leaf(7).b, kAvx2) &&
         has_bits(saved_registers(), kVectors);
}

bool supports_avx512() {
  constexpr unsigned kParts = bit(16) | bit(17) | bit(30) | bit(31);
  constexpr unsigned kVectorsAndMasks = bit(5) | bit(6) | bit(7);
  return supports_avx2() && has_bits(leaf(7).b, kParts) &&
         has_bits(saved_registers(), kVectorsAndMasks);
}

// A virtual machine takes microseconds for each cpuid, so the answers are kept.
struct Processor {
  bool avx2 = supports_avx2();
  bool avx512 = supports_avx512();
  bool avx512_vnni = has_bits(leaf(7).c, bit(11) | bit(12) | bit(14));
};

const Processor& processor() {
  static const Processor features;
  return features;
}

}  // namespace

bool has_avx2() { return processor().avx2; }
bool has_avx512() { return processor().avx512; }
bool has_avx512_vnni() { return processor().avx512_vnni; }

#endif

}  // namespace svm

#endif
