#include "simd/targets/avx512.h"

namespace svm {
namespace {
using BitCounter = BitCounterByTable;
using WideBitCounter = WideBitCounterByTable;
using ByteDots = ByteDotsByHalves;
}  // namespace
}  // namespace svm

#include "simd/loops/table.h"
#include "simd/targets/tables.h"

namespace svm {

constexpr Loops kAvx512Loops = table_of_loops();

}  // namespace svm
