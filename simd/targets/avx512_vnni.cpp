#include "simd/targets/avx512.h"

namespace svm {
namespace {
using BitCounter = BitCounterByInstruction;
using WideBitCounter = WideBitCounterByInstruction;
using ByteDots = ByteDotsByInstruction;
}  // namespace
}  // namespace svm

#include "simd/loops/table.h"
#include "simd/targets/tables.h"

namespace svm {

constexpr Loops kAvx512VnniLoops = table_of_loops();

}  // namespace svm
