// Kernel values and fused sums by dot products of whole numbers and floats.  Compiled once for each
// target (vector.h).
//
// The sums of some rows over a block are in memory.  Whole numbers come first: a pass goes over the
// groups of features that a row has.  Their dot products are exact, so targets may add them in any
// order.  The products of floats follow part by part, for all of these rows before the next part,
// so that the part's columns stay in the first-level cache.  Tails come last.
#ifndef SVM_BASE_SIMD_LOOPS_PRODUCT_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_PRODUCT_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// Sums are whole numbers for squared distances, and doubles for all other forms.  So many rows have
// sums in memory at a time, which take 8 kB.
template <class Sum>
constexpr std::size_t kRowsAtOnce = 128 / sizeof(Sum);

// Vectors of columns of a row that has a list of its own: so many sums hide the time that a
// multiply-add takes.
constexpr std::size_t kLoneVectors =
    kBlockColumns / kWideLanes < 8 ? kBlockColumns / kWideLanes : 8;

// Adds a vector of sums to totals: exactly, or rounded to whole numbers.
inline void add_to_totals(WideFloats sums, double* totals) {
  store(totals, load(totals) + low_half(sums));
  store(totals + kLanes, load(totals + kLanes) + high_half(sums));
}
inline void add_to_totals(WideFloats sums, std::int32_t* totals) {
  store_vector(totals, load_vector<WideInts>(totals) + nearest(sums));
}

// Stores dot products of whole numbers.
inline void store_wholes(const ProductBlocks& blocks, WideInts dots, double* totals) {
  const Doubles factor = all(blocks.factor);
  store(totals, low_half(dots) * factor);
  store(totals + kLanes, high_half(dots) * factor);
}
inline void store_wholes(const ProductBlocks& blocks, WideInts dots, std::int32_t* totals) {
  store_vector(totals, dots << blocks.shift);
}

// The groups of one row, and some columns of a block.
struct WholeTile {
  const std::uint32_t* columns;
  const std::uint32_t* groups;
  const std::uint32_t* words;
  std::size_t count;
};

// dots[k] = the dot product of the row and column k, for ByteDots::kVectors vectors of columns.
//
// This and add_list() are not inlined, so that all registers are for their sums.  Sums begin with a
// product and not with zero: GCC keeps sums that begin with a constant in twice as many registers.
[[gnu::noinline]] void dot_groups(const WholeTile& tile, std::int32_t* dots) {
  constexpr std::size_t kChains = ByteDots::kChains;
  WideInts sums[ByteDots::kVectors] = {};
  for (std::size_t q = 0; q < tile.count;) {
    const std::size_t end = lesser(tile.count, q + ByteDots::kSteps);
    ByteDots chains[kChains][ByteDots::kVectors];
    for (std::size_t c = 0; c < kChains; ++c) {
      const std::size_t at = lesser(q + c, end - 1);
      const std::uint32_t* columns = tile.columns + tile.groups[at] * kBlockColumns;
      const ByteDots::Row row = ByteDots::row(q + c < end ? tile.words[at] : 0);
      for (std::size_t v = 0; v < ByteDots::kVectors; ++v) {
        chains[c][v].start(load_wide_words(columns + v * kWideLanes), row);
      }
    }
    for (q += kChains; q < end;) {
      for (std::size_t c = 0; c < kChains && q < end; ++c, ++q) {
        const std::uint32_t* columns = tile.columns + tile.groups[q] * kBlockColumns;
        const ByteDots::Row row = ByteDots::row(tile.words[q]);
        for (std::size_t v = 0; v < ByteDots::kVectors; ++v) {
          chains[c][v].add(load_wide_words(columns + v * kWideLanes), row);
        }
      }
    }
    for (const auto& chain : chains) {
      for (std::size_t v = 0; v < ByteDots::kVectors; ++v) chain[v].add_to(sums[v]);
    }
  }
  for (std::size_t v = 0; v < ByteDots::kVectors; ++v) store_vector(dots + v * kWideLanes, sums[v]);
}

// totals[r * kBlockColumns + k] = the dot product of the whole numbers of row r and column k, for
// `count` rows and the columns of one block.
template <class Sum>
inline void sum_wholes(const ProductBlocks& blocks, std::size_t block, const ProductRows& rows,
                       std::size_t first, std::size_t count, Sum* totals) {
  constexpr std::size_t kStep = ByteDots::kVectors * kWideLanes;
  static_assert(kBlockColumns % kStep == 0, "blocks consist of whole tiles");
  const std::uint32_t* columns = blocks.wholes + block * blocks.groups * kBlockColumns;
  for (std::size_t shift = 0; shift < kBlockColumns; shift += kStep) {
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t begin = rows.begin[first + r];
      const WholeTile tile = {columns + shift, rows.groups + begin, rows.words + begin,
                              rows.begin[first + r + 1] - begin};
      alignas(kVectorBytes) std::int32_t dots[kStep];
      dot_groups(tile, dots);
      for (std::size_t k = 0; k < kStep; k += kWideLanes) {
        store_wholes(blocks, load_vector<WideInts>(dots + k) + rows.offsets[first + r],
                     totals + r * kBlockColumns + shift + k);
      }
    }
  }
}

// The entries of a list, and some columns of a block.
struct FloatList {
  const float* columns;
  const std::uint32_t* places;
  const float* values;
  std::size_t count;
};

// Adds the dot products of kRows rows and kVectors vectors of columns over the entries of a list.
template <std::size_t kRows, std::size_t kVectors, class Sum>
[[gnu::noinline]] void add_list(const FloatList& list, Sum* totals) {
  WideFloats sums[kRows][kVectors];
  const float* values = list.values;
  const auto for_products = [&](std::size_t q, const auto& use) {
    const float* columns = list.columns + list.places[q] * kBlockColumns;
    WideFloats column[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) column[v] = load_wide(columns + v * kWideLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const WideFloats row = all_wide(values[r]);
      for (std::size_t v = 0; v < kVectors; ++v) use(column[v], row, sums[r][v]);
    }
    values += kRows;
  };
  for_products(0, [](WideFloats x, WideFloats y, WideFloats& sum) { sum = x * y; });
  for (std::size_t q = 1; q < list.count; ++q) {
    for_products(
        q, [](WideFloats x, WideFloats y, WideFloats& sum) { sum = multiply_add(x, y, sum); });
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      add_to_totals(sums[r][v], totals + r * kBlockColumns + v * kWideLanes);
    }
  }
}

// Adds the dot products of one part of the floats.
template <class Sum>
inline void add_part(const ProductBlocks& blocks, std::size_t block, const ProductRows& rows,
                     std::size_t part, std::size_t first, std::size_t count, Sum* totals) {
  const float* columns = blocks.floats + block * blocks.places * kBlockColumns;
  const std::size_t lists = rows.grouped / kSingleRows;
  // Entries of one row follow those of kSingleRows rows.
  const std::size_t together = lists == 0 ? 0 : rows.ends[lists * rows.parts - 1];
  const float* lone_values = rows.values + together * (kSingleRows - 1);
  const auto with_list = [&](std::size_t number, const auto& use) {
    const std::size_t end = rows.ends[number];
    const std::size_t begin = number == 0 ? 0 : rows.ends[number - 1];
    if (begin != end) use(begin, end - begin);
  };
  std::size_t r = first;
  for (; r < first + count && r < rows.grouped;
       r += kSingleRows, totals += kSingleRows * kBlockColumns) {
    with_list(r / kSingleRows * rows.parts + part, [&](std::size_t begin, std::size_t size) {
      for (std::size_t k = 0; k < kBlockColumns; k += kGroupVectors * kWideLanes) {
        add_list<kSingleRows, kGroupVectors>(
            {columns + k, rows.places + begin, rows.values + begin * kSingleRows, size},
            totals + k);
      }
    });
  }
  for (; r < first + count; ++r, totals += kBlockColumns) {
    with_list((lists + r - rows.grouped) * rows.parts + part,
              [&](std::size_t begin, std::size_t size) {
                for (std::size_t k = 0; k < kBlockColumns; k += kLoneVectors * kWideLanes) {
                  add_list<1, kLoneVectors>(
                      {columns + k, rows.places + begin, lone_values + begin, size}, totals + k);
                }
              });
  }
}

// The dot products of `count` rows with the columns of one block.
template <class Sum>
inline void sum_products(const ProductBlocks& blocks, std::size_t block, const ProductRows& rows,
                         std::size_t first, std::size_t count, Sum* totals) {
  if (blocks.groups == 0) {
    for (std::size_t k = 0; k < count * kBlockColumns; ++k) totals[k] = 0;
  } else {
    sum_wholes(blocks, block, rows, first, count, totals);
  }
  for (std::size_t part = 0; part < rows.parts; ++part) {
    add_part(blocks, block, rows, part, first, count, totals);
  }
}

template <TailForm kForm, class Sum>
inline WideFloats value_of_total(const Sum* total, [[maybe_unused]] WideInts norms,
                                 const SingleTail& tail) {
  if constexpr (kForm == TailForm::kExp) {
    const WideInts dots = load_vector<WideInts>(total);
    const WideInts distances = at_least_zero(norms - dots - dots);
    return exp2_of_product(convert<WideFloats>(distances), tail);
  } else {
    return join(value_of_dot<kForm>(load(total), tail),
                value_of_dot<kForm>(load(total + kLanes), tail));
  }
}

// out[r][first + k] = the value of row r and column k, for `count` rows and the columns of a block.
template <TailForm kForm, class Sum>
inline void store_values(const std::int32_t* column_norms, const std::int32_t* row_norms,
                         std::size_t count, const Sum* totals, const SingleTail& tail,
                         float* const* out, std::size_t first) {
  for (std::size_t r = 0; r < count; ++r, totals += kBlockColumns) {
    for (std::size_t k = 0; k < kBlockColumns; k += kWideLanes) {
      WideInts norms = {};
      if constexpr (kForm == TailForm::kExp) {
        norms = load_vector<WideInts>(column_norms + k) + row_norms[r];
      }
      store_wide(out[r] + first + k, value_of_total<kForm>(totals + k, norms, tail));
    }
  }
}

inline void store_all(const std::int32_t* column_norms, const std::int32_t* row_norms,
                      std::size_t count, const std::int32_t* totals, const SingleTail& tail,
                      float* const* out, std::size_t first) {
  store_values<TailForm::kExp>(column_norms, row_norms, count, totals, tail, out, first);
}
inline void store_all(const std::int32_t* column_norms, const std::int32_t* row_norms,
                      std::size_t count, const double* totals, const SingleTail& tail,
                      float* const* out, std::size_t first) {
  const auto store = [&](auto form) {
    constexpr TailForm kForm = decltype(form)::kForm;
    store_values<kForm>(column_norms, row_norms, count, totals, tail, out, first);
  };
  if (tail.form == TailForm::kDot) return store(ThisForm<TailForm::kDot>());
  if (tail.form == TailForm::kPower) return store(ThisForm<TailForm::kPower>());
  store(ThisForm<TailForm::kTanh>());
}

// Calls use(totals, block, first, some) for the dot products of all blocks and of some rows at a
// time, from row `first` on.
template <class Sum, class Use>
inline void for_totals(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                       std::size_t rows, const Use& use) {
  alignas(kVectorBytes) Sum totals[kRowsAtOnce<Sum> * kBlockColumns];
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t first = 0; first < rows; first += kRowsAtOnce<Sum>) {
      const std::size_t some = lesser(kRowsAtOnce<Sum>, rows - first);
      sum_products(blocks, block, panel, first, some, totals);
      use(static_cast<const Sum*>(totals), block, first, some);
    }
  }
}

template <class Sum>
inline void store_products(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                           std::size_t rows, const SingleTail& tail, float* const* out) {
  for_totals<Sum>(blocks, count, panel, rows,
                  [&](const Sum* totals, std::size_t block, std::size_t first, std::size_t some) {
                    const std::size_t at = block * kBlockColumns;
                    store_all(blocks.norms + at, panel.norms + first, some, totals, tail,
                              out + first, at);
                  });
}

template <class Sum>
inline void add_values(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                       const double* factors, std::size_t rows, const SingleTail& tail,
                       double* sums) {
  alignas(kVectorBytes) float values[kRowsAtOnce<Sum> * kBlockColumns];
  float* of_rows[kRowsAtOnce<Sum>];
  for (std::size_t r = 0; r < kRowsAtOnce<Sum>; ++r) of_rows[r] = values + r * kBlockColumns;
  for_totals<Sum>(blocks, count, panel, rows,
                  [&](const Sum* totals, std::size_t block, std::size_t first, std::size_t some) {
                    const std::size_t at = block * kBlockColumns;
                    store_all(blocks.norms + at, panel.norms + first, some, totals, tail, of_rows,
                              0);
                    add_value_rows(sums + at, of_rows, 0, factors + first, some, kBlockColumns);
                  });
}

void product_values(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                    std::size_t rows, const SingleTail& tail, float* const* out) {
  const auto store =
      tail.form == TailForm::kExp ? store_products<std::int32_t> : store_products<double>;
  store(blocks, count, panel, rows, tail, out);
}

void product_sums(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                  const double* factors, std::size_t rows, const SingleTail& tail, double* sums) {
  if (tail.form == TailForm::kExp) {
    add_values<std::int32_t>(blocks, count, panel, factors, rows, tail, sums);
  } else {
    add_values<double>(blocks, count, panel, factors, rows, tail, sums);
  }
}

// All lanes compute the same.
std::int32_t float_norm(const float* row, std::size_t count, std::size_t part) {
  WideInts norm = {};
  for (std::size_t begin = 0; begin < count; begin += part) {
    WideFloats sum = {};
    for (std::size_t f = begin; f < lesser(begin + part, count); ++f) {
      if (row[f] == 0) continue;
      const WideFloats value = all_wide(row[f]);
      sum = multiply_add(value, value, sum);
    }
    norm += nearest(sum);
  }
  return norm[0];
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_PRODUCT_LOOPS_H_
