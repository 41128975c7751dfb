// Loops from blocks of columns to dot products, and from these to kernel values. Compiled once for
// each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

double product_plus(double x, double y, double z) { return x * y + z; }

void to_float(const double* x, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(out + k, load(x + k));
  for (; k < count; ++k) out[k] = static_cast<float>(x[k]);
}

void pick_values(const float* row, const std::uint32_t* places, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kWideLanes <= count; k += kWideLanes) {
    look_up(row, load_wide_words(places + k), out + k);
  }
  for (; k < count; ++k) out[k] = row[places[k]];
}

void polynomials(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                 float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    store(out + k, power(gamma * load(dots + k) + coef0, degree, all(1.0)));
  }
  for (; k < count; ++k) {
    out[k] = static_cast<float>(power(gamma * dots[k] + coef0, degree, 1.0));
  }
}

void rbf_to_float(const double* dot, const double* norms, double norm, double gamma,
                  std::size_t count, float* out) {
  std::size_t k = 0;
  for (; count - k >= kLanes; k += kLanes) {
    exp_lanes(rbf_argument(load(dot + k), load(norms + k), norm, gamma), out + k);
  }
  if (k == count) return;
  const std::size_t rest = count - k;
  const Doubles x = rbf_argument(load_some(dot + k, rest), load_some(norms + k, rest), norm, gamma);
  float lanes[kLanes];
  exp_lanes(x, lanes);
  std::memcpy(out + k, lanes, rest * sizeof(float));
}

template <TailForm kForm>
inline WideFloats tail_of_dots(const double* dots, const double* norms,
                               [[maybe_unused]] double norm, const SingleTail& tail) {
  const Doubles low = load(dots), high = load(dots + kLanes);
  if constexpr (kForm == TailForm::kExp) {
    const Doubles low_norms = all(norm) + load(norms),
                  high_norms = all(norm) + load(norms + kLanes);
    const WideFloats distances =
        join(multiply_add(all(-2.0), low, low_norms), multiply_add(all(-2.0), high, high_norms));
    return exp2_of_product(-at_most(-distances, WideFloats{}), tail);  // no distance is below 0
  } else {
    return join(value_of_dot<kForm>(low, tail), value_of_dot<kForm>(high, tail));
  }
}

void dot_tails(const double* dots, const double* norms, double norm, const SingleTail& tail,
               std::size_t count, float* out) {
  with_form(tail.form, [&](auto form) {
    constexpr TailForm kForm = decltype(form)::kForm;
    std::size_t k = 0;
    for (; k + kWideLanes <= count; k += kWideLanes) {
      const double* at = kForm == TailForm::kExp ? norms + k : nullptr;
      store_wide(out + k, tail_of_dots<kForm>(dots + k, at, norm, tail));
    }
    if (k == count) return;
    double rest_dots[kWideLanes] = {}, rest_norms[kWideLanes] = {};
    float rest[kWideLanes];
    std::memcpy(rest_dots, dots + k, (count - k) * sizeof(double));
    if (kForm == TailForm::kExp) {
      std::memcpy(rest_norms, norms + k, (count - k) * sizeof(double));
    }
    store_wide(rest, tail_of_dots<kForm>(rest_dots, rest_norms, norm, tail));
    std::memcpy(out + k, rest, (count - k) * sizeof(float));
  });
}

// Dense blocks -------------------------------------------------------------------------------

// Number of columns of a block that are computed together: their sums fill eight registers.
constexpr std::size_t kTogether = 8 * kLanes < kBlockColumns ? 8 * kLanes : kBlockColumns;
constexpr std::size_t kUnits = kBlockColumns / kTogether;  // units per block
constexpr std::size_t kParts = kTogether / kLanes;

template <class Value>
void block_dots(const DenseBlocks& blocks, std::size_t count, const DenseRow& row, double* sums) {
  if (row.nonzeros == 0) {
    std::memset(sums, 0, count * kBlockColumns * sizeof(double));
    return;
  }
  const Value* values = static_cast<const Value*>(blocks.values);
  for (std::size_t unit = 0; unit < count * kUnits; ++unit) {
    const std::size_t shift = unit % kUnits * kTogether;
    const Value* block = values + unit / kUnits * blocks.values_per_block + shift;
    const std::uint64_t* marks = blocks.marks + unit / kUnits * blocks.marks_per_block;
    Doubles sum[kParts] = {};
    for (std::size_t p = 0; p < row.nonzeros; ++p) {
      const std::uint32_t place = blocks.places[row.features[p]];
      if ((place & kMarkPlace) != 0) {
        const std::uint64_t mark = marks[place - kMarkPlace] >> shift;
        const Doubles value = all(row.values[p] * blocks.marked[place - kMarkPlace]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] = add_marked(sum[part], value, mark >> (part * kLanes));
        }
      } else {
        const Value* column = block + place * kBlockColumns;
        const Doubles value = all(row.values[p]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] += value * load(column + part * kLanes);
        }
      }
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      store(sums + unit * kTogether + part * kLanes, sum[part]);
    }
  }
}

// Small integers -----------------------------------------------------------------------------

void block_dots_integer(const IntegerBlocks& blocks, std::size_t count, const IntegerPair* row,
                        std::size_t pairs, double* sums) {
  constexpr std::size_t kSums = kBlockColumns / IntegerSums::kColumns;
  constexpr std::size_t kPairBytes = 2 * kBlockColumns;
  for (std::size_t b = 0; b < count; ++b) {
    const std::uint8_t* block = blocks.bytes + b * blocks.bytes_per_block;
    IntegerSums sum[kSums];
    for (std::size_t p = 0; p < pairs; ++p) {
      const std::uint8_t* place = block + row[p].pair * kPairBytes;
      std::int32_t both;
      std::memcpy(&both, row[p].values, sizeof(both));
      for (std::size_t part = 0; part < kSums; ++part) {
        sum[part].add(place + part * 2 * IntegerSums::kColumns, both);
      }
    }
    for (std::size_t part = 0; part < kSums; ++part) {
      sum[part].store(sums + b * kBlockColumns + part * IntegerSums::kColumns);
    }
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_
