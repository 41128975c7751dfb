#include "kernels/precomputed_row.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace svm {
namespace {

// Says why look_up() fails.
[[noreturn]] void refuse(PrecomputedRow row, const svm_node* const* support_vectors) {
  for (;; ++support_vectors) {
    const std::optional<std::uint32_t> serial = serial_number(*support_vectors);
    if (!serial) {
      throw PrecomputedRowError("precomputed kernel: a support vector begins with " +
                                first_pair(*support_vectors) + ", which is no serial number");
    }
    if (!row.reaches(*serial)) {
      throw PrecomputedRowError("precomputed kernel: a row has no value for serial number " +
                                std::to_string(*serial));
    }
  }
}

}  // namespace

std::string first_pair(const svm_node* row) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%d:%.17g", row->index, row->value);
  return row->index == -1 ? "nothing" : text.data();
}

// Line by line of the memory, each asked for early: rows are long and read only once.
void PrecomputedRow::walk(std::size_t position) {
  constexpr std::size_t kLine = 64 / sizeof(svm_node);
  constexpr std::size_t kAhead = 128;
  for (; seen_ + kLine <= position + 1; seen_ += kLine) {
    const svm_node* const line = nodes_ + seen_;
    __builtin_prefetch(line + kAhead);  // behind the end, too, where it does no harm
    for (std::size_t k = 0; k < kLine; ++k) {
      if (line[k].index == -1) {
        seen_ += k;
        return;
      }
    }
  }
  while (seen_ <= position && nodes_[seen_].index != -1) ++seen_;
}

void look_up(const svm_node* x, const svm_node* const* support_vectors, std::size_t count,
             double* values) {
  if (count == 0) return;
  PrecomputedRow row(x);
  std::uint32_t largest = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const std::optional<std::uint32_t> serial = serial_number(support_vectors[s]);
    if (!serial) refuse(row, support_vectors);
    largest = std::max(largest, *serial);
    values[s] = *serial;
  }
  if (!row.reaches(largest)) refuse(row, support_vectors);
  for (std::size_t s = 0; s < count; ++s) {
    values[s] = row.value_at(static_cast<std::size_t>(values[s]));
  }
}

}  // namespace svm
