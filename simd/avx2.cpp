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

#include "simd/table.h"

namespace svm {

const Loops kAvx2Loops = kTable;

}  // namespace svm
