#include "base/simd/processor.h"

#if defined(SVM_HAS_NEON_LOOPS)

// The loops use the primitives, which must be included first.
// clang-format off
#include "base/simd/targets/neon.h"

#include "base/simd/loops/table.h"
#include "base/simd/targets/tables.h"
// clang-format on

namespace svm {

constexpr Loops kNeonLoops = table_of_loops();

}  // namespace svm

#endif
