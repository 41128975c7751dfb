#include "simd/exp_loops.h"
#include "simd/loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kAvx512Loops = {
    exp_to_float,
};

}  // namespace svm
