#include "kernels/engines/precise_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/platform/bits.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

// Fewer marks are cheaper as values.
constexpr std::size_t kFewMarks = 4;

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
std::size_t bytes_of_one(const Unpacker& unpacker) {
  return (unpacker.places() + unpacker.words() + 1) * sizeof(double);
}

// The unpacked columns of a call.
struct PackedBlocks {
  PackedBlocks(const Unpacker& unpacker, const std::uint32_t* columns, std::size_t width)
      : padded(round_up(width, kPreciseColumns)),
        values(padded * unpacker.places() + 1, 0.0),
        marks(padded * unpacker.words() + 1, 0),
        norms(padded, 0.0) {
    std::vector<std::uint8_t> used(unpacker.places());
    for (std::size_t k = 0; k < width; ++k) {
      if (k + kUnpackAhead < width) unpacker.prefetch(columns[k + kUnpackAhead]);
      const std::size_t block = k / kPreciseColumns * kPreciseColumns, at = k % kPreciseColumns;
      const double norm = unpacker.unpack(
          columns[k], {kPreciseColumns, values.data() + block * unpacker.places() + at,
                       marks.data() + block * unpacker.words() + at, used.data()});
      norms[k] = norm / 2;
    }
  }

  std::size_t padded;  // columns
  AlignedVector<double> values;
  AlignedVector<std::uint64_t> marks;
  AlignedVector<double> norms;
};

// The unpacked rows of a call, some at a time.
class PackedPanels {
 public:
  // `count` is the number of rows of the call.
  PackedPanels(const Unpacker& unpacker, PreciseInner inner, std::size_t count)
      : unpacker_(unpacker),
        inner_(inner),
        most_(most_rows(unpacker, count)),
        begin_(most_ / kPreciseRows + 1, 0),
        places_(most_ / kPreciseRows * unpacker.places() + 1),
        values_(most_ * unpacker.places() + 1),  // one more, so that the arrays are never empty
        marks_(most_ * unpacker.words() + kPreciseRows),
        norms_(most_),
        panel_(kPreciseRows * (unpacker.places() + 1), 0.0),
        used_(unpacker.places(), 0) {}

  std::size_t most() const { return most_; }

  // Packs examples[0, count).  `following` more examples come after them.
  PreciseRows pack(const std::uint32_t* examples, std::size_t count, std::size_t following,
                   const double* factors) {
    const std::size_t padded = round_up(count, kPreciseRows);
    std::fill_n(marks_.begin(), padded * unpacker_.words(), 0U);
    std::fill_n(norms_.begin(), padded, 0.0);
    for (std::size_t first = 0; first < count; first += kPreciseRows) {
      for (std::size_t r = first; r < count && r < first + kPreciseRows; ++r) {
        if (r + kUnpackAhead < count + following) unpacker_.prefetch(examples[r + kUnpackAhead]);
        std::uint64_t* marks = marks_.data() + first * unpacker_.words() + (r - first);
        const double norm = unpacker_.unpack(
            examples[r], {kPreciseRows, panel_.data() + (r - first), marks, used_.data()});
        norms_[r] = norm / 2;
      }
      list_places(first / kPreciseRows);
    }
    return {begin_.data(), places_.data(), values_.data(), marks_.data(),
            norms_.data(), factors,        count};
  }

 private:
  static std::size_t most_rows(const Unpacker& unpacker, std::size_t count) {
    const std::size_t rows = std::min(kMostRows, kRowBytes / bytes_of_one(unpacker) + 1);
    return round_up(std::max<std::size_t>(std::min(rows, count), 1), kPreciseRows);
  }

  // Moves the values in panel_ to the list of this panel, and leaves panel_ zero.  Products with
  // zero change no sum and are left out; differences from zero do, so that form lists all places.
  void list_places(std::size_t panel) {
    const std::size_t places = unpacker_.places();
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

  const Unpacker& unpacker_;
  const PreciseInner inner_;
  const std::size_t most_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> places_;
  AlignedVector<double> values_;
  AlignedVector<std::uint64_t> marks_;
  AlignedVector<double> norms_;
  AlignedVector<double> panel_;     // (place, row)
  std::vector<std::uint8_t> used_;  // whether a place of panel_ is in use
};

}  // namespace

RowUnpacker::RowUnpacker(const Examples& examples)
    : examples_(examples), places_(examples.dimension()), full_(examples.dimension()) {
  std::iota(places_.begin(), places_.end(), 0U);
}

FeaturePlaces::FeaturePlaces(const std::vector<Examples::FeatureValues>& features) {
  of.reserve(features.size());
  for (const Examples::FeatureValues& feature : features) {
    const bool has_zero = feature.distinct == 2 && (feature.least == 0 || feature.most == 0);
    if (feature.count == 0) {
      of.push_back(kNoPlace);
    } else if (feature.distinct == 1 || has_zero) {
      of.push_back(kMarkPlace + static_cast<std::uint32_t>(marked.size()));
      marked.push_back(feature.most != 0 ? feature.most : feature.least);
    } else {
      of.push_back(static_cast<std::uint32_t>(full++));
    }
  }
}

RowUnpacker::RowUnpacker(const Examples& examples, const FeaturePlaces& places)
    : examples_(examples), places_(places.of), full_(places.full) {
  const std::vector<double>& marked = places.marked;
  std::map<double, std::size_t> counts;
  for (const double value : marked) {
    if (std::isnormal(value * value)) ++counts[std::fabs(value)];
  }
  std::size_t most = 0;
  for (const auto& [value, count] : counts) {
    if (count <= most) continue;
    most = count;
    mark_value_ = value;
  }
  const bool has_marks = most >= kFewMarks;
  std::size_t bits = 0;
  for (std::uint32_t& place : places_) {
    if ((place & kMarkPlace) == 0) continue;
    const std::size_t mark = place - kMarkPlace;
    if (mark >= marked.size()) continue;  // the feature does not occur
    if (has_marks && std::fabs(marked[mark]) == mark_value_) {
      place = kMarkPlace + static_cast<std::uint32_t>(bits++);
    } else {
      place = static_cast<std::uint32_t>(full_++);
    }
  }
  words_ = (bits + platform::kWordBits - 1) / platform::kWordBits;
}

double RowUnpacker::unpack(std::uint32_t example, const Target& target) const {
  if (words_ == 0) {
    examples_.for_each_value(example, [&](std::uint32_t feature, double value) {
      const std::size_t place = places_[feature];
      target.values[place * target.stride] = value;
      target.used[place] = 1;
    });
    return examples_.squared_norm(example);
  }
  double norm = 0;
  examples_.for_each_value(example, [&](std::uint32_t feature, double value) {
    const std::uint32_t place = places_[feature];
    if ((place & kMarkPlace) != 0) {
      const std::size_t mark = place - kMarkPlace;
      const std::uint64_t is_set = value != 0 ? 1 : 0;
      target.marks[mark / platform::kWordBits * target.stride] |= is_set
                                                                  << (mark % platform::kWordBits);
    } else {
      target.values[place * target.stride] = value;
      target.used[place] = 1;
      norm += value * value;
    }
  });
  return norm;
}

PreciseSums::PreciseSums(const KernelFunction& kernel, std::unique_ptr<const Unpacker> unpacker,
                         double largest_norm, bool is_exact)
    : unpacker_(std::move(unpacker)),
      kernel_(precise_tail(kernel, inner_of(kernel, largest_norm, is_exact),
                           unpacker_->mark_value(), largest_norm)),
      loops_(svm::loops(instruction_set())) {}

void PreciseSums::add(const std::uint32_t* examples, const double* factors, std::size_t count,
                      const std::uint32_t* columns, std::size_t width, double* sums) const {
  const std::size_t most = round_up(kColumnBytes / bytes_of_one(*unpacker_), kPreciseColumns);
  for (std::size_t begin = 0; begin < width; begin += most) {
    add_group(examples, factors, count, columns + begin, std::min(most, width - begin),
              sums + begin);
  }
}

void PreciseSums::add_group(const std::uint32_t* examples, const double* factors, std::size_t count,
                            const std::uint32_t* columns, std::size_t width, double* sums) const {
  const PackedBlocks packed(*unpacker_, columns, width);
  const PreciseBlocks blocks = {packed.values.data(), packed.marks.data(), packed.norms.data(),
                                unpacker_->places(), unpacker_->words()};
  PackedPanels panels(*unpacker_, kernel_.inner, count);
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
