// Training rows with features numbered densely.
#ifndef SVM_KERNELS_EXAMPLES_H_
#define SVM_KERNELS_EXAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/platform/bits.h"
#include "base/platform/raw_array.h"
#include "kernels/data_row.h"
#include "kernels/row_passes.h"

namespace svm {

// While an engine is chosen and made, feature numbers and values lie in two arrays.  Afterwards
// most engines read the rows themselves: see drop_pairs().
class Examples {
 public:
  // Borrows what the rows point to.  Throws Interrupted if `passes` does.
  Examples(DataRows rows, std::size_t count, const RowPasses& passes = {});

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t nonzeros() const { return begin_.back(); }
  double nonzeros_per_row() const {
    return static_cast<double>(nonzeros()) / static_cast<double>(size() + 1);
  }

  // Features have the numbers 0 ... dimension()-1, in the order of the rows' indices.  The
  // dimension is bounded by the data, however large their indices are.
  std::size_t dimension() const { return dimension_; }

  // Number of features that occur.  Takes a pass over all values.
  std::size_t used_features() const;

  // What is known of the values of a feature.
  struct FeatureValues {
    std::size_t count = 0;       // number of rows that have the feature
    unsigned char distinct = 0;  // number of distinct values, at most 3; 0 counts if a row lacks it
    double first[2] = {};        // the first two of them
    double least = 0, most = 0;  // of all rows
    double sum = 0;              // of all rows

    double mean(std::size_t rows) const { return sum / static_cast<double>(rows); }
    void meet(double value);
    // Meets the values of rows that follow.
    void add(const FeatureValues& later);
  };
  // One for each feature.  Takes a pass over all values.
  std::vector<FeatureValues> feature_values(const RowPasses& passes = {}) const;

  // Gives what is found of each feature by a pass over all values, which calls meet(found, feature,
  // value).  Each piece of the pass begins with Found(), and whole.add(found) joins them in order.
  template <typename Found, typename Meet>
  std::vector<Found> find_by_feature(const RowPasses& passes, Meet meet) const;

  // True if every row has rising indices and finite values.  Then a feature that only one of two
  // rows has can be taken as zero in the other.
  bool is_regular() const { return is_regular_; }
  // True if every value is 1.
  bool has_ones_only() const { return has_ones_only_; }

  std::size_t begin(std::size_t example) const { return begin_[example]; }
  std::size_t end(std::size_t example) const { return begin_[example + 1]; }
  const std::uint32_t* features() const { return features_.data(); }
  const double* values() const { return values_.data(); }

  // Frees the arrays of values and, unless indices were numbered anew, of features.  Afterwards
  // only for_each_value() gives pairs, which it reads from the rows.
  void drop_pairs() {
    values_ = {};
    if (numbers_are_distances_) features_ = {};
  }
  DataRow row(std::size_t example) const { return rows_[example]; }
  DataRows rows() const { return rows_.data(); }

  // Calls visit(feature, value) for each pair of the example, in the order of the row.
  template <typename Visit>
  void for_each_value(std::size_t example, Visit visit) const {
    if (numbers_are_distances_) {
      rows_[example].for_each([&](int index, double value) { visit(distance(index), value); });
    } else {
      std::size_t k = begin_[example];
      rows_[example].for_each([&](int, double value) { visit(features_.data()[k++], value); });
    }
  }

  // Prefetches the features and the norm of an example, and the beginning of its row.
  void prefetch(std::size_t example) const {
    if (features_.size() > 0) platform::prefetch(features_.data() + begin_[example]);
    platform::prefetch(&squared_norms_[example]);
    rows_[example].prefetch();
  }

  // True if the dot products of this row with other such rows are whole numbers that a float holds.
  bool has_exact_products(std::size_t example) const { return exact_products_[example] != 0; }

  double largest_squared_norm() const { return largest_squared_norm_; }

  // Sum of squared values, in index order.
  double squared_norm(std::size_t example) const { return squared_norms_[example]; }

 private:
  // The number of rows in a piece of find_by_feature(): it has several values for each feature.
  std::size_t piece_for_features() const;
  // From the smallest index.  Wraps around, which keeps the order.
  std::uint32_t distance(int index) const {
    return static_cast<std::uint32_t>(index) - static_cast<std::uint32_t>(smallest_index_);
  }
  void number_features_densely(std::size_t range);

  std::vector<DataRow> rows_;
  std::vector<std::size_t> begin_;
  RawArray<std::uint32_t> features_;
  RawArray<double> values_;
  std::vector<double> squared_norms_;
  double largest_squared_norm_ = 0;
  std::vector<char> exact_products_;
  std::size_t dimension_ = 0;
  bool is_regular_ = true;
  bool has_ones_only_ = true;
  int smallest_index_ = 0;             // at most 0
  bool numbers_are_distances_ = true;  // of an index from the smallest one
};

template <typename Found, typename Meet>
std::vector<Found> Examples::find_by_feature(const RowPasses& passes, Meet meet) const {
  struct All {
    std::vector<Found> found;
    void add(const All& later) {
      for (std::size_t f = 0; f < found.size(); ++f) found[f].add(later.found[f]);
    }
  };
  const auto meet_rows = [&](std::size_t begin, std::size_t end, All& all) {
    for (std::size_t p = begin_[begin]; p < begin_[end]; ++p) {
      const std::uint32_t feature = features_.data()[p];
      meet(all.found[feature], feature, values_.data()[p]);
    }
  };
  const All none{std::vector<Found>(dimension_)};
  return passes.collect(size(), none, meet_rows, piece_for_features()).found;
}

}  // namespace svm

#endif  // SVM_KERNELS_EXAMPLES_H_
