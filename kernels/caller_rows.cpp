#include "kernels/caller_rows.h"

#include <climits>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace svm {
namespace {

[[noreturn]] void refuse_rows(const std::string& fault) {
  throw std::invalid_argument("svm_rows: " + fault);
}

template <typename Number>
void check_sparse_rows(const svm_rows& given) {
  const auto* const starts = static_cast<const Number*>(given.row_starts);
  const auto* const columns = static_cast<const Number*>(given.column_numbers);
  if (starts[0] < 0) refuse_rows("row_starts begins below 0");
  constexpr auto kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  for (std::size_t i = 0; i < given.rows; ++i) {
    const auto row = [&] { return "row " + std::to_string(i) + ", from 0: "; };
    if (starts[i + 1] < starts[i]) refuse_rows(row() + "it ends before it begins");
    if (static_cast<std::uint64_t>(starts[i + 1]) > kMost) refuse_rows(row() + "it ends too far");
    if (starts[i + 1] > starts[i] && (columns == nullptr || given.values == nullptr)) {
      refuse_rows("values or column_numbers is null");
    }
    std::int64_t next = 0;  // least column that may come next
    for (Number k = starts[i]; k < starts[i + 1]; ++k) {
      const std::int64_t column = columns[k];
      if (column < 0 || static_cast<std::uint64_t>(column) >= given.columns) {
        refuse_rows(row() + "there is no column " + std::to_string(column));
      }
      if (column < next) refuse_rows(row() + "its column numbers do not rise");
      next = column + 1;
    }
  }
}

void check_dense_rows(const svm_rows& given) {
  if (given.stride < given.columns) refuse_rows("stride < columns");
  constexpr auto kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  if (given.rows > 0 && given.stride > kMost / given.rows) refuse_rows("stride is too large");
  if (given.rows > 0 && given.columns > 0 && given.values == nullptr) {
    refuse_rows("values is null");
  }
}

void check_nodes(const svm_rows& given) {
  if (given.rows > 0 && given.nodes == nullptr) refuse_rows("nodes is null");
  for (std::size_t i = 0; i < given.rows; ++i) {
    if (given.nodes[i] == nullptr) refuse_rows("nodes[" + std::to_string(i) + "] is null");
  }
}

// Returns `given`.
const svm_rows& checked_rows(const svm_rows& given, int kernel_type) {
  if (given.size != sizeof(given)) {
    refuse_rows(given.size > sizeof(given) ? "size is larger than this version of the library knows"
                                           : "size is not set");
  }
  if (given.rows > INT_MAX) refuse_rows("rows > INT_MAX");
  if (given.columns > INT_MAX - 1) refuse_rows("columns > INT_MAX - 1");
  if (given.value_type != SVM_DOUBLE && given.value_type != SVM_FLOAT) {
    refuse_rows("unknown value_type");
  }
  switch (given.layout) {
    case SVM_NODES:
      check_nodes(given);
      break;
    case SVM_FUNCTION:
      if (given.kernel == nullptr) refuse_rows("kernel is null");
      if (kernel_type != PRECOMPUTED) {
        refuse_rows("a function for kernel values needs the kernel type PRECOMPUTED");
      }
      break;
    case SVM_DENSE:
      check_dense_rows(given);
      break;
    case SVM_CSR_INT32:
    case SVM_CSR_INT64:
      if (given.rows == 0) break;
      if (given.row_starts == nullptr) refuse_rows("row_starts is null");
      if (given.layout == SVM_CSR_INT32) check_sparse_rows<std::int32_t>(given);
      if (given.layout == SVM_CSR_INT64) check_sparse_rows<std::int64_t>(given);
      break;
    default:
      refuse_rows("unknown layout");
  }
  return given;
}

}  // namespace

CallerRows::CallerRows(const svm_rows& rows, int kernel_type)
    : given_(checked_rows(rows, kernel_type)) {}

}  // namespace svm
