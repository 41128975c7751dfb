// Sums over features for packed support vectors and rows to predict, and sums over support vectors.
// Vectors run across support vectors or rows, so that each sum is computed in the order of the
// features. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

template <class Vector, std::size_t kRows, std::size_t kVectors>
using Tile = Vector[kRows][kVectors];

struct SquaredDifference {
  static constexpr bool kOfDistances = true;
  static constexpr bool kIsFused = false;
  // Adders and multipliers take turns, which keeps both busy.  Products with 1 and -1 are exact, so
  // that a fused operation rounds as the sum does.
  static Doubles add_square(Doubles sum, Doubles square, std::size_t turn) {
    return turn % 2 == 0 ? sum + square : multiply_add(square, all(1), sum);
  }
  static Doubles add(Doubles sum, Doubles x, Doubles column, std::size_t turn) {
    const Doubles difference = turn % 2 == 0 ? x - column : multiply_add(column, all(-1), x);
    return sum + difference * difference;
  }
};
struct Product {
  static constexpr bool kOfDistances = false;
  static Doubles add(Doubles sum, Doubles x, Doubles column, std::size_t /*turn*/) {
    return sum + x * column;
  }
};
template <class Vector>
struct FusedDifference {
  static constexpr bool kOfDistances = true;
  static constexpr bool kIsFused = true;
  static Vector add(Vector sum, Vector x, Vector column, std::size_t /*turn*/) {
    const Vector difference = x - column;
    return multiply_add(difference, difference, sum);
  }
};

template <class Vector>
struct FusedProduct {
  static constexpr bool kOfDistances = false;
  static Vector add(Vector sum, Vector x, Vector column, std::size_t /*turn*/) {
    return multiply_add(x, column, sum);
  }
};

// Adds a run of features, from `x` and `column` on, to the sums of a tile; `column` is that of the
// next run afterwards.  A feature that the rows lack adds the same square to all of them.
template <class Inner, std::size_t kColumns, class Vector, class Value, std::size_t kRows,
          std::size_t kVectors>
inline void add_run(const FeatureRun& run, const Value* x, const Value*& column,
                    Tile<Vector, kRows, kVectors>& sums) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(Value);
  if constexpr (!Inner::kOfDistances) {
    column += run.absent * kColumns;
  } else if constexpr (Inner::kIsFused) {
    Vector squares[kVectors] = {};
    for (std::size_t k = 0; k < run.absent; ++k, column += kColumns) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Vector value = load_vector<Vector>(column + v * kWidth);
        squares[v] = multiply_add(value, value, squares[v]);
      }
    }
    for (auto& row : sums) {
      for (std::size_t v = 0; v < kVectors; ++v) row[v] += squares[v];
    }
  } else {
    for (std::size_t k = 0; k < run.absent; ++k, column += kColumns) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Vector value = load_vector<Vector>(column + v * kWidth), square = value * value;
        for (std::size_t r = 0; r < kRows; ++r) {
          sums[r][v] = Inner::add_square(sums[r][v], square, r);
        }
      }
    }
  }
  for (std::size_t k = 0; k < run.present; ++k, column += kColumns, x += kRows) {
    Vector values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = load_vector<Vector>(column + v * kWidth);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector value = x[r] - Vector{};
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = Inner::add(sums[r][v], value, values[v], r + v);
      }
    }
  }
  for (std::size_t k = 0; k < run.foreign; ++k, x += kRows) {
    for (std::size_t r = 0; r < kRows; ++r) {
      const Value square = x[r] * x[r];
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] += square;
    }
  }
}

// Calls use(sums, c) for the tiles of a block of kColumns columns: sums[r][v] are those of row r
// and of vector v of the columns from c on.
template <class Inner, std::size_t kColumns, class Vector, std::size_t kRows, std::size_t kVectors,
          class Value, class Use>
inline void for_tiles_of(const Value* block, const PackedRows<Value>& rows, const Use& use) {
  constexpr std::size_t kStep = kVectors * sizeof(Vector) / sizeof(Value);
  static_assert(kColumns % kStep == 0, "blocks consist of whole tiles");
  constexpr bool kInParts = sizeof(Value) == sizeof(float);  // which limits rounding errors
  for (std::size_t c = 0; c < kColumns; c += kStep) {
    Tile<Vector, kRows, kVectors> sums = {}, whole = {};
    const Value *column = block + c, *x = rows.values;
    std::size_t features = 0;
    for (std::size_t n = 0; n < rows.run_count; ++n) {
      const FeatureRun& run = rows.runs[n];
      add_run<Inner, kColumns, Vector, Value, kRows, kVectors>(run, x, column, sums);
      x += (run.present + run.foreign) * kRows;
      if constexpr (kInParts) {
        features += (Inner::kOfDistances ? run.absent : 0) + run.present + run.foreign;
        if (features < kPartFeatures && n + 1 < rows.run_count) continue;
        features = 0;
        for (std::size_t r = 0; r < kRows; ++r) {
          for (std::size_t v = 0; v < kVectors; ++v) {
            whole[r][v] += sums[r][v];
            sums[r][v] = Vector{};
          }
        }
      }
    }
    use(kInParts ? whole : sums, c);
  }
}

// The same for one row or for kPackRows.  Rows have as many sums as keep the adders busy.
template <class Inner, std::size_t kColumns, class Vector, class Value, class Use>
inline void for_tiles(const Value* block, const PackedRows<Value>& rows, const Use& use) {
  constexpr std::size_t kAll = kColumns * sizeof(Value) / sizeof(Vector);
  if (rows.rows == 1) {
    for_tiles_of<Inner, kColumns, Vector, 1, lesser(kAll, 8)>(block, rows, use);
  } else {
    for_tiles_of<Inner, kColumns, Vector, kPackRows, lesser(kAll, kGroupVectors)>(block, rows, use);
  }
}

template <class Inner>
inline void inner_sums(const double* block, const PackedRows<double>& rows, double* sums,
                       std::size_t stride) {
  for_tiles<Inner, kPackColumns, Doubles>(block, rows, [=](const auto& tile, std::size_t c) {
    double* to = sums + c;
    for (const auto& row : tile) {
      for (std::size_t v = 0; v < sizeof(row) / sizeof(row[0]); ++v) store(to + v * kLanes, row[v]);
      to += stride;
    }
  });
}

void squared_differences(const double* block, const PackedRows<double>& rows, double* sums,
                         std::size_t stride) {
  inner_sums<SquaredDifference>(block, rows, sums, stride);
}

void products(const double* block, const PackedRows<double>& rows, double* sums,
              std::size_t stride) {
  inner_sums<Product>(block, rows, sums, stride);
}

void rbf_values(const float* block, const PackedRows<float>& rows, const RowNorms& norms,
                const SingleTail& tail, float* out, std::size_t stride) {
  const auto store_values = [&](const auto& tile, std::size_t c) {
    for (std::size_t r = 0; r < sizeof(tile) / sizeof(tile[0]); ++r) {
      for (std::size_t v = 0; v < sizeof(tile[0]) / sizeof(tile[0][0]); ++v) {
        const std::size_t column = c + v * kWideLanes;
        WideFloats distance = tile[r][v];
        if (norms.columns != nullptr) {
          const WideFloats sum = all_wide(norms.rows[r]) + load_wide(norms.columns + column);
          distance = sum - (distance + distance);
        }
        store_wide(out + r * stride + column, exp2_of_product(distance, tail));
      }
    }
  };
  if (norms.columns == nullptr) {
    for_tiles<FusedDifference<WideFloats>, kBlockColumns, WideFloats>(block, rows, store_values);
  } else {
    for_tiles<FusedProduct<WideFloats>, kBlockColumns, WideFloats>(block, rows, store_values);
  }
}

void add_weighted(const double* values, const double* weights, std::size_t count, double* sums) {
  add_weighted_rows<false, 4>(
      sums, count, kSumRows, [=](std::size_t s) { return values + s * kSumRows; },
      [=](std::size_t s) { return weights[s]; });
}

template <bool kAbsolute, class... Squares>
double weighted_sum(const float* values, const double* weights, std::size_t count,
                    Squares*... squares) {
  constexpr std::size_t kChains = 4;  // of additions, each of which waits for its own last one
  Doubles sums[kChains] = {}, squared[kChains] = {};
  std::size_t s = 0;
  const auto add = [&](std::size_t chain, Doubles value, std::size_t at) {
    const Doubles weight = load(weights + at);
    sums[chain] = multiply_add(kAbsolute ? absolute(weight) : weight, value, sums[chain]);
    if constexpr (sizeof...(Squares) > 0) {
      squared[chain] = multiply_add(weight, weight, squared[chain]);
    }
  };
  const auto add_wide = [&](std::size_t chain, std::size_t at) {
    const WideFloats both = load_wide(values + at);
    add(chain, low_half(both), at);
    add(chain + 1, high_half(both), at + kLanes);
  };
  for (; s + 2 * kWideLanes <= count; s += 2 * kWideLanes) {
    add_wide(0, s);
    add_wide(2, s + kWideLanes);
  }
  for (; s + kWideLanes <= count; s += kWideLanes) add_wide(0, s);
  const auto total_of = [](const Doubles* chains) {
    double lanes[kLanes];
    store(lanes, (chains[0] + chains[1]) + (chains[2] + chains[3]));
    double total = 0;
    for (const double lane : lanes) total += lane;
    return total;
  };
  double total = total_of(sums);
  (..., (*squares += total_of(squared)));
  for (; s < count; ++s) {
    const double weight = kAbsolute && weights[s] < 0 ? -weights[s] : weights[s];
    total += weight * static_cast<double>(values[s]);
    (..., (*squares += weight * weight));
  }
  return total;
}

void add_to_all(double value, std::size_t count, double* sums) {
  std::size_t s = 0;
  for (; s + kLanes <= count; s += kLanes) store(sums + s, load(sums + s) + all(value));
  for (; s < count; ++s) sums[s] += value;
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_
