#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

struct NoValue {
  NoValue() = default;
  explicit NoValue(double) {}
};

template <class Value>
double product(double x, Value value) {
  return x * static_cast<double>(value);
}
double product(double x, NoValue) { return x; }

// Rounds a row's value as the columns do, so that the kernel is symmetric even if they hold it
// rounded.
double rounded(double x, float) { return static_cast<double>(static_cast<float>(x)); }
double rounded(double x, double) { return x; }
double rounded(double x, NoValue) { return x; }

// Numbers features 0, 1, ... in the order in which they are first met.  A hash table with linear
// probing; takes 12 to 24 bytes for each feature that there is room for.
class FeatureNumbers {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Forgets all numbers, and makes room for `most` different features, which must be fewer than
  // 2^31.
  void reset(std::size_t most) {
    count_ = 0;
    shift_ = 31;
    while (2 * (std::size_t{1} << (32 - shift_)) < 3 * most) --shift_;
    slots_.assign(std::size_t{1} << (32 - shift_), Slot{0, kNone});
  }

  std::uint32_t size() const { return count_; }

  // The number of a feature; a new one gets the next.
  std::uint32_t add(std::uint32_t feature) {
    Slot& slot = slots_[place_of(feature)];
    if (slot.number == kNone) slot = {feature, count_++};
    return slot.number;
  }

  // The number of a feature, or kNone.
  std::uint32_t find(std::uint32_t feature) const { return slots_[place_of(feature)].number; }

 private:
  struct Slot {
    std::uint32_t feature, number;
  };

  // The place of the feature's slot, or of the empty slot where it belongs.
  std::size_t place_of(std::uint32_t feature) const {
    std::size_t place = (feature * 0x9e3779b1U) >> shift_;
    while (slots_[place].number != kNone && slots_[place].feature != feature) {
      place = place + 1 == slots_.size() ? 0 : place + 1;
    }
    return place;
  }

  std::vector<Slot> slots_;
  unsigned shift_ = 31;
  std::uint32_t count_ = 0;
};

// Columns are stored in chunks.  A chunk has a list for each feature, of the columns with that
// feature.  A pass over a chunk scatters the products of the row's features, in rising order, into
// the sums of the columns, so that each sum runs in that order.
//
// If columns are so few that most features have no value in them, only the features that occur get
// a list, so that memory is proportional to the values, whatever the largest index.
template <class Value>
class ColumnsEngine final : public DotEngine {
 public:
  ColumnsEngine(const KernelFunction& kernel, Examples rows, double single_rounding)
      : DotEngine(kernel, std::move(rows), single_rounding), cost_(columns_cost(examples())) {
    drop_pairs();
  }

  std::size_t pack_width() const override {
    return std::max(chunk_width(), DotEngine::pack_width());
  }

 private:
  struct Chunks final : Columns {
    std::size_t width = 0;           // columns per chunk, a multiple of kTile
    bool is_numbered = false;        // one chunk, with lists by number
    FeatureNumbers numbers;          // of the features with lists, if is_numbered
    std::vector<std::size_t> begin;  // where each list begins, by chunk and feature or by number,
                                     // and the end
    std::vector<std::uint32_t> column;
    std::vector<Value> values;
  };

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Chunks>(); }

  // Wide enough that a chunk has more values than features, so that the beginnings of the lists
  // take less memory than the lists.
  std::size_t chunk_width() const {
    const double values_per_row =
        static_cast<double>(examples().nonzeros() + 1) / static_cast<double>(examples().size() + 1);
    const double rows = static_cast<double>(examples().dimension()) / values_per_row;
    return (static_cast<std::size_t>(rows) / kTile + 1) * kTile;
  }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& chunks = static_cast<Chunks&>(columns);
    const std::size_t dimension = examples().dimension();
    std::size_t values = 0;
    for (std::size_t k = 0; k < count; ++k) {
      values += examples().end(packed[k]) - examples().begin(packed[k]);
    }
    chunks.width = chunk_width();
    chunks.is_numbered =
        count <= chunks.width && dimension > kFewFeatures && dimension / kFeaturesPerValue > values;
    if (!chunks.is_numbered) {
      const std::size_t lists = (count + chunks.width - 1) / chunks.width * dimension;
      fill_lists(chunks, packed, count, lists,
                 [](std::size_t first, std::uint32_t feature) { return first + feature; });
      return;
    }
    chunks.numbers.reset(values);
    for (std::size_t k = 0; k < count; ++k) {
      examples().for_each_value(
          packed[k], [&](std::uint32_t feature, double) { chunks.numbers.add(feature); });
    }
    fill_lists(chunks, packed, count, chunks.numbers.size(),
               [&](std::size_t, std::uint32_t feature) {
                 return std::size_t{chunks.numbers.find(feature)};
               });
  }

  // list_of(first, feature) is the number of a list, if `first` is the first list of the chunk.
  template <class ListOf>
  void fill_lists(Chunks& chunks, const std::uint32_t* packed, std::size_t count, std::size_t lists,
                  const ListOf& list_of) const {
    const std::size_t dimension = examples().dimension();
    chunks.begin.assign(lists + 1, 0);
    std::size_t* const begin = chunks.begin.data();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t first = k / chunks.width * dimension;
      examples().for_each_value(
          packed[k], [&](std::uint32_t feature, double) { ++begin[list_of(first, feature)]; });
    }
    std::size_t total = 0;
    for (std::size_t& place : chunks.begin) total += std::exchange(place, total);
    chunks.column.resize(total);
    if (kHasValues) chunks.values.resize(total);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t first = k / chunks.width * dimension;
      examples().for_each_value(packed[k], [&](std::uint32_t feature, double value) {
        const std::size_t place = begin[list_of(first, feature)]++;
        chunks.column[place] = static_cast<std::uint32_t>(k);
        if (kHasValues) chunks.values[place] = Value(value);
      });
    }
    // begin[list] is now the end of the list, which is where the next one begins.
    std::copy_backward(chunks.begin.begin(), chunks.begin.end() - 1, chunks.begin.end());
    chunks.begin.front() = 0;
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const auto& chunks = static_cast<const Chunks&>(columns);
    std::fill(sums, sums + (end - begin), 0.0);
    while (begin < end) {
      const std::size_t chunk = begin / chunks.width;
      const std::size_t next = std::min(end, (chunk + 1) * chunks.width);
      scatter(example, chunks, chunk, begin, next, sums);
      sums += next - begin;
      begin = next;
    }
  }

  void scatter(std::size_t example, const Chunks& chunks, std::size_t chunk, std::size_t begin,
               std::size_t end, double* sums) const {
    const bool from_start = begin == chunk * chunks.width;
    const bool to_end = end == (chunk + 1) * chunks.width;
    const std::size_t first_list = chunk * examples().dimension();
    const std::uint32_t* all = chunks.column.data();
    examples().for_each_value(example, [&](std::uint32_t feature, double value) {
      std::size_t list = first_list + feature;
      if (chunks.is_numbered) {
        const std::uint32_t number = chunks.numbers.find(feature);
        if (number == FeatureNumbers::kNone) return;
        list = number;
      }
      const double x = rounded(value, Value());
      std::size_t first = chunks.begin[list], last = chunks.begin[list + 1];
      if (!from_start) first = place_of(all, first, last, begin);
      if (!to_end) last = place_of(all, first, last, end);
      for (std::size_t q = first; q < last; ++q) {
        sums[all[q] - begin] += product(x, kHasValues ? chunks.values[q] : Value());
      }
    });
  }

  static std::size_t place_of(const std::uint32_t* columns, std::size_t first, std::size_t last,
                              std::size_t column) {
    const auto place = std::lower_bound(columns + first, columns + last, column);
    return static_cast<std::size_t>(place - columns);
  }

  // columns_cost() is right for many rows at a time; a row of many short lists takes twice that.
  double dot_cost() const override { return is_single() ? cost_ : 2 * cost_; }

  // With more features per value of the columns, lists by feature take more memory than lists by
  // number, which take about 30 bytes per value.  If there are few features, lists by feature are
  // found faster and take 256 bytes at most for each column of a part.
  static constexpr std::size_t kFeaturesPerValue = 4, kFewFeatures = 1 << 16;

  static constexpr bool kHasValues = !std::is_same<Value, NoValue>::value;

  double cost_;
};

bool is_float(double value) {
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

bool has_floats_only(const Examples& examples) {
  return std::all_of(examples.values(), examples.values() + examples.nonzeros(), is_float);
}

// True if values may be rounded to float in single precision.  For kernels of distances, whose
// norms are not rounded, that requires small exponents.
bool are_small(const KernelFunction& kernel, const Examples& examples) {
  constexpr double kMostExponent = 1;
  return !kernel.of_distances() || kernel.gamma * examples.largest_squared_norm() <= kMostExponent;
}

}  // namespace

// A feature in a share p of the rows costs p^2 products per dot: it is in a share p of the columns,
// and in a share p of the rows that pass over them.
double columns_cost(const Examples& examples) {
  constexpr double kNanoseconds = 0.9;
  std::vector<double> counts(examples.dimension(), 0.0);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) ++counts[examples.features()[p]];
  const auto rows = static_cast<double>(examples.size() + 1);
  double met = 0;
  for (const double count : counts) met += count / rows * (count / rows);
  return kNanoseconds * met + 0.3;
}

double columns_rounding(const KernelFunction& kernel, const Examples& examples) {
  if (!kernel.of_distances()) return dot_rounding(kernel, examples, float_error(examples).part);
  const double norm = examples.largest_squared_norm();
  const bool is_ordinary = kernel.gamma > 0x1p-60 && kernel.gamma < 0x1p60 && norm < 0x1p60;
  if (!is_ordinary || kernel.is_rounded(norm)) return std::numeric_limits<double>::infinity();
  if (!are_small(kernel, examples)) return kOrdinaryRounding;
  // Norms stay in doubles.  If two rows move by `distance` each, their dot product changes by up to
  // 2 * distance * (largest norm), and it counts twice in the exponent.
  const double distance = float_error(examples).distance;
  return rounding_of_bound(4 * kernel.gamma * std::sqrt(norm) * distance);
}

std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples,
                                               Precision precision) {
  const bool is_single = precision == Precision::kSingle;
  const double rounding = is_single ? columns_rounding(kernel, examples) : 0;
  if (examples.has_ones_only()) {
    return std::make_unique<ColumnsEngine<NoValue>>(kernel, std::move(examples), rounding);
  }
  if ((is_single && are_small(kernel, examples)) || has_floats_only(examples)) {
    return std::make_unique<ColumnsEngine<float>>(kernel, std::move(examples), rounding);
  }
  return std::make_unique<ColumnsEngine<double>>(kernel, std::move(examples), rounding);
}

}  // namespace svm
