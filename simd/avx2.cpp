#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 32;
}
}  // namespace svm

#include "simd/exp_loops.h"
#include "simd/library_exp_loops.h"
#include "simd/prediction_loops.h"
#include "simd/vector.h"

namespace svm {

const Loops kAvx2Loops = {
    exp_to_float, rbf_to_float, library_exp, add_squared_differences,
    add_products, add_weighted, add_to_all,
};

}  // namespace svm
