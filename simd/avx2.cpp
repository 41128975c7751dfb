#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 32;
}
}  // namespace svm

#include "simd/exp_loops.h"
#include "simd/solver_loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kAvx2Loops = {
    exp_to_float, find_ends_of, add_pair, add_conjugate, find_partner, add_rows,
};

}  // namespace svm
