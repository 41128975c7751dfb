#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 32;
}
}  // namespace svm

// This compiler takes the deliberately undefined registers of its own header for mistakes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include "simd/bit_loops.h"
#include "simd/block_loops.h"
#include "simd/exp_loops.h"
#include "simd/row_loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kAvx2Loops = {
    exp_to_float,      rbf_arguments,    to_float,           polynomials,       block_dots<double>,
    block_dots<float>, block_dots_coded, block_dots_integer, look_up_differing, look_up_common,
};

}  // namespace svm
