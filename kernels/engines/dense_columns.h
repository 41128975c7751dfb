// Columns with a value for every feature, and rows packed for the passes over them.
#ifndef SVM_KERNELS_ENGINES_DENSE_COLUMNS_H_
#define SVM_KERNELS_ENGINES_DENSE_COLUMNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/aligned_vector.h"

namespace svm {

// Which features of rows count: those of dot products, which both row and column have; those of
// distances; or, for groups of kPackRows, those of distances with all features of the columns as if
// the rows had them.
enum class RowFeatures { kCommon, kAll, kAllPresent };

// For runs of any length, and values that stand for themselves.
constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();
inline double as_it_is(std::size_t /*row*/, double value) { return value; }

// A group of rows as runs of features (see PackedRows), and working memory.
template <class Value>
class DenseRows {
 public:
  PackedRows<Value> view() const { return {runs_.data(), runs_.size(), values_.data(), width_}; }
  std::size_t summed() const { return used_ / width_ + absent_; }  // features that take an addition
  std::size_t others() const { return seen_others_; }  // values of features without a number

  // Packs `count` orderly rows in a group of `width`, which is 1 or kPackRows.  features.for_each()
  // gives the features of a row, see Features.  convert(r, value) is what stands for a value of row
  // r, and may note its error.  No run has more than `most` features to sum up.
  template <class Numbers, class Row, typename Convert>
  void pack(const Numbers& features, const Row* rows, std::size_t count, std::size_t width,
            RowFeatures wanted, std::size_t most, const Convert& convert) {
    width_ = width;
    wanted_ = wanted;
    most_ = most;
    runs_.clear();
    run_ = {};
    used_ = next_ = seen_others_ = absent_ = 0;
    x_.assign(features.size() * width, Value{});
    is_present_.assign(features.size(), wanted_ == RowFeatures::kAllPresent ? 1 : 0);
    others_.clear();
    for (std::size_t r = 0; r < count; ++r) {
      features.for_each(
          rows[r],
          [&](std::uint32_t number, double value) {
            x_[number * width + r] = convert(r, value);
            is_present_[number] = 1;
          },
          [&](std::uint32_t number, double value) {
            const Value stored = convert(r, value);
            ++seen_others_;
            if (wanted_ != RowFeatures::kCommon) others_.push_back({number, r, stored});
          });
    }
    // Stable: those of one row before the same feature stay in index order.
    std::stable_sort(others_.begin(), others_.end(),
                     [](const Other& a, const Other& b) { return a.number < b.number; });
    auto other = others_.begin();
    for (std::size_t f = 0; f < features.size();) {
      for (; other != others_.end() && other->number == f; ++other) add_foreign(*other);
      const std::size_t last = other == others_.end() ? features.size() : other->number;
      const std::size_t begin = f;
      while (f < last && is_present_[f] != 0) ++f;
      if (f > begin) add_present(begin, f);
      if (f < last) ++f;
    }
    for (; other != others_.end(); ++other) add_foreign(*other);
    add_absent(features.size() - next_);
    end_run();
  }

 private:
  struct Other {
    std::size_t number, row;
    Value value;
  };

  [[gnu::noinline]] void add_absent(std::size_t count) {
    const bool counts = wanted_ != RowFeatures::kCommon;
    for (next_ += count; count > 0;) {
      make_room(run_.present + run_.foreign == 0);
      const std::size_t some = counts ? std::min(count, most_ - length()) : count;
      run_.absent += static_cast<std::uint32_t>(some);
      absent_ += counts ? some : 0;
      count -= some;
    }
  }
  // Adds the features before `end`, of which all rows lack those before `begin`.  A few zeros take
  // less time than the end of a run.
  void add_present(std::size_t begin, std::size_t end) {
    const std::size_t gap = begin - next_, most = wanted_ == RowFeatures::kCommon ? 1 : 4;
    if (gap > most) add_absent(gap);
    while (next_ < end) {
      make_room(run_.foreign == 0);
      const std::size_t some = std::min(end - next_, most_ - length());
      std::copy_n(x_.data() + next_ * width_, some * width_, more_values(some));
      run_.present += static_cast<std::uint32_t>(some);
      next_ += some;
    }
  }
  [[gnu::noinline]] void add_foreign(const Other& other) {
    add_absent(other.number - next_);
    make_room(true);
    ++run_.foreign;
    Value* const values = more_values(1);
    std::fill_n(values, width_, Value{});
    values[other.row] = other.value;
  }
  // Room for the values of more features.
  Value* more_values(std::size_t count) {
    const std::size_t from = used_;
    used_ += count * width_;
    if (used_ > values_.size()) values_.resize(2 * used_);
    return values_.data() + from;
  }
  // Ends the run unless it has room and the feature fits.
  void make_room(bool fits) {
    if (!fits || length() >= most_) end_run();
  }
  [[gnu::noinline]] void end_run() {
    runs_.push_back(run_);
    run_ = {};
  }
  // The features of the run that take an addition.
  std::size_t length() const {
    const bool counts = wanted_ != RowFeatures::kCommon;
    return std::size_t{run_.present} + run_.foreign + (counts ? run_.absent : 0);
  }

  std::size_t width_ = 1, most_ = 0;
  RowFeatures wanted_ = RowFeatures::kAll;
  std::vector<FeatureRun> runs_;
  std::vector<Value> values_;  // of which some are used
  std::size_t used_ = 0;
  std::size_t next_ = 0;                      // the first feature that is in no run
  FeatureRun run_ = {};                       // behind those of runs_
  std::size_t seen_others_ = 0, absent_ = 0;  // that take an addition
  std::vector<Value> x_;                      // (feature, row)
  std::vector<char> is_present_;
  std::vector<Other> others_;
};

// Rows as columns, in blocks of Width, feature by feature.
template <class Value, std::size_t Width>
class DenseColumns {
 public:
  // features.for_each() gives the features of a row, which all have numbers.  convert(k, value) is
  // what stands for a value of row k.
  template <class Numbers, class Rows, typename Convert>
  DenseColumns(const Numbers& features, const Rows& rows, std::size_t count, const Convert& convert)
      : block_size_(features.size() * Width),
        values_((count + Width - 1) / Width * block_size_ + 1) {
    for (std::size_t k = 0; k < count; ++k) {
      Value* const column = values_.data() + k / Width * block_size_ + k % Width;
      features.for_each(
          rows[k],
          [&](std::uint32_t number, double value) { column[number * Width] = convert(k, value); },
          [](std::uint32_t, double) {});
    }
  }

  const Value* block(std::size_t number) const { return values_.data() + number * block_size_; }
  std::size_t bytes() const { return values_.size() * sizeof(Value); }

 private:
  std::size_t block_size_;
  AlignedVector<Value> values_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_DENSE_COLUMNS_H_
