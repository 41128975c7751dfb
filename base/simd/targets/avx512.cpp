#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")
#endif

#include "base/simd/targets/avx512.h"

namespace svm {
namespace {
using RowDigit = RowDigitByTable;
using WideBitCounter = WideBitCounterByTable;
using ByteDots = ByteDotsByHalves;
}  // namespace
}  // namespace svm

#include "base/simd/loops/table.h"
#include "base/simd/targets/tables.h"

namespace svm {

constexpr Loops kAvx512Loops = table_of_loops();

}  // namespace svm

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
