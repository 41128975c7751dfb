#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 64;
}
}  // namespace svm

#include "simd/table.h"

namespace svm {

const Loops kAvx512Loops = kTable;

}  // namespace svm
