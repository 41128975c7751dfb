#define SVM_SIMD_LEVEL 1  // see simd/vector.h

#include "simd/loops.h"
#include "simd/table.h"

namespace svm {

const Loops kAvx2Loops = kTable;

}  // namespace svm
