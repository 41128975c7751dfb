#include "simd/loops.h"
#include "simd/targets/tables.h"
#include "simd/x86_processor.h"

namespace svm {

const Loops& loops(InstructionSet set) {
#if defined(SVM_HAS_X86_LOOPS)
  if (set == InstructionSet::kAvx512) return has_avx512_vnni() ? kAvx512VnniLoops : kAvx512Loops;
  if (set == InstructionSet::kAvx2) return kAvx2Loops;
#elif defined(SVM_HAS_NEON_LOOPS)
  if (set == InstructionSet::kNeon) return kNeonLoops;
#endif
  static_cast<void>(set);
  return kPlainLoops;
}

}  // namespace svm
