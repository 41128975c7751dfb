#include "simd/targets/neon.h"

#include "simd/loops/table.h"
#include "simd/targets/tables.h"

namespace svm {

constexpr Loops kNeonLoops = table_of_loops();

}  // namespace svm
