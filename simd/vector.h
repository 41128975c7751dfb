// Vectors of one width, for the generic loops.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_VECTOR_H_
#define SVM_SIMD_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace svm {
namespace {

// kBytes: the width of a register.  All members hold kLanes values, so that they convert lane by
// lane.  Products and sums of vectors are never fused (-ffp-contract=off).
template <int kBytes>
struct Vectors {
  static constexpr int kLanes = kBytes / 8;
  using Double = double __attribute__((vector_size(kBytes)));
  using Long = std::int64_t __attribute__((vector_size(kBytes)));
  using Float = float __attribute__((vector_size(kBytes / 2)));
  using Int = std::int32_t __attribute__((vector_size(kBytes / 2)));

  // From and to memory of any alignment.
  template <typename Vector, typename Value>
  static Vector load(const Value* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof(vector));
    return vector;
  }
  template <typename Value, typename Vector>
  static void store(Value* to, Vector vector) {
    std::memcpy(to, &vector, sizeof(vector));
  }
  static Double doubles(const double* from) { return load<Double>(from); }
  static Double doubles(const float* from) {
    return __builtin_convertvector(load<Float>(from), Double);
  }
  static Double all(double value) { return value - Double{}; }
};

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_VECTOR_H_
