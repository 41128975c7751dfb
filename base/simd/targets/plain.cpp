#include "base/simd/targets/plain.h"

#include "base/simd/loops/table.h"
#include "base/simd/targets/tables.h"

namespace svm {

const Loops kPlainLoops = table_of_loops();

}  // namespace svm
