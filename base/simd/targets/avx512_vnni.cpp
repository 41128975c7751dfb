#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

#if defined(__clang__)
#pragma clang diagnostic push  // only some loops are here: primitives are left over
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#pragma clang attribute push(                                                                     \
    __attribute__((target(                                                                        \
        "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx512vnni"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target( \
    "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl,avx512vpopcntdq,avx512bitalg,avx512vnni,prefer-vector-width=512")
#endif

#include "base/simd/targets/avx512.h"

namespace svm {
namespace {
using RowDigit = RowDigitByInstruction;
using WideBitCounter = WideBitCounterByInstruction;
using ByteDots = ByteDotsByInstruction;
}  // namespace
}  // namespace svm

#include "base/simd/loops/counting_table.h"
#include "base/simd/targets/tables.h"

namespace svm {

void use_vnni_loops(Loops& table) { set_counting_loops(table); }

}  // namespace svm

#if defined(__clang__)
#pragma clang attribute pop
#pragma clang diagnostic pop
#else
#pragma GCC pop_options
#endif

#endif
