#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 16;
}
}  // namespace svm

#include "simd/bit_loops.h"
#include "simd/block_loops.h"
#include "simd/exp_loops.h"
#include "simd/row_loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kPlainLoops = {
    exp_to_float,      rbf_arguments,    to_float,           polynomials,       block_dots<double>,
    block_dots<float>, block_dots_coded, block_dots_integer, look_up_differing, look_up_common,
};

}  // namespace svm
