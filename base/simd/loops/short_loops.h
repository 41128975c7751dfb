// Values of the RBF kernel in single precision, by dot products of rows with columns of 16-bit
// numbers, and their weighted sums.  Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_SHORT_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_SHORT_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/single_loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

using WideShorts = Vectors<kVectorBytes>::WideShorts;

// Vectors of columns per pass for a single row.
constexpr std::size_t kShortVectors = lesser(8, kBlockColumns / kWideLanes);

inline WideFloats load_shorts(const std::int16_t* from) {
  return convert<WideFloats>(convert<WideInts>(load_vector<WideShorts>(from)));
}

// Adds the products of the features [begin, end) of the panel to the sums of kRows rows and
// kVectors vectors of columns.
template <std::size_t kRows, std::size_t kVectors>
inline void add_short_products(const std::int16_t* columns, const ShortRows& panel,
                               std::size_t begin, std::size_t end,
                               WideFloats (&sums)[kRows][kVectors]) {
  for (std::size_t f = begin; f < end; ++f) {
    const std::int16_t* const from = columns + panel.features[f] * kBlockColumns;
    WideFloats column[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) column[v] = load_shorts(from + v * kWideLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const WideFloats row = all_wide(panel.values[f * kRows + r]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = multiply_add(row, column[v], sums[r][v]);
      }
    }
  }
}

// The values of one group of rows and kVectors vectors of columns, from column k on.  Products are
// summed in parts of kPartFeatures features, which limits rounding errors.
template <std::size_t kRows, std::size_t kVectors>
inline void short_tile(const ShortBlocks& blocks, const ShortRows& group, const SingleTail& tail,
                       std::size_t k, float* const* out) {
  const std::int16_t* const columns =
      blocks.values + k / kBlockColumns * kBlockColumns * blocks.features + k % kBlockColumns;
  WideFloats sums[kRows][kVectors] = {};
  add_short_products(columns, group, 0, lesser(kPartFeatures, group.count), sums);
  for (std::size_t f = kPartFeatures; f < group.count; f += kPartFeatures) {
    WideFloats part[kRows][kVectors] = {};
    add_short_products(columns, group, f, lesser(f + kPartFeatures, group.count), part);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] += part[r][v];
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const WideFloats norms =
          all_wide(group.norms[r]) + load_wide(blocks.norms + k + v * kWideLanes);
      const WideFloats distances = norms - (sums[r][v] + sums[r][v]);
      store_wide(out[r] + k + v * kWideLanes, exp2_of_product(distances, tail));
    }
  }
}

template <std::size_t kRows, std::size_t kVectors>
inline void short_tiles(const ShortBlocks& blocks, std::size_t count, const ShortRows* groups,
                        std::size_t group_count, const SingleTail& tail, float* const* out) {
  constexpr std::size_t kStep = kVectors * kWideLanes;
  static_assert(kBlockColumns % kStep == 0, "blocks consist of whole tiles");
  for (std::size_t k = 0; k < count * kBlockColumns; k += kStep) {
    for (std::size_t g = 0; g < group_count; ++g) {
      short_tile<kRows, kVectors>(blocks, groups[g], tail, k, out + g * kRows);
    }
  }
}

void short_values(const ShortBlocks& blocks, std::size_t count, const ShortRows* groups,
                  std::size_t group_count, std::size_t rows_per_group, const SingleTail& tail,
                  float* const* out) {
  if (rows_per_group == 1) {
    short_tiles<1, kShortVectors>(blocks, count, groups, group_count, tail, out);
  } else {
    short_tiles<kSingleRows, kGroupVectors>(blocks, count, groups, group_count, tail, out);
  }
}

template <bool kAbsolute>
inline double weighted_sum(const float* values, const double* weights, std::size_t count) {
  constexpr std::size_t kChains = 4;  // of additions, each of which waits for its own last one
  Doubles sums[kChains] = {};
  std::size_t s = 0;
  const auto add = [&](Doubles& sum, Doubles value, std::size_t at) {
    const Doubles weight = load(weights + at);
    sum = multiply_add(kAbsolute ? absolute(weight) : weight, value, sum);
  };
  const auto add_wide = [&](std::size_t chain, std::size_t at) {
    const WideFloats both = load_wide(values + at);
    add(sums[chain], low_half(both), at);
    add(sums[chain + 1], high_half(both), at + kLanes);
  };
  for (; s + 2 * kWideLanes <= count; s += 2 * kWideLanes) {
    add_wide(0, s);
    add_wide(2, s + kWideLanes);
  }
  for (; s + kWideLanes <= count; s += kWideLanes) add_wide(0, s);
  double lanes[kLanes];
  store(lanes, (sums[0] + sums[1]) + (sums[2] + sums[3]));
  double total = 0;
  for (const double lane : lanes) total += lane;
  for (; s < count; ++s) {
    const double weight = kAbsolute && weights[s] < 0 ? -weights[s] : weights[s];
    total += weight * static_cast<double>(values[s]);
  }
  return total;
}

double weigh_values(const float* values, const double* weights, std::size_t count) {
  return weighted_sum<false>(values, weights, count);
}

double weigh_values_absolutely(const float* values, const double* weights, std::size_t count) {
  return weighted_sum<true>(values, weights, count);
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_SHORT_LOOPS_H_
