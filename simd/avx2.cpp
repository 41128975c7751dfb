#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 32;
}
}  // namespace svm

#include "simd/table.h"

namespace svm {

const Loops kAvx2Loops = kTable;

}  // namespace svm
