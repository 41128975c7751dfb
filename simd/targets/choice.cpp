#include "simd/loops.h"
#include "simd/targets/tables.h"

namespace svm {

const Loops& loops(InstructionSet set) {
#if defined(SVM_HAS_X86_LOOPS)
  if (set == InstructionSet::kAvx512) {
    const bool has_all = __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
                         __builtin_cpu_supports("avx512bitalg") != 0 &&
                         __builtin_cpu_supports("avx512vnni") != 0;
    return has_all ? kAvx512VnniLoops : kAvx512Loops;
  }
  if (set == InstructionSet::kAvx2) return kAvx2Loops;
#elif defined(SVM_HAS_NEON_LOOPS)
  if (set == InstructionSet::kNeon) return kNeonLoops;
#endif
  static_cast<void>(set);
  return kPlainLoops;
}

}  // namespace svm
