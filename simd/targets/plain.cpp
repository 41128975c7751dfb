#include "simd/targets/plain.h"

#include "simd/loops/table.h"
#include "simd/targets/tables.h"

namespace svm {

const Loops kPlainLoops = table_of_loops();

}  // namespace svm
