// Columns with a value for every feature, and rows packed for the passes over them.
#ifndef SVM_KERNELS_ENGINES_DENSE_COLUMNS_H_
#define SVM_KERNELS_ENGINES_DENSE_COLUMNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/aligned_vector.h"

namespace svm {

// Which features of rows count: those of dot products, which both row and column have; those of
// distances; or those of distances, with all features of the columns as if the rows had them.
enum class RowFeatures { kCommon, kAll, kAllPresent };

// A group of rows as runs of features (see PackedRows), and working memory.
template <class Value>
class DenseRows {
 public:
  PackedRows<Value> view() const { return {runs_.data(), runs_.size(), values_.data(), width_}; }
  std::size_t runs() const { return runs_.size(); }
  std::size_t others() const { return seen_others_; }  // values of features without a number

  // Packs `count` orderly rows in a group of `width`, which is 1 or kPackRows.  features.for_each()
  // gives the features of a row, see Features.  convert(r, value) is what stands for a value of row
  // r, and may note its error.  No run is longer than `most`.
  template <class Numbers, class Row, typename Convert>
  void pack(const Numbers& features, const Row* rows, std::size_t count, std::size_t width,
            RowFeatures wanted, std::size_t most, const Convert& convert) {
    width_ = width;
    x_.assign(features.size() * width_, Value{});
    is_present_.assign(features.size(), wanted == RowFeatures::kAllPresent ? 1 : 0);
    others_.clear();
    seen_others_ = 0;
    for (std::size_t r = 0; r < count; ++r) {
      features.for_each(
          rows[r],
          [&](std::uint32_t number, double value) {
            x_[number * width_ + r] = convert(r, value);
            is_present_[number] = 1;
          },
          [&](std::uint32_t number, double value) {
            const Value stored = convert(r, value);
            ++seen_others_;
            if (wanted != RowFeatures::kCommon) others_.push_back({number, r, stored});
          });
    }
    // Stable: those of one row before the same feature stay in index order.
    std::stable_sort(others_.begin(), others_.end(),
                     [](const Other& a, const Other& b) { return a.number < b.number; });
    fill_short_gaps();
    list_runs(most);
  }

 private:
  struct Other {
    std::uint32_t number;
    std::size_t row;
    Value value;
  };

  // A few zeros between features take less time than a run of their own.
  void fill_short_gaps() {
    constexpr std::size_t kShort = 4;
    std::size_t next = 0;  // behind the last feature that is present
    for (std::size_t f = 0; f < is_present_.size(); ++f) {
      if (is_present_[f] == 0) continue;
      if (f - next <= kShort) std::fill(&is_present_[next], &is_present_[f], char{1});
      next = f + 1;
    }
  }

  void list_runs(std::size_t most) {
    const std::size_t features = is_present_.size();
    runs_.clear();
    values_.resize((features + others_.size()) * width_);
    Value* to = values_.data();
    FeatureRun run = {};
    const auto begin_another_if = [&](bool is_behind) {
      if (!is_behind && run.absent + run.present + run.foreign < most) return;
      runs_.push_back(run);
      run = {};
    };
    auto other = others_.begin();
    for (std::size_t f = 0; f <= features; ++f) {
      for (; other != others_.end() && other->number == f; ++other) {
        begin_another_if(false);
        std::fill_n(to, width_, Value{});
        to[other->row] = other->value;
        to += width_;
        ++run.foreign;
      }
      if (f == features) break;
      if (is_present_[f] == 0) {
        begin_another_if(run.present + run.foreign > 0);
        ++run.absent;
      } else {
        begin_another_if(run.foreign > 0);
        to = std::copy_n(&x_[f * width_], width_, to);
        ++run.present;
      }
    }
    runs_.push_back(run);
  }

  std::size_t width_ = 1;
  std::vector<FeatureRun> runs_;
  std::vector<Value> values_;
  std::vector<Value> x_;  // (feature, row)
  std::vector<char> is_present_;
  std::vector<Other> others_;
  std::size_t seen_others_ = 0;
};

// Rows as columns, in blocks of kColumns, feature by feature.
template <class Value, std::size_t kColumns>
class DenseColumns {
 public:
  // features.for_each() gives the features of a row, which all have numbers.  convert(k, value) is
  // what stands for a value of row k.
  template <class Numbers, class Rows, typename Convert>
  DenseColumns(const Numbers& features, const Rows& rows, std::size_t count, const Convert& convert)
      : block_size_(features.size() * kColumns),
        values_((count + kColumns - 1) / kColumns * block_size_ + 1) {
    for (std::size_t k = 0; k < count; ++k) {
      Value* const column = values_.data() + k / kColumns * block_size_ + k % kColumns;
      const auto set = [&](std::uint32_t number, double value) {
        column[number * kColumns] = convert(k, value);
      };
      features.for_each(rows[k], set, set);
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
