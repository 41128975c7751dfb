#include "kernels/data_row.h"

#include <algorithm>

#include "base/platform/caller_exception.h"

namespace svm {

DataRow::DataRow(const svm_rows& view, std::size_t number) : place_(nullptr), view_(&view) {
  if (has_kernel()) {
    place_ = reinterpret_cast<const void*>(number);  // NOLINT(performance-no-int-to-ptr): not read
    return;
  }
  place_ = with_types([&](auto value, auto start) -> const void* {
    if (view.layout != SVM_DENSE) {
      return static_cast<const decltype(start)*>(view.row_starts) + number;
    }
    return static_cast<const decltype(value)*>(view.values) + number * view.stride;
  });
}

std::size_t DataRow::number() const {
  if (has_kernel()) return reinterpret_cast<std::uintptr_t>(place_);
  return with_types([&](auto value, auto start) -> std::size_t {
    if (view_->layout != SVM_DENSE) {
      const auto* const starts = static_cast<const decltype(start)*>(view_->row_starts);
      return static_cast<std::size_t>(static_cast<const decltype(start)*>(place_) - starts);
    }
    const auto* const values = static_cast<const decltype(value)*>(view_->values);
    const auto distance =
        static_cast<std::size_t>(static_cast<const decltype(value)*>(place_) - values);
    return view_->stride == 0 ? 0 : distance / view_->stride;  // no columns: rows are equal
  });
}

void DataRow::kernel_values(const int* others, std::size_t count, double* values) const {
  call_caller([&] {
    view_->kernel(view_->kernel_user, static_cast<int>(number()), others, static_cast<int>(count),
                  values);
  });
}

double DataRow::value_in(std::size_t column) const {
  if (has_kernel()) {
    const int other = static_cast<int>(column);
    double value = 0;
    kernel_values(&other, 1, &value);
    return value;
  }
  return with_types([&](auto value, auto number) -> double {
    if (view_->layout == SVM_DENSE) {
      return static_cast<double>(dense_values<decltype(value)>()[column]);
    }
    const auto row = stretch<decltype(value), decltype(number)>();
    const auto* const end = row.columns + row.count;
    const auto* const found =
        std::lower_bound(row.columns, end, static_cast<decltype(number)>(column));
    if (found == end || static_cast<std::size_t>(*found) != column) return 0;
    return static_cast<double>(row.values[found - row.columns]);
  });
}

void append_nodes(const DataRow& row, std::vector<svm_node>& nodes) {
  row.for_each([&](int index, double value) { nodes.push_back({index, value}); });
  nodes.push_back({-1, 0});
}

std::vector<std::uint32_t> DataRows::numbers(std::size_t count) const {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i);
  return numbers;
}

std::vector<DataRow> DataRows::copy(std::size_t count) const {
  std::vector<DataRow> rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) rows.push_back((*this)[i]);
  return rows;
}

}  // namespace svm
