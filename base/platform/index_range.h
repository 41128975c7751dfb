// Lists of consecutive numbers.
#ifndef SVM_BASE_PLATFORM_INDEX_RANGE_H_
#define SVM_BASE_PLATFORM_INDEX_RANGE_H_

#include <cstddef>
#include <numeric>
#include <vector>

namespace svm {

// The numbers begin, begin + 1 ... end - 1.
template <typename Number = std::size_t>
std::vector<Number> index_range(std::size_t begin, std::size_t end) {
  std::vector<Number> range(end - begin);
  std::iota(range.begin(), range.end(), static_cast<Number>(begin));
  return range;
}

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_INDEX_RANGE_H_
