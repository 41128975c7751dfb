#include "simd/targets/avx2.h"

#include "simd/loops/table.h"
#include "simd/targets/tables.h"

namespace svm {

constexpr Loops kAvx2Loops = table_of_loops();

}  // namespace svm
