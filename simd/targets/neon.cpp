#include "simd/processor.h"

#if defined(SVM_HAS_NEON_LOOPS)

// The loops use the primitives, which must be included first.
// clang-format off
#include "simd/targets/neon.h"

#include "simd/loops/table.h"
#include "simd/targets/tables.h"
// clang-format on

namespace svm {

constexpr Loops kNeonLoops = table_of_loops();

}  // namespace svm

#endif
