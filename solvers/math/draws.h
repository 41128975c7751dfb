// Random numbers for solvers, the same on every system.  The draws for folds are the C library's.
#ifndef SVM_SOLVERS_MATH_DRAWS_H_
#define SVM_SOLVERS_MATH_DRAWS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"

namespace svm {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  // Uniform in [0, count), for 0 < count < 2^32.
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(((bits() >> 32U) * count) >> 32U);
  }

  // Uniform in [0, 1).
  double fraction() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

  void shuffle(std::vector<std::uint32_t>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // The numbers 0 ... count - 1, shuffled.
  std::vector<std::uint32_t> order(std::size_t count) {
    std::vector<std::uint32_t> numbers = index_range<std::uint32_t>(0, count);
    shuffle(numbers);
    return numbers;
  }

 private:
  std::uint64_t state_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_DRAWS_H_
