// The tables that are compiled in, from which loops() chooses.
#ifndef SVM_BASE_SIMD_TARGETS_TABLES_H_
#define SVM_BASE_SIMD_TARGETS_TABLES_H_

#include "base/simd/loops.h"
#include "base/simd/processor.h"

namespace svm {

extern const Loops kPlainLoops;
#if defined(SVM_HAS_X86_LOOPS)
extern const Loops kAvx2Loops;
extern const Loops kAvx512Loops;
// Replaces the loops of kAvx512Loops that are faster with the parts vpopcntdq, bitalg and vnni.
void use_vnni_loops(Loops& table);
#elif defined(SVM_HAS_NEON_LOOPS)
extern const Loops kNeonLoops;
#endif

}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_TABLES_H_
