#define SVM_SIMD_LEVEL 3  // see simd/vector.h

#include "simd/loops.h"
#include "simd/table.h"

namespace svm {

const Loops kAvx512PopcountLoops = kTable;

}  // namespace svm
