// Rows of data in any layout: svm_nodes, or values in a caller's arrays, used in place.
#ifndef SVM_KERNELS_DATA_ROW_H_
#define SVM_KERNELS_DATA_ROW_H_

#include <climits>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/platform/bits.h"
#include "svm.h"
#include "svm_ext.h"

namespace svm {

// A row: its nodes, or its place in a view, that is, in rows of the caller that are no nodes and
// have been checked (CallerRows).  Nodes and view must outlive it.  A zero in a row of a view
// counts as a missing feature.
class DataRow {
 public:
  DataRow(const svm_node* nodes) : place_(nodes), view_(nullptr) {}
  DataRow(const svm_rows& view, std::size_t number);

  // Calls visit(index, value) for each feature, in the order of the row; rows of a function have
  // none.
  template <typename Visit>
  void for_each(Visit visit) const;

  // The nodes; null for a row of a view.
  const svm_node* nodes() const {
    return view_ == nullptr ? static_cast<const svm_node*>(place_) : nullptr;
  }

  // Prefetches the beginning of the row.
  void prefetch() const {
    constexpr std::size_t kLine = 64;
    platform::prefetch(place_);
    platform::prefetch(static_cast<const char*>(place_) + kLine);
  }

  // For rows of a view only: the number of the row in the view, from 0; its number of columns, or
  // of kernel values that can be asked for; its value in a column, or its kernel value.
  std::size_t number() const;
  std::size_t columns() const { return has_kernel() ? INT_MAX : view_->columns; }
  double value_in(std::size_t column) const;

  // Writes K(row, others[j]) to values[j], j < count, by the caller's function.
  bool has_kernel() const { return view_ != nullptr && view_->layout == SVM_FUNCTION; }
  void kernel_values(const int* others, std::size_t count, double* values) const;

 private:
  template <typename Value>
  const Value* dense_values() const {
    return static_cast<const Value*>(place_);
  }
  // The values of a sparse row, and their columns.
  template <typename Value, typename Number>
  struct Stretch {
    const Value* values;
    const Number* columns;
    std::size_t count;
  };
  template <typename Value, typename Number>
  Stretch<Value, Number> stretch() const {
    const auto* const starts = static_cast<const Number*>(place_);
    const auto begin = static_cast<std::size_t>(starts[0]);
    const std::size_t count = static_cast<std::size_t>(starts[1]) - begin;
    if (count == 0) return {nullptr, nullptr, 0};
    return {static_cast<const Value*>(view_->values) + begin,
            static_cast<const Number*>(view_->column_numbers) + begin, count};
  }

  // Calls use(Value(), Number()) with the types of the view; dense rows have no numbers.
  template <typename Use>
  auto with_types(Use use) const {
    const auto with_number = [&](auto value) {
      if (view_->layout == SVM_CSR_INT64) return use(value, std::int64_t());
      return use(value, std::int32_t());
    };
    if (view_->value_type == SVM_FLOAT) return with_number(float());
    return with_number(double());
  }

  const void* place_;
  const svm_rows* view_;  // null: nodes
};

template <typename Visit>
void DataRow::for_each(Visit visit) const {
  if (const svm_node* node = nodes()) {
    for (; node->index != -1; ++node) visit(node->index, node->value);
    return;
  }
  if (has_kernel()) return;
  with_types([&](auto any_value, auto any_number) {
    using Value = decltype(any_value);
    if (view_->layout != SVM_DENSE) {
      const auto row = stretch<Value, decltype(any_number)>();
      for (std::size_t k = 0; k < row.count; ++k) {
        if (row.values[k] == 0) continue;
        visit(static_cast<int>(row.columns[k]) + 1, static_cast<double>(row.values[k]));
      }
      return;
    }
    const Value* const values = dense_values<Value>();
    for (std::size_t c = 0; c < view_->columns; ++c) {
      if (values[c] != 0) visit(static_cast<int>(c) + 1, static_cast<double>(values[c]));
    }
  });
}

// Appends the row as nodes, with the one that ends it.
void append_nodes(const DataRow& row, std::vector<svm_node>& nodes);

// The rows of a data set, numbered 0, 1, 2 ...: pointers to nodes as in svm_problem, the rows of a
// view, or single rows; or a selection of them, in any order.  Borrows all arrays, and does not
// know how many rows there are.  May be null.
class DataRows {
 public:
  DataRows() = default;
  DataRows(std::nullptr_t) {}
  DataRows(const svm_node* const* nodes) : nodes_(nodes) {}
  DataRows(const svm_rows* view) : view_(view) {}
  DataRows(const DataRow* rows) : rows_(rows) {}

  // The rows of the data set with these numbers, in this order.  Borrows `numbers`.
  DataRows select(const std::uint32_t* numbers) const {
    DataRows selected = *this;
    selected.numbers_ = numbers;
    return selected;
  }

  // True if kernel values of the rows come from a function of the caller.
  bool have_kernel() const { return view_ != nullptr && view_->layout == SVM_FUNCTION; }

  explicit operator bool() const {
    return nodes_ != nullptr || view_ != nullptr || rows_ != nullptr;
  }
  // The number of row i in the data set.
  std::uint32_t number(std::size_t i) const {
    return numbers_ != nullptr ? numbers_[i] : static_cast<std::uint32_t>(first_ + i);
  }
  DataRow operator[](std::size_t i) const {
    const std::size_t number = this->number(i);
    if (nodes_ != nullptr) return {nodes_[number]};
    return view_ != nullptr ? DataRow(*view_, number) : rows_[number];
  }
  // The rows from row i on.
  DataRows operator+(std::size_t i) const {
    DataRows rest = *this;
    if (numbers_ != nullptr) {
      rest.numbers_ += i;
    } else {
      rest.first_ += i;
    }
    return rest;
  }
  std::vector<std::uint32_t> numbers(std::size_t count) const;
  std::vector<DataRow> copy(std::size_t count) const;

 private:
  // At most one of these is not null.
  const svm_node* const* nodes_ = nullptr;
  const svm_rows* view_ = nullptr;
  const DataRow* rows_ = nullptr;

  const std::uint32_t* numbers_ = nullptr;  // null: first_, first_ + 1, ...
  std::size_t first_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_DATA_ROW_H_
