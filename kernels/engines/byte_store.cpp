#include "kernels/engines/byte_store.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/engines/float_layout.h"
#include "platform/bits.h"
#include "platform/numbers.h"

namespace svm {
namespace {

constexpr std::size_t kGroup = 4;  // places
constexpr double kMostByte = 255;
constexpr std::uint32_t kSignBits = 0x80808080U;

// Products of bytes by 128 are summed in 31 bits.
constexpr std::size_t kMostGroups = (std::size_t{1} << 31) / (kGroup * 255 * 128) - 1;

// True if all values are 0 to 255 times the unit, but for what floats would round away beside the
// largest.
bool is_unit(double unit, const Examples& examples) {
  constexpr double kMostError = kMostByte * 0x1p-24;  // of the unit
  const double* values = examples.values();
  return unit > 0x1p-100 && std::all_of(values, values + examples.nonzeros(), [&](double value) {
           const double number = value / unit;
           return number >= 0 && number < kMostByte + 0.5 &&
                  std::fabs(number - std::nearbyint(number)) <= kMostError;
         });
}

// Estimates the error of values of bytes with this unit.  A small value may be lost altogether, so
// kernels of dots count what rows lose beside their own norms.
double bytes_rounding(const KernelFunction& kernel, const Examples& examples, double unit) {
  const StoredError error = stored_error(examples, [&](std::size_t p) {
    const double value = examples.values()[p];
    return value - unit * std::nearbyint(value / unit);
  });
  if (!kernel.of_distances()) return dot_rounding(kernel, examples, error.part);
  if (!is_ordinary(kernel.gamma * unit * unit)) return kInfinity;
  return rounding_of_bound(moved_bound(kernel.gamma, error.distance));
}

// Sets places, groups and the cost.
void place_bytes(const Examples& examples, ByteLayout& layout) {
  std::vector<bool> is_used(examples.dimension(), false);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) is_used[examples.features()[p]] = true;
  std::uint32_t used = 0;
  for (const bool is : is_used) layout.places.push_back(is ? used++ : 0);
  layout.used = used;
  layout.groups = (used + kGroup - 1) / kGroup;
  std::size_t met = 0;  // groups of rows that hold a value
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::size_t last = layout.groups;
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const std::size_t group = layout.places[examples.features()[p]] / kGroup;
      met += group != std::exchange(last, group) ? 1 : 0;
    }
  }
  if (layout.least < 0) met = examples.size() * layout.groups;
  layout.cost = 0.2 + 0.03 * static_cast<double>(met) / static_cast<double>(examples.size() + 1);
}

}  // namespace

ByteLayout whole_number_layout(const Examples& examples) {
  ByteLayout layout;
  double largest = 0;
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    const double value = examples.values()[p];
    if (!(value >= -kMostByte && value <= kMostByte) || value != std::trunc(value)) return layout;
    layout.least = std::min(layout.least, value);
    largest = std::max(largest, value);
  }
  if (largest - layout.least > kMostByte) return layout;
  place_bytes(examples, layout);
  layout.fits = layout.groups <= kMostGroups / 2;  // products of bytes by bytes
  return layout;
}

ByteLayout single_byte_layout(const KernelFunction& kernel, const Examples& examples) {
  constexpr double kMostNorm = 0x1p29;  // in squared units, so that distances take 31 bits
  ByteLayout layout;
  if (examples.nonzeros() == 0) return layout;
  const double* values = examples.values();
  const double most = *std::max_element(values, values + examples.nonzeros());
  layout.rounding = kInfinity;
  for (const double unit : {1.0, most / kMostByte}) {
    if (!is_unit(unit, examples)) continue;
    const double rounding = bytes_rounding(kernel, examples, unit);
    if (!(rounding < layout.rounding)) continue;
    layout.unit = unit;
    layout.rounding = rounding;
  }
  if (!(layout.rounding <= kMostRounding)) return layout;
  place_bytes(examples, layout);
  layout.fits = layout.groups <= kMostGroups &&
                examples.largest_squared_norm() <= kMostNorm * layout.unit * layout.unit;
  return layout;
}

ByteStore::ByteStore(const Examples& examples, const ByteLayout& layout, bool has_norms)
    : has_norms_(has_norms),
      unit_(layout.unit),
      least_(layout.least),
      used_(layout.used),
      groups_(layout.groups) {
  const auto byte_of = [&](double value) {
    return static_cast<std::uint32_t>(std::nearbyint((value - least_) / unit_));
  };
  const auto set = [](std::uint32_t* words, std::size_t place, std::uint32_t byte) {
    const std::size_t shift = place % kGroup * 8;
    std::uint32_t& word = words[place / kGroup];
    word = (word & ~(std::uint32_t{0xff} << shift)) | byte << shift;
  };
  absent_word_ = byte_of(0) * 0x01010101U;
  words_.reserve(examples.size() * groups_ + 1);  // one more, so that the array is never empty
  for (std::size_t i = 0; i < examples.size(); ++i) {
    words_.insert(words_.end(), groups_, absent_word_);
    std::uint32_t* words = words_.data() + i * groups_;
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      set(words, layout.places[examples.features()[p]], byte_of(examples.values()[p]));
    }
  }
  words_.push_back(0);
}

void ByteStore::prefetch(std::size_t example) const {
  constexpr std::size_t kWordsPerLine = 16;
  for (std::size_t g = 0; g < groups_; g += kWordsPerLine) platform::prefetch(words(example) + g);
}

void ByteStore::resize(ByteColumns& columns, std::size_t blocks) const {
  columns.words.resize(blocks * groups_ * kBlockColumns + 1);
  columns.norms.assign(blocks * kBlockColumns + 1, 0);
}

void ByteStore::set_column(ByteColumns& columns, std::size_t column, std::size_t example) const {
  const std::uint32_t* from = words(example);
  std::uint32_t* to = columns.words.data() + column / kBlockColumns * groups_ * kBlockColumns +
                      column % kBlockColumns;
  for (std::size_t g = 0; g < groups_; ++g) to[g * kBlockColumns] = from[g] ^ kSignBits;
  if (has_norms_) columns.norms[column] = sums_of(example).squares;
}

ByteBlocks ByteStore::blocks_from(const ByteColumns& columns, std::size_t first_block) const {
  const std::uint32_t* words = columns.words.data() + first_block * groups_ * kBlockColumns;
  return {reinterpret_cast<const std::int8_t*>(words),
          columns.norms.data() + first_block * kBlockColumns, groups_};
}

// Groups that are zero are left out of a row.
void ByteStore::fill(Rows& rows, const std::uint32_t* examples, std::size_t count) const {
  rows.begin_.assign(1, 0);
  rows.groups_.clear();
  rows.words_.clear();
  rows.offsets_.clear();
  rows.groups_.reserve(count * groups_);
  rows.words_.reserve(count * groups_);
  for (std::size_t r = 0; r < count; ++r) {
    const std::uint32_t* row = words(examples[r]);
    for (std::size_t g = 0; g < groups_; ++g) {
      if (row[g] == 0) continue;
      rows.groups_.push_back(static_cast<std::uint32_t>(g));
      rows.words_.push_back(row[g]);
    }
    const Sums sums = sums_of(examples[r]);
    rows.offsets_.push_back(has_norms_ ? sums.squares - 256 * sums.bytes : 128 * sums.bytes);
    rows.begin_.push_back(static_cast<std::uint32_t>(rows.groups_.size()));
  }
}

ByteStore::Sums ByteStore::sums_of(std::size_t example) const {
  const std::uint32_t* row = words(example);
  Sums sums;
  for (std::size_t g = 0; g < groups_; ++g) {
    for (std::uint32_t word = row[g]; word != 0; word >>= 8) {
      const auto byte = static_cast<std::int32_t>(word & 0xffU);
      sums.bytes += byte;
      sums.squares += byte * byte;
    }
  }
  return sums;
}

double ByteUnpacker::unpack(std::uint32_t example, const Target& target) const {
  const std::uint32_t* words = store_.words(example);
  const std::uint32_t absent = store_.absent_word();
  for (std::size_t group = 0; group < store_.groups(); ++group) {
    if (words[group] == absent) continue;
    const std::size_t first = group * kGroup, end = std::min(first + kGroup, store_.used());
    for (std::size_t place = first; place < end; ++place) {
      const double value = store_.value(words[group] >> (place - first) * 8 & 0xffU);
      if (value == 0) continue;
      target.values[place * target.stride] = value;
      target.used[place] = 1;
    }
  }
  return examples_.squared_norm(example);
}

}  // namespace svm
