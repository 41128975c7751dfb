// Rows of test data in every layout of numbers that struct svm_rows has.
#ifndef SVM_TESTS_VIEW_H_
#define SVM_TESTS_VIEW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "svm_ext.h"
#include "tests/training_data.h"

namespace svm::test {

struct Layout {
  int layout;
  int value_type;
};

inline const std::vector<Layout>& all_layouts() {
  static const std::vector<Layout> layouts = {
      {SVM_DENSE, SVM_DOUBLE},    {SVM_DENSE, SVM_FLOAT},      {SVM_CSR_INT32, SVM_DOUBLE},
      {SVM_CSR_INT32, SVM_FLOAT}, {SVM_CSR_INT64, SVM_DOUBLE}, {SVM_CSR_INT64, SVM_FLOAT}};
  return layouts;
}

inline std::string text_of(const Layout& layout) {
  return "layout " + std::to_string(layout.layout) + ", value type " +
         std::to_string(layout.value_type);
}

// The row without zeros; with `floats`, its values are rounded to float.
inline Row without_zeros(const svm_node* node, bool floats) {
  Row row;
  for (; node->index != -1; ++node) {
    const double value =
        floats ? static_cast<double>(static_cast<float>(node->value)) : node->value;
    if (value != 0) row.push_back({node->index, value});
  }
  row.push_back({-1, 0});
  return row;
}

// A copy of data: `rows()` has its rows without zeros, `view()` the same rows in a layout.  Dense
// rows are `gap` values apart; sparse rows keep the zeros of the data, and are preceded by `gap`
// values that belong to no row.  The view lacks the serial numbers of precomputed rows (index 0),
// but has their zeros.
class ViewedData {
 public:
  ViewedData(const Data& data, Layout layout, std::size_t gap = 3) {
    const bool floats = layout.value_type == SVM_FLOAT;
    std::size_t columns = 0;
    bool precomputed = false;
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (const svm_node* node = data.row(i); node->index != -1; ++node) {
        columns = std::max(columns, static_cast<std::size_t>(node->index));
        precomputed = precomputed || node->index == 0;
      }
    }
    const std::size_t stride = columns + gap;
    std::vector<double> values(gap, 99);
    starts_.push_back(static_cast<std::int64_t>(gap));
    columns_.assign(gap, 1);
    if (layout.layout == SVM_DENSE) values.assign(data.size() * stride, 0);
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t g = 0; g < gap && layout.layout == SVM_DENSE; ++g) {
        values[i * stride + columns + g] = 99;
      }
      for (const svm_node* node = data.row(i); node->index != -1; ++node) {
        if (node->index == 0) continue;
        const auto column = static_cast<std::size_t>(node->index - 1);
        if (layout.layout == SVM_DENSE) {
          values[i * stride + column] = node->value;
        } else {
          values.push_back(node->value);
          columns_.push_back(static_cast<std::int64_t>(column));
        }
      }
      starts_.push_back(static_cast<std::int64_t>(columns_.size()));
      labels_.push_back(data.label(i));
      if (precomputed) {
        Row row = {{0, data.row(i)->value}};
        for (const svm_node* node = data.row(i) + 1; node->index != -1; ++node) {
          const auto single = static_cast<float>(node->value);
          row.push_back({node->index, floats ? static_cast<double>(single) : node->value});
        }
        row.push_back({-1, 0});
        rows_.add_row(data.label(i), row);
      } else {
        rows_.add_row(data.label(i), without_zeros(data.row(i), floats));
      }
    }
    doubles_ = values;
    floats_.assign(values.begin(), values.end());
    short_starts_.assign(starts_.begin(), starts_.end());
    short_columns_.assign(columns_.begin(), columns_.end());
    view_.size = sizeof(view_);
    view_.rows = data.size();
    view_.columns = columns;
    view_.layout = layout.layout;
    view_.value_type = layout.value_type;
    view_.stride = stride;
    view_.values = floats ? static_cast<const void*>(floats_.data()) : doubles_.data();
    if (layout.layout == SVM_CSR_INT32) {
      view_.row_starts = short_starts_.data();
      view_.column_numbers = short_columns_.data();
    } else if (layout.layout == SVM_CSR_INT64) {
      view_.row_starts = starts_.data();
      view_.column_numbers = columns_.data();
    }
  }
  ViewedData(const ViewedData&) = delete;
  ViewedData& operator=(const ViewedData&) = delete;

  const svm_rows& view() const { return view_; }
  const double* labels() const { return labels_.data(); }
  Data& rows() { return rows_; }

 private:
  Data rows_;
  std::vector<double> labels_, doubles_;
  std::vector<float> floats_;
  std::vector<std::int64_t> starts_, columns_;
  std::vector<std::int32_t> short_starts_, short_columns_;
  svm_rows view_{};
};

}  // namespace svm::test

#endif  // SVM_TESTS_VIEW_H_
