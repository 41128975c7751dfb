// Counting bits in columns. Compiled once for each target (vector.h).
#ifndef SVM_SIMD_LOOPS_BIT_LOOPS_H_
#define SVM_SIMD_LOOPS_BIT_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/loops.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

// The words of a row that a pass reads; at least one.
struct RowWords {
  std::size_t number = 0;
  std::size_t offset[kMaxBitWords];  // from word 0 of a column
  std::uint64_t bits[kMaxBitWords];
  std::int64_t count = 0;  // number of bits set

  RowWords(const BitColumns& columns, const std::uint64_t* row, bool also_empty) {
    for (std::size_t w = 0; w < columns.words_per_column; ++w) {
      count += __builtin_popcountll(row[w]);
      if (row[w] != 0 || also_empty) add(w * columns.stride, row[w]);
    }
    if (number == 0) add(0, 0);
  }
  void add(std::size_t from, std::uint64_t word) {
    offset[number] = from;
    bits[number++] = word;
  }
};

// Each of these says which bits are counted and which table entry belongs to their number.
// Differing counts the bits in which column and row differ, over all words. Common counts those
// that both have, over the row's non-zero words only. DifferingByCommon does that too and derives
// the number of differing bits.
struct Differing {
  static Longs of(Longs column, Longs row) { return column ^ row; }
  static Longs entry(Longs sum, const std::uint64_t*, std::int64_t) { return sum; }
};
struct Common {
  static Longs of(Longs column, Longs row) { return column & row; }
  static Longs entry(Longs sum, const std::uint64_t*, std::int64_t) { return sum; }
};
struct DifferingByCommon {
  static Longs of(Longs column, Longs row) { return column & row; }
  static Longs entry(Longs sum, const std::uint64_t* counts, std::int64_t row_count) {
    return load_words(counts) + row_count - sum - sum;
  }
};

template <class Choice>
__attribute__((always_inline)) inline Longs count_bits(const std::uint64_t* column,
                                                       const RowWords& row) {
  BitCounter counter;
  for (std::size_t n = 0; n < row.number; ++n) {
    const Longs word = all_longs(static_cast<std::int64_t>(row.bits[n]));
    counter.add(Choice::of(load_words(column + row.offset[n]), word));
  }
  return counter.sum();
}

// The columns are padded, so whole vectors may be read beyond the last one.
template <class Choice, bool kSmall>
inline void look_up_columns(const BitColumns& columns, std::size_t count, const RowWords& row,
                            const FloatTable& table, float* out) {
  const auto entries = [&](std::size_t k) {
    return Choice::entry(count_bits<Choice>(columns.words + k, row), columns.counts + k, row.count);
  };
  std::size_t k = 0;
  for (; k + 2 * kLanes <= count; k += 2 * kLanes) {
    table.template look_up<kSmall>(entries(k), entries(k + kLanes), out + k);
  }
  if (k == count) return;
  float last[2 * kLanes];
  table.template look_up<kSmall>(entries(k), entries(k + kLanes), last);
  std::memcpy(out + k, last, (count - k) * sizeof(float));
}

template <class Choice>
inline void look_up_bits(const BitColumns& columns, std::size_t count, const RowWords& row,
                         const FloatTable& table, float* out) {
  if (table.small) {
    look_up_columns<Choice, true>(columns, count, row, table, out);
  } else {
    look_up_columns<Choice, false>(columns, count, row, table, out);
  }
}

void look_up_differing(const BitColumns& columns, std::size_t count, const std::uint64_t* bits,
                       const float* entries, std::size_t size, float* out) {
  const FloatTable table(entries, size);
  const RowWords row(columns, bits, false);
  if (row.number + 1 < columns.words_per_column) {
    look_up_bits<DifferingByCommon>(columns, count, row, table, out);
  } else {
    look_up_bits<Differing>(columns, count, RowWords(columns, bits, true), table, out);
  }
}

void look_up_common(const BitColumns& columns, std::size_t count, const std::uint64_t* bits,
                    const float* entries, std::size_t size, float* out) {
  const RowWords row(columns, bits, false);
  look_up_bits<Common>(columns, count, row, FloatTable(entries, size), out);
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_LOOPS_BIT_LOOPS_H_
