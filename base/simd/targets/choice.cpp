#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"

namespace svm {

#if defined(SVM_HAS_X86_LOOPS)
namespace {

bool has_avx2() {  // with fma
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool has_avx512() {  // the parts f, dq, bw and vl, and AVX2
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}

// The parts vpopcntdq, bitalg and vnni, which say nothing of the others.
bool has_avx512_vnni() {
  return __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
         __builtin_cpu_supports("avx512bitalg") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}

Loops avx512_loops_of_processor() {
  Loops table = kAvx512Loops;
  if (has_avx512_vnni()) use_vnni_loops(table);
  return table;
}

}  // namespace
#endif

bool is_supported(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPlain:
      return true;
#if defined(SVM_HAS_X86_LOOPS)
    case InstructionSet::kAvx2:
      return has_avx2();
    case InstructionSet::kAvx512:
      return has_avx512();
#elif defined(SVM_HAS_NEON_LOOPS)
    case InstructionSet::kNeon:
      return true;
#endif
    default:
      return false;
  }
}

const Loops& loops(InstructionSet set) {
#if defined(SVM_HAS_X86_LOOPS)
  if (set == InstructionSet::kAvx512) {
    static const Loops table = avx512_loops_of_processor();
    return table;
  }
  if (set == InstructionSet::kAvx2) return kAvx2Loops;
#elif defined(SVM_HAS_NEON_LOOPS)
  if (set == InstructionSet::kNeon) return kNeonLoops;
#endif
  static_cast<void>(set);
  return kPlainLoops;
}

}  // namespace svm
