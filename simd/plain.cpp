#define SVM_SIMD_LEVEL 0  // see simd/vector.h

#include "simd/loops.h"
#include "simd/table.h"

namespace svm {

const Loops kPlainLoops = kTable;

}  // namespace svm
