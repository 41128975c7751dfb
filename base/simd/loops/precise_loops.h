// Sums of kernel values in doubles that are not stored. Compiled once for each target (vector.h).
//
// All targets except plain C++ give the same bits: the order of operations for a value and for a
// sum is the same in all, and every multiply_add() rounds once.
#ifndef SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

template <PreciseInner kInner>
inline void add_features(const double* block, const PreciseRows& rows, std::size_t panel,
                         PreciseTile& tile) {
  for (std::size_t n = rows.begin[panel]; n < rows.begin[panel + 1]; ++n) {
    const double* columns = block + rows.places[n] * kPreciseColumns;
    const double* values = rows.values + n * kPreciseRows;
    for (std::size_t v = 0; v < kPreciseVectors; ++v) {
      const Doubles column = load(columns + v * kLanes);
      for (std::size_t r = 0; r < kPreciseRows; ++r) {
        Doubles& sum = tile.values[r][v];
        if constexpr (kInner == PreciseInner::kDifferences) {
          const Doubles difference = all(values[r]) - column;
          sum = multiply_add(difference, difference, sum);
        } else {
          sum = multiply_add(all(values[r]), column, sum);
        }
      }
    }
  }
}

template <PreciseInner kInner>
void add_precise_tiles(const PreciseKernel& kernel, const PreciseBlocks& blocks, std::size_t count,
                       const PreciseRows& rows, double* sums) {
  for (std::size_t at = 0; at < count * kPreciseColumns; at += kPreciseTile) {
    const std::size_t block = at / kPreciseColumns, shift = at % kPreciseColumns;
    const double* values = blocks.values + block * blocks.places * kPreciseColumns + shift;
    const double* norms = blocks.norms + at;
    for (std::size_t first = 0, panel = 0; first < rows.count; first += kPreciseRows, ++panel) {
      PreciseTile tile;
      for (std::size_t v = 0; v < kPreciseVectors; ++v) {
        const Doubles norm =
            kInner == PreciseInner::kDistances ? load(norms + v * kLanes) : Doubles{};
        for (std::size_t r = 0; r < kPreciseRows; ++r) {
          tile.values[r][v] =
              kInner == PreciseInner::kDistances ? norm + all(rows.norms[first + r]) : Doubles{};
        }
      }
      add_features<kInner>(values, rows, panel, tile);
      apply_tail(kernel, tile);
      const std::size_t left = rows.count - first;
      for (std::size_t r = 0; r < kPreciseRows && r < left; ++r) {
        const Doubles weight = all(rows.factors[first + r]);
        for (std::size_t v = 0; v < kPreciseVectors; ++v) {
          double* sum = sums + at + v * kLanes;
          store(sum, multiply_add(weight, tile.values[r][v], load(sum)));
        }
      }
    }
  }
}

void add_precise_sums(const PreciseKernel& kernel, const PreciseBlocks& blocks, std::size_t count,
                      const PreciseRows& rows, double* sums) {
  switch (kernel.inner) {
    case PreciseInner::kProducts:
      return add_precise_tiles<PreciseInner::kProducts>(kernel, blocks, count, rows, sums);
    case PreciseInner::kDistances:
      return add_precise_tiles<PreciseInner::kDistances>(kernel, blocks, count, rows, sums);
    default:
      return add_precise_tiles<PreciseInner::kDifferences>(kernel, blocks, count, rows, sums);
  }
}

void add_precise_row(const PreciseKernel& kernel, const double* dots, const double* norms,
                     double norm, double factor, std::size_t count, double* sums) {
  constexpr std::size_t kColumns = kPreciseRows * kPreciseTile;
  static_assert(kDotColumns % kColumns == 0, "whole tiles");
  const bool by_norms = kernel.inner == PreciseInner::kDistances;
  for (std::size_t at = 0; at < count; at += kColumns) {
    PreciseTile tile;
    std::size_t k = at;
    for (auto& row : tile.values) {
      for (Doubles& value : row) {
        value = load(dots + k);
        if (by_norms) value = all(norm) + load(norms + k) - value;
        k += kLanes;
      }
    }
    apply_tail(kernel, tile);
    k = at;
    for (const auto& row : tile.values) {
      for (const Doubles& value : row) {
        store(sums + k, multiply_add(all(factor), value, load(sums + k)));
        k += kLanes;
      }
    }
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_PRECISE_LOOPS_H_
