#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"
#include "base/simd/x86_processor.h"

namespace svm {

#if defined(SVM_HAS_X86_LOOPS)
namespace {

Loops avx512_loops_of_processor() {
  Loops table = kAvx512Loops;
  if (has_avx512_vnni()) use_vnni_loops(table);
  return table;
}

}  // namespace
#endif

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
