#include "kernels/precomputed_row.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/platform/bits.h"
#include "base/platform/float_chars.h"
#include "base/platform/text.h"

namespace svm {
namespace {

// Doubles from 0 on are ordered like their bits; those of negative numbers and NaN are larger.
std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

[[noreturn]] void refuse_support_vector(const DataRow& support_vector) {
  throw PrecomputedRowError(joined({"precomputed kernel: a support vector begins with ",
                                    first_pair(support_vector), ", which is no serial number"}));
}

// Reports the first support vector for which look_up() fails.  There must be one.
[[noreturn]] void refuse_row(PrecomputedRow row, const DataRows& support_vectors) {
  for (std::size_t s = 0;; ++s) {
    const std::optional<int> serial = serial_number(support_vectors[s]);
    if (!serial) refuse_support_vector(support_vectors[s]);
    if (!row.reaches(*serial)) {
      throw PrecomputedRowError(joined(
          {"precomputed kernel: a row has no value for serial number ", std::to_string(*serial)}));
    }
  }
}

// look_up() by the caller's function, some values at a time; `values` holds the serial numbers.
void ask_for(const DataRow& x, const DataRows& support_vectors, std::size_t count, double* values) {
  constexpr std::size_t kTogether = 1024;
  int others[kTogether];
  for (std::size_t begin = 0; begin < count; begin += kTogether) {
    const std::size_t some = std::min(kTogether, count - begin);
    for (std::size_t k = 0; k < some; ++k) {
      const double serial = values[begin + k];
      others[k] = static_cast<int>(serial) - 1;
      if (others[k] + 1 != serial || others[k] < 0) {
        refuse_support_vector(support_vectors[begin + k]);
      }
    }
    x.kernel_values(others, some, values + begin);
  }
}

}  // namespace

std::string first_pair(const DataRow& row) {
  const int index = first_index(row);
  return index == -1 ? "nothing"
                     : joined({std::to_string(index), ":", general_text(value_at(row, 0), 17)});
}

// Goes by cache lines, each prefetched early: rows are long and read only once.
void PrecomputedRow::walk(std::size_t position) {
  constexpr std::size_t kLine = 64 / sizeof(svm_node);
  constexpr std::size_t kAhead = 128;
  for (; seen_ + kLine <= position + 1; seen_ += kLine) {
    const svm_node* const line = nodes_ + seen_;
    platform::prefetch(line + kAhead);  // harmless behind the end of the row
    for (std::size_t k = 0; k < kLine; ++k) {
      if (line[k].index == -1) {
        seen_ += k;
        return;
      }
    }
  }
  while (seen_ <= position && nodes_[seen_].index != -1) ++seen_;
}

void look_up(const DataRow& x, const DataRows& support_vectors, std::size_t count, double* values) {
  if (count == 0) return;
  PrecomputedRow row(x);
  std::uint64_t largest = 0;
  for (std::size_t s = 0; s < count; ++s) {
    values[s] = value_at(support_vectors[s], 0) + 0.0;  // no -0
    largest = std::max(largest, bits_of(values[s]));
  }
  constexpr int kMost = std::numeric_limits<int>::max();
  if (largest > bits_of(kMost)) refuse_row(row, support_vectors);
  double most = 0;
  std::memcpy(&most, &largest, sizeof(most));
  if (!row.reaches(static_cast<int>(most))) refuse_row(row, support_vectors);
  if (x.has_kernel()) return ask_for(x, support_vectors, count, values);
  bool whole = true;
  for (std::size_t s = 0; s < count; ++s) {
    const int serial = static_cast<int>(values[s]);
    whole &= serial == values[s];
    values[s] = row.value_at(serial);
  }
  if (!whole) refuse_row(row, support_vectors);
}

}  // namespace svm
