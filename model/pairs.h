// The layout of class pairs: k classes have the pairs (0, 1), (0, 2) ... (k-2, k-1), in this order.
// A support vector has k-1 coefficients, one for each class but its own, by rising class.
#ifndef SVM_MODEL_PAIRS_H_
#define SVM_MODEL_PAIRS_H_

#include <cstddef>
#include <utility>

#include "base/platform/numbers.h"

namespace svm {

// The number of classes or vectors that a model tells: 0 if that is negative.
constexpr std::size_t count_or_zero(int number) {
  return number > 0 ? static_cast<std::size_t>(number) : 0;
}

// Number of pairs of `count` classes: the length of rho, probA and probB.
constexpr std::size_t pair_count(std::size_t count) {
  return count < 2 ? 0 : (count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count);
}

// The number of the pair of two different classes, in either order, of `count`.
constexpr std::size_t pair_number(std::size_t count, std::size_t one, std::size_t other) {
  const std::size_t a = one < other ? one : other, b = one < other ? other : one;
  return a * (2 * count - a - 1) / 2 + b - a - 1;
}

// The classes of a pair, by its number.
inline std::pair<std::size_t, std::size_t> pair_of(std::size_t count, std::size_t number) {
  std::size_t low = 0, high = count - 1;  // classes of which the first of the pair is one
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (pair_number(count, middle, middle + 1) <= number ? low : high) = middle;
  }
  return {low, number - pair_number(count, low, low + 1) + low + 1};
}

// The number of coefficients of a support vector in a model of `nr_class` classes.  (Regression and
// one-class models have nr_class 2, although they have no classes.)
constexpr std::size_t coefficient_arrays(int nr_class) {
  return nr_class > 1 ? static_cast<std::size_t>(nr_class) - 1 : 0;
}

// Which of its coefficients a support vector of class `own` uses for the pair with class `other`;
// and the other class that coefficient `array` is for.
constexpr std::size_t coefficient_array(std::size_t own, std::size_t other) {
  return other < own ? other : other - 1;
}
constexpr std::size_t other_class(std::size_t own, std::size_t array) {
  return array < own ? array : array + 1;
}

// Calls visit(pair, a, b) for all pairs of classes in their order.
template <typename Visit>
void for_each_pair(std::size_t classes, Visit visit) {
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) visit(pair++, a, b);
  }
}

// The class with the most votes, the first one of several: wins(a, b) is 1 if class a wins against
// class b, and -1 if it loses; or 0, and then the result is kNoIndex.
template <typename Wins>
std::size_t most_voted(std::size_t classes, const Wins& wins) {
  std::size_t best = 0, most = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    std::size_t votes = 0;
    for (std::size_t b = 0; b < classes; ++b) {
      if (a == b) continue;
      const int sign = wins(a, b);
      if (sign == 0) return kNoIndex;
      votes += sign > 0 ? 1 : 0;
    }
    if (votes > most) {
      best = a;
      most = votes;
    }
  }
  return best;
}

}  // namespace svm

#endif  // SVM_MODEL_PAIRS_H_
