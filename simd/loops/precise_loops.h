// Sums of kernel values in doubles, which are not stored.  Compiled for each target (vector.h).
//
// All targets but plain C++ give the same bits: the order of operations for a value and for a sum
// is the same in all, and every multiply_add() rounds once.
#ifndef SVM_SIMD_LOOPS_PRECISE_LOOPS_H_
#define SVM_SIMD_LOOPS_PRECISE_LOOPS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
#include "simd/loops/exp_loops.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

// Values in work at once: with a panel's rows, so many vectors of columns fill half of the
// registers.
constexpr std::size_t kPreciseVectors = (kManyRegisters ? 16 : 8) / kPreciseRows;
constexpr std::size_t kPreciseTile = kPreciseVectors * kLanes;
static_assert(kPreciseColumns % kPreciseTile == 0, "blocks consist of whole tiles");

struct PreciseTile {
  Doubles values[kPreciseRows][kPreciseVectors];
};

// values = 2^(factor values), with a relative error of 3e-16 beside that of the exponents, which
// must be above -1022.  The polynomial has the least relative error of those that are 1 at 0.  All
// vectors take a step together, as each would wait for the last one.
inline void powers_of_two(Doubles factor, Doubles (&values)[kPreciseVectors]) {
  constexpr double kCoefficients[] = {0x1.b671b2f14537ap-24, 0x1.62c147a4afdfcp-20,
                                      0x1.ffcb58ca31191p-17, 0x1.4309126c00bdfp-13,
                                      0x1.5d87fe9b8efd1p-10, 0x1.3b2ab6fbd6d05p-7,
                                      0x1.c6b08d703e17ap-5,  0x1.ebfbdff82c431p-3,
                                      0x1.62e42fefa3a12p-1,  1};
  Doubles shifted[kPreciseVectors], p[kPreciseVectors];
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    shifted[v] = multiply_add(values[v], factor, all(kRounder));
  }
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    values[v] = multiply_add(values[v], factor, all(kRounder) - shifted[v]);
  }
  for (Doubles& value : p) value = all(0x1.e3a9046bc2ff4p-28);
  for (const double coefficient : kCoefficients) {
    for (std::size_t v = 0; v < kPreciseVectors; ++v) {
      p[v] = multiply_add(p[v], values[v], all(coefficient));
    }
  }
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    values[v] = reinterpret_cast<Doubles>(reinterpret_cast<Words>(p[v]) +
                                          (reinterpret_cast<Words>(shifted[v]) << 52));
  }
}

inline Doubles integer_powers(Doubles base, int exponent) {
  Doubles result = all(1.0);
  for (Doubles square = base; exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) result *= square;
  }
  return result;
}

__attribute__((noinline)) void tanh_of_tile(const PreciseKernel& kernel, PreciseTile& tile) {
  for (auto& row : tile.values) {
    for (Doubles& value : row) {
      double lanes[kLanes];
      store(lanes, multiply_add(value, all(kernel.factor), all(kernel.summand)));
      for (double& lane : lanes) lane = std::tanh(lane);
      value = load(lanes);
    }
  }
}

// What the marks add: those in common for products, those that differ for distances.
template <PreciseInner kInner>
inline void add_marks(const PreciseKernel& kernel, const PreciseBlocks& blocks,
                      const std::uint64_t* block, const std::uint64_t* row, PreciseTile& tile) {
  constexpr std::size_t kWordsAtOnce = kMaxBitWords;  // of a BitCounter
  for (std::size_t begin = 0; begin < blocks.words; begin += kWordsAtOnce) {
    const std::size_t end =
        blocks.words - begin < kWordsAtOnce ? blocks.words : begin + kWordsAtOnce;
    for (std::size_t r = 0; r < kPreciseRows; ++r) {
      BitCounter counters[kPreciseVectors];
      for (std::size_t w = begin; w < end; ++w) {
        const Longs bits = all_longs(static_cast<std::int64_t>(row[w * kPreciseRows + r]));
        for (std::size_t v = 0; v < kPreciseVectors; ++v) {
          const Longs column = load_words(block + w * kPreciseColumns + v * kLanes);
          counters[v].add(kInner == PreciseInner::kProducts ? column & bits : column ^ bits);
        }
      }
      for (std::size_t v = 0; v < kPreciseVectors; ++v) {
        tile.values[r][v] =
            multiply_add(to_doubles(counters[v].sum()), all(kernel.mark), tile.values[r][v]);
      }
    }
  }
}

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

template <class Function>
inline void transform(PreciseTile& tile, const Function& function) {
  for (auto& row : tile.values) {
    for (Doubles& value : row) value = function(value);
  }
}

inline void apply_outer(const PreciseKernel& kernel, PreciseTile& tile) {
  const Doubles factor = all(kernel.factor), summand = all(kernel.summand);
  switch (kernel.outer) {
    case PreciseOuter::kNone:
      return;
    case PreciseOuter::kPowerOfTwo:
      if (kernel.most < __builtin_huge_val()) {
        transform(tile, [&](Doubles x) { return at_most(x, all(kernel.most)); });
      }
      for (auto& row : tile.values) powers_of_two(factor, row);
      return;
    case PreciseOuter::kIntegerPower:
      return transform(tile, [&](Doubles x) {
        return integer_powers(multiply_add(x, factor, summand), kernel.degree);
      });
    default:
      return tanh_of_tile(kernel, tile);
  }
}

template <PreciseInner kInner>
void add_precise_tiles(const PreciseKernel& kernel, const PreciseBlocks& blocks, std::size_t count,
                       const PreciseRows& rows, double* sums) {
  for (std::size_t at = 0; at < count * kPreciseColumns; at += kPreciseTile) {
    const std::size_t block = at / kPreciseColumns, shift = at % kPreciseColumns;
    const double* values = blocks.values + block * blocks.places * kPreciseColumns + shift;
    const std::uint64_t* words = blocks.marks + block * blocks.words * kPreciseColumns + shift;
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
      add_marks<kInner>(kernel, blocks, words, rows.marks + first * blocks.words, tile);
      apply_outer(kernel, tile);
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
    apply_outer(kernel, tile);
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

#endif  // SVM_SIMD_LOOPS_PRECISE_LOOPS_H_
