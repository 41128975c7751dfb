#define SVM_SIMD_LEVEL 2  // see simd/vector.h

#include "simd/loops.h"
#include "simd/table.h"

namespace svm {

const Loops kAvx512Loops = kTable;

}  // namespace svm
