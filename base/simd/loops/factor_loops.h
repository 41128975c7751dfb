// Cholesky factors and solving with them, and products of embedded rows. Compiled once for each
// target (vector.h).
//
// The order of all sums is independent of the width of a vector: lanes are different elements of
// the result, or the kSumLanes partial sums of a dot product.
#ifndef SVM_BASE_SIMD_LOOPS_FACTOR_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_FACTOR_LOOPS_H_

#include <cstddef>
#include <cstring>

#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// Number of vectors in a row of a panel; and how many of them fit into registers for four rows.
constexpr std::size_t kPanelVectors = kPanelColumns / kWideLanes;
constexpr std::size_t kPanelTileVectors = kManyRegisters ? 4 : 2;
constexpr std::size_t kPanelTileRows = 4;
// Number of products that are added up before they are subtracted: floats lose less that way.
constexpr std::size_t kSumDepth = 128;

// Subtracts the products for some of the columns and kRows rows.
template <std::size_t kRows>
inline void subtract_tile(float* block, const float* const* rows, const float* panel,
                          std::size_t begin, std::size_t end) {
  WideFloats sums[kRows][kPanelTileVectors] = {};
  for (std::size_t k = begin; k < end; ++k) {
    WideFloats column[kPanelTileVectors];
    for (std::size_t v = 0; v < kPanelTileVectors; ++v) {
      column[v] = load_wide(panel + k * kPanelColumns + v * kWideLanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const float factor = rows[r][k];
      for (std::size_t v = 0; v < kPanelTileVectors; ++v) sums[r][v] += factor * column[v];
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kPanelTileVectors; ++v) {
      float* place = block + r * kPanelColumns + v * kWideLanes;
      store_wide(place, load_wide(place) - sums[r][v]);
    }
  }
}

void subtract_products(float* block, const float* const* rows, std::size_t count,
                       const float* panel, std::size_t depth) {
  for (std::size_t begin = 0; begin < depth; begin += kSumDepth) {
    const std::size_t end = begin + kSumDepth < depth ? begin + kSumDepth : depth;
    for (std::size_t v = 0; v < kPanelVectors; v += kPanelTileVectors) {
      const std::size_t column = v * kWideLanes;
      std::size_t r = 0;
      for (; r + kPanelTileRows <= count; r += kPanelTileRows) {
        subtract_tile<kPanelTileRows>(block + r * kPanelColumns + column, rows + r, panel + column,
                                      begin, end);
      }
      for (; r < count; ++r) {
        subtract_tile<1>(block + r * kPanelColumns + column, rows + r, panel + column, begin, end);
      }
    }
  }
}

// Rows are independent of each other. Handling several at once hides the latency of each one's
// chain of steps.
template <std::size_t kRows>
inline void solve_rows(float* block, const float* triangle, const float* inverses,
                       std::size_t steps) {
  float solved[kRows][kPanelColumns];
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t r = 0; r < kRows; ++r) {
      float* row = block + r * kPanelColumns;
      const float x = row[k] * inverses[k];
      solved[r][k] = x;
      for (std::size_t v = k / kWideLanes; v < kPanelVectors; ++v) {
        float* place = row + v * kWideLanes;
        store_wide(place,
                   load_wide(place) - x * load_wide(triangle + k * kPanelColumns + v * kWideLanes));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    std::memcpy(block + r * kPanelColumns, solved[r], steps * sizeof(float));
  }
}

void solve_panel(float* block, std::size_t count, const float* triangle, const float* inverses,
                 std::size_t steps) {
  std::size_t r = 0;
  for (; r + kPanelTileRows <= count; r += kPanelTileRows) {
    solve_rows<kPanelTileRows>(block + r * kPanelColumns, triangle, inverses, steps);
  }
  for (; r < count; ++r) {
    solve_rows<1>(block + r * kPanelColumns, triangle, inverses, steps);
  }
}

constexpr std::size_t kSumLanes = 8;
constexpr std::size_t kSumVectors = kSumLanes / kLanes;

template <std::size_t kRows, typename Element>
inline void dot_tile(const double* x, const Element* const* rows, std::size_t width, double* dots) {
  Doubles sums[kRows][kSumVectors] = {};
  std::size_t k = 0;
  for (; k + kSumLanes <= width; k += kSumLanes) {
    for (std::size_t v = 0; v < kSumVectors; ++v) {
      const Doubles factor = load(x + k + v * kLanes);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][v] += factor * load(rows[r] + k + v * kLanes);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    double lanes[kSumLanes];
    for (std::size_t v = 0; v < kSumVectors; ++v) store(lanes + v * kLanes, sums[r][v]);
    double sum = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
                 ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    for (std::size_t t = k; t < width; ++t) sum += x[t] * static_cast<double>(rows[r][t]);
    dots[r] = sum;
  }
}

template <typename Element>
void dot_rows(const double* x, const Element* const* rows, std::size_t count, std::size_t width,
              double* dots) {
  std::size_t r = 0;
  for (; r + kPanelTileRows <= count; r += kPanelTileRows) {
    dot_tile<kPanelTileRows>(x, rows + r, width, dots + r);
  }
  for (; r < count; ++r) dot_tile<1>(x, rows + r, width, dots + r);
}

template <typename Element>
void subtract_rows(double* x, const Element* const* rows, const double* factors, std::size_t count,
                   std::size_t width) {
  add_weighted_rows<false, 4>(
      x, count, width, [=](std::size_t r) { return rows[r]; },
      [=](std::size_t r) { return -factors[r]; });
}

// Embedded rows ---------------------------------------------------------------------------------

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

#endif  // SVM_BASE_SIMD_LOOPS_FACTOR_LOOPS_H_
