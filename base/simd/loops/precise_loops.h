// Sums of kernel values in doubles that are not stored. Compiled once for each target (vector.h).
//
// All targets except plain C++ give the same bits: the order of operations for a value and for a
// sum is the same in all, and every multiply_add() rounds once.
#ifndef SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/prediction_loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

void add_precise_sums(const PreciseKernel& kernel, const double* block, const double* norms,
                      const PackedRows<double>& rows, const double* row_norms,
                      const double* factors, std::size_t count, double* sums) {
  const auto add = [&](const auto& inner, std::size_t c) {
    PreciseTile tile;
    for (std::size_t r = 0; r < kPackRows; ++r) {
      for (std::size_t v = 0; v < kPreciseVectors; ++v) {
        Doubles& value = tile.values[r][v];
        value = inner[r][v];
        if (kernel.inner != PreciseInner::kDistances) continue;
        value = all(row_norms[r]) + load(norms + c + v * kLanes) - value;
      }
    }
    apply_tail(kernel, tile);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t v = 0; v < kPreciseVectors; ++v) {
        double* const sum = sums + c + v * kLanes;
        store(sum, multiply_add(all(factors[r]), tile.values[r][v], load(sum)));
      }
    }
  };
  if (kernel.inner == PreciseInner::kDifferences) {
    for_tiles_of<FusedDifference<Doubles>, kPackColumns, Doubles, kPackRows, kPreciseVectors>(
        block, rows, add);
  } else {
    for_tiles_of<FusedProduct<Doubles>, kPackColumns, Doubles, kPackRows, kPreciseVectors>(
        block, rows, add);
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_
