#include "simd/loops.h"

namespace svm {

const Loops& loops(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::kAvx512) {
    return __builtin_cpu_supports("avx512vpopcntdq") != 0 ? kAvx512PopcountLoops : kAvx512Loops;
  }
  if (set == InstructionSet::kAvx2) return kAvx2Loops;
#endif
  static_cast<void>(set);
  return kPlainLoops;
}

}  // namespace svm
