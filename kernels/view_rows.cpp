#include "kernels/view_rows.h"

#include <climits>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace svm {
namespace {

[[noreturn]] void refuse_view(const std::string& fault) {
  throw std::invalid_argument("svm_problem_view: " + fault);
}

template <typename Number>
void check_sparse_rows(const svm_problem_view& view) {
  const auto* const starts = static_cast<const Number*>(view.row_starts);
  const auto* const columns = static_cast<const Number*>(view.column_numbers);
  if (starts[0] < 0) refuse_view("row_starts begins below 0");
  constexpr auto kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  for (std::size_t i = 0; i < view.rows; ++i) {
    const auto row = [&] { return "row " + std::to_string(i) + ", from 0: "; };
    if (starts[i + 1] < starts[i]) refuse_view(row() + "it ends before it begins");
    if (static_cast<std::uint64_t>(starts[i + 1]) > kMost) refuse_view(row() + "it ends too far");
    if (starts[i + 1] > starts[i] && (columns == nullptr || view.values == nullptr)) {
      refuse_view("values or column_numbers is null");
    }
    std::int64_t next = 0;  // least column that may come next
    for (Number k = starts[i]; k < starts[i + 1]; ++k) {
      const std::int64_t column = columns[k];
      if (column < 0 || static_cast<std::uint64_t>(column) >= view.columns) {
        refuse_view(row() + "there is no column " + std::to_string(column));
      }
      if (column < next) refuse_view(row() + "its column numbers do not rise");
      next = column + 1;
    }
  }
}

DataLayout checked_layout(const svm_problem_view& view) {
  if (view.size != sizeof(view)) {
    refuse_view(view.size > sizeof(view) ? "size is larger than this version of the library knows"
                                         : "size is not set");
  }
  if (view.rows > INT_MAX) refuse_view("rows > INT_MAX");
  if (view.columns > INT_MAX - 1) refuse_view("columns > INT_MAX - 1");
  if (view.layout < SVM_DENSE || view.layout > SVM_CSR_INT64) refuse_view("unknown layout");
  if (view.value_type != SVM_DOUBLE && view.value_type != SVM_FLOAT) {
    refuse_view("unknown value_type");
  }
  if (view.layout == SVM_DENSE) {
    if (view.stride < view.columns) refuse_view("stride < columns");
    constexpr auto kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
    if (view.rows > 0 && view.stride > kMost / view.rows) refuse_view("stride is too large");
    if (view.rows > 0 && view.columns > 0 && view.values == nullptr) refuse_view("values is null");
  } else if (view.rows > 0) {
    if (view.row_starts == nullptr) refuse_view("row_starts is null");
    if (view.layout == SVM_CSR_INT32) check_sparse_rows<std::int32_t>(view);
    if (view.layout == SVM_CSR_INT64) check_sparse_rows<std::int64_t>(view);
  }
  return {view.layout != SVM_DENSE,
          view.layout == SVM_CSR_INT64,
          view.value_type == SVM_FLOAT,
          view.values,
          view.columns,
          view.stride,
          view.row_starts,
          view.column_numbers};
}

}  // namespace

ViewRows::ViewRows(const svm_problem_view& view)
    : layout_(checked_layout(view)), size_(view.rows) {}

}  // namespace svm
