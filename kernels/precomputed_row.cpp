#include "kernels/precomputed_row.h"

#include <algorithm>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"

namespace svm {
namespace {

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
      others[k] = static_cast<int>(values[begin + k]) - 1;
      if (others[k] < 0) refuse_support_vector(support_vectors[begin + k]);
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

void look_up(const DataRow& x, const DataRows& support_vectors, std::size_t count, double* values) {
  PrecomputedRow row(x);
  int largest = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const std::optional<int> serial = serial_number(support_vectors[s]);
    if (!serial) refuse_row(row, support_vectors);
    values[s] = *serial;
    largest = std::max(largest, *serial);
  }
  if (count > 0 && !row.reaches(largest)) refuse_row(row, support_vectors);
  if (x.has_kernel()) return ask_for(x, support_vectors, count, values);
  for (std::size_t s = 0; s < count; ++s) values[s] = row.value_at(static_cast<int>(values[s]));
}

}  // namespace svm
