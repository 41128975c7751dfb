#include "kernels/engines/precise_sums.h"

#include <algorithm>

#include "kernels/engines/aligned_vector.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

// A squared distance from norms and products has an error of some 2^-53 of the norms, and a kernel
// value has gamma times that.  Above this bound, squared differences are summed instead.
constexpr double kMostExponent = 8;

// Bytes of the columns that rows pass over, and of the rows that pass together.  These, with the
// values of one block of columns, should stay in the second-level cache.
constexpr std::size_t kColumnBytes = std::size_t{4} << 20;
constexpr std::size_t kRowBytes = std::size_t{1} << 20;
constexpr std::size_t kMostRows = 128;

constexpr std::size_t kUnpackAhead = 6;  // examples to prefetch ahead

PreciseInner inner_of(const KernelFunction& kernel, double largest_norm, bool is_exact) {
  if (!kernel.of_distances()) return PreciseInner::kProducts;
  return is_exact || kernel.gamma * largest_norm <= kMostExponent ? PreciseInner::kDistances
                                                                  : PreciseInner::kDifferences;
}

std::size_t round_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

// Bytes of an unpacked row or column.
std::size_t bytes_of_one(const PlacedExamples& examples) {
  return (examples.places() + 1) * sizeof(double);
}

// The unpacked columns of a call.
struct PackedBlocks {
  PackedBlocks(const PlacedExamples& examples, const std::uint32_t* columns, std::size_t width)
      : padded(round_up(width, kPreciseColumns)),
        values(padded * examples.places() + 1, 0.0),  // one more, so that it is never empty
        norms(padded, 0.0) {
    for (std::size_t k = 0; k < width; ++k) {
      if (k + kUnpackAhead < width) examples.prefetch(columns[k + kUnpackAhead]);
      const std::size_t block = k / kPreciseColumns * kPreciseColumns, at = k % kPreciseColumns;
      double* const to = values.data() + block * examples.places() + at;
      examples.for_each_value(columns[k], [to](std::size_t place, double value) {
        to[place * kPreciseColumns] = value;
      });
      norms[k] = examples.squared_norm(columns[k]) / 2;
    }
  }

  std::size_t padded;  // columns
  AlignedVector<double> values;
  AlignedVector<double> norms;
};

// The unpacked rows of a call, some at a time.
class PackedPanels {
 public:
  // `count` is the number of rows of the call.
  PackedPanels(const PlacedExamples& examples, PreciseInner inner, std::size_t count)
      : examples_(examples),
        inner_(inner),
        most_(most_rows(examples, count)),
        begin_(most_ / kPreciseRows + 1, 0),
        places_(most_ / kPreciseRows * examples.places() + 1),
        values_(most_ * examples.places() + 1),  // one more, so that the arrays are never empty
        norms_(most_),
        panel_(kPreciseRows * (examples.places() + 1), 0.0),
        used_(examples.places(), 0) {}

  std::size_t most() const { return most_; }

  // Packs examples[0, count).  `following` more examples come after them.
  PreciseRows pack(const std::uint32_t* examples, std::size_t count, std::size_t following,
                   const double* factors) {
    const std::size_t padded = round_up(count, kPreciseRows);
    std::fill_n(norms_.begin(), padded, 0.0);
    for (std::size_t first = 0; first < count; first += kPreciseRows) {
      for (std::size_t r = first; r < count && r < first + kPreciseRows; ++r) {
        if (r + kUnpackAhead < count + following) examples_.prefetch(examples[r + kUnpackAhead]);
        examples_.for_each_value(examples[r], [&](std::size_t place, double value) {
          panel_[place * kPreciseRows + (r - first)] = value;
          used_[place] = 1;
        });
        norms_[r] = examples_.squared_norm(examples[r]) / 2;
      }
      list_places(first / kPreciseRows);
    }
    return {begin_.data(), places_.data(), values_.data(), norms_.data(), factors, count};
  }

 private:
  static std::size_t most_rows(const PlacedExamples& examples, std::size_t count) {
    const std::size_t rows = std::min(kMostRows, kRowBytes / bytes_of_one(examples) + 1);
    return round_up(std::max<std::size_t>(std::min(rows, count), 1), kPreciseRows);
  }

  // Moves the values in panel_ to the list of this panel, and leaves panel_ zero.  Products with
  // zero change no sum and are left out; differences from zero do, so that form lists all places.
  void list_places(std::size_t panel) {
    const std::size_t places = examples_.places();
    const std::size_t begin = begin_[panel];
    std::size_t end = begin;
    if (inner_ == PreciseInner::kDifferences) std::fill(used_.begin(), used_.end(), 1);
    for (std::size_t p = 0; p < places; ++p) {
      places_[end] = static_cast<std::uint32_t>(p);
      end += used_[p];
    }
    std::fill(used_.begin(), used_.end(), 0);
    begin_[panel + 1] = end;
    const double sign = inner_ == PreciseInner::kDistances ? -1 : 1;
    for (std::size_t n = begin; n < end; ++n) {
      double* from = panel_.data() + places_[n] * kPreciseRows;
      double values[kPreciseRows];
      std::copy_n(from, kPreciseRows, values);
      std::fill_n(from, kPreciseRows, 0.0);
      for (double& value : values) value *= sign;
      std::copy_n(values, kPreciseRows,
                  values_.begin() + static_cast<std::ptrdiff_t>(n * kPreciseRows));
    }
  }

  const PlacedExamples& examples_;
  const PreciseInner inner_;
  const std::size_t most_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> places_;
  AlignedVector<double> values_;
  AlignedVector<double> norms_;
  AlignedVector<double> panel_;     // (place, row)
  std::vector<std::uint8_t> used_;  // whether a place of panel_ is in use
};

}  // namespace

PlacedExamples::PlacedExamples(const Examples& examples)
    : examples_(examples), places_(examples.dimension(), 0) {
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) places_[examples.features()[p]] = 1;
  for (std::uint32_t& place : places_) {
    if (place != 0) place = static_cast<std::uint32_t>(count_++);
  }
}

PreciseSums::PreciseSums(const KernelFunction& kernel, const Examples& examples, bool is_exact)
    : examples_(examples),
      kernel_(precise_tail(kernel, inner_of(kernel, examples.largest_squared_norm(), is_exact),
                           examples.largest_squared_norm())),
      loops_(svm::loops(instruction_set())) {}

void PreciseSums::add(const std::uint32_t* examples, const double* factors, std::size_t count,
                      const std::uint32_t* columns, std::size_t width, double* sums) const {
  const std::size_t most = round_up(kColumnBytes / bytes_of_one(examples_), kPreciseColumns);
  for (std::size_t begin = 0; begin < width; begin += most) {
    add_group(examples, factors, count, columns + begin, std::min(most, width - begin),
              sums + begin);
  }
}

void PreciseSums::add_group(const std::uint32_t* examples, const double* factors, std::size_t count,
                            const std::uint32_t* columns, std::size_t width, double* sums) const {
  const PackedBlocks packed(examples_, columns, width);
  const PreciseBlocks blocks = {packed.values.data(), packed.norms.data(), examples_.places()};
  PackedPanels panels(examples_, kernel_.inner, count);
  AlignedVector<double> totals(packed.padded, 0.0);
  std::copy(sums, sums + width, totals.begin());
  for (std::size_t r = 0; r < count; r += panels.most()) {
    const std::size_t number = std::min(panels.most(), count - r);
    const PreciseRows rows = panels.pack(examples + r, number, count - r - number, factors + r);
    loops_.add_precise_sums(kernel_, blocks, packed.padded / kPreciseColumns, rows, totals.data());
  }
  std::copy(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(width), sums);
}

}  // namespace svm
