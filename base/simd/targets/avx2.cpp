#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

// The loops use the primitives, which must be included first.
// clang-format off
#include "base/simd/targets/avx2.h"

#include "base/simd/loops/table.h"
#include "base/simd/targets/tables.h"
// clang-format on

namespace svm {

constexpr Loops kAvx2Loops = table_of_loops();

}  // namespace svm

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
