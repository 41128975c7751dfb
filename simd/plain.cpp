#include "simd/loops.h"

namespace svm {
namespace {
constexpr int kVectorBytes = 16;
}
}  // namespace svm

#include "simd/table.h"

namespace svm {

const Loops kPlainLoops = kTable;

}  // namespace svm
