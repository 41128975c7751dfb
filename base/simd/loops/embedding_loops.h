// Loops over embedded rows. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_EMBEDDING_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_EMBEDDING_LOOPS_H_

#include <cstddef>
#include <cstring>

#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

constexpr std::size_t kTileVectors = kTileColumns / kWideLanes;

void tile_products(const float* tile, std::size_t depth, const float* rows, std::size_t stride,
                   float* out) {
  constexpr std::size_t kSideBySide = kTileVectors < 2 ? kTileVectors : 2;
  for (std::size_t first = 0; first < kTileVectors; first += kSideBySide) {
    WideFloats sums[kTileRows][kSideBySide] = {};
    const float* from = tile + first * kWideLanes;
    for (std::size_t j = 0; j < depth; ++j, from += kTileColumns) {
      WideFloats columns[kSideBySide];
      for (std::size_t v = 0; v < kSideBySide; ++v) columns[v] = load_wide(from + v * kWideLanes);
      for (std::size_t r = 0; r < kTileRows; ++r) {
        const float value = rows[r * stride + j];
        for (std::size_t v = 0; v < kSideBySide; ++v) sums[r][v] += value * columns[v];
      }
    }
    for (std::size_t r = 0; r < kTileRows; ++r) {
      for (std::size_t v = 0; v < kSideBySide; ++v) {
        store_wide(out + r * stride + (first + v) * kWideLanes, sums[r][v]);
      }
    }
  }
}

void two_dots(const float* z, const float* v, const float* c, std::size_t count, double* out) {
  WideFloats sums[2][kTileVectors] = {};
  for (std::size_t k = 0; k < count; k += kTileColumns) {
    for (std::size_t part = 0; part < kTileVectors; ++part) {
      const std::size_t at = k + part * kWideLanes;
      const WideFloats values = load_wide(z + at);
      sums[0][part] += values * load_wide(v + at);
      sums[1][part] += values * load_wide(c + at);
    }
  }
  for (std::size_t which = 0; which < 2; ++which) {
    float lanes[kTileColumns];
    std::memcpy(lanes, sums[which], sizeof(lanes));
    double sum = 0;
    for (const float lane : lanes) sum += lane;
    out[which] = sum;
  }
}

void add_to_two(const float* z, float factor_v, float factor_b, std::size_t count, float* v,
                float* b) {
  for (std::size_t k = 0; k < count; k += kWideLanes) {
    const WideFloats values = load_wide(z + k);
    store_wide(v + k, load_wide(v + k) + factor_v * values);
    store_wide(b + k, load_wide(b + k) + factor_b * values);
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_EMBEDDING_LOOPS_H_
