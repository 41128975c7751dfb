// Random draws in LIBSVM's order.  They come from the caller, from the run's own generator, or from
// the C library's rand(); then folds are LIBSVM's and depend on srand().
#ifndef SVM_TRAINING_RANDOM_H_
#define SVM_TRAINING_RANDOM_H_

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "solvers/run/messages.h"
#include "solvers/run/run.h"

namespace svm {

// Generates the numbers of the GNU C library's rand() after srand(seed): an additive feedback
// generator, x_n = x_{n-3} + x_{n-31} mod 2^32, whose lowest bit is dropped.
class Generator {
 public:
  explicit Generator(std::uint32_t seed);
  int operator()();  // in [0, 2^31)

 private:
  static constexpr std::size_t kLag = 31;
  std::uint32_t next();

  std::array<std::uint32_t, kLag> state_{};  // the last values; the oldest is at place_
  std::size_t place_ = 3;
};

// Makes draws from a function of the caller: the low 31 bits of its result.  Its exceptions become
// CallerExceptions.
template <typename Random>
std::function<int()> draws_of_caller(Random random) {
  return [random]() -> int {
    try {
      return random() & INT_MAX;
    } catch (...) {
      throw CallerException{std::current_exception()};
    }
  };
}

// One draw, in [0, 2^31).
int draw(Run& run);

// Shuffles items[0, count) with `count` draws.
void shuffle(std::size_t* items, std::size_t count, Run& run);

// The numbers 0 ... count-1, shuffled.
std::vector<std::size_t> random_order(std::size_t count, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_RANDOM_H_
