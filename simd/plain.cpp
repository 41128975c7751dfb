#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 16;
}
}  // namespace svm

#include "simd/exp_loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kPlainLoops = {
    exp_to_float,
    rbf_to_float,
};

}  // namespace svm
