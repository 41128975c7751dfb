// Random draws in LIBSVM's order.  They come from the caller, from the run's own generator, or from
// the C library's rand(); then folds are LIBSVM's and depend on srand().  Each draw has a bound, as
// callers may have a generator for numbers below it.
#ifndef SVM_TRAINING_RANDOM_H_
#define SVM_TRAINING_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

// Makes draws from `random`, which returns numbers in [0, 2^31): their remainders.
template <typename Random>
Draw remainders_of(Random random) {
  return [random = std::move(random)](std::uint32_t bound) mutable {
    return static_cast<int>(static_cast<std::uint32_t>(random()) % bound);
  };
}

// Makes draws from a function of the caller, which never sees a bound beyond INT_MAX.  Of a result
// outside of [0, bound) the remainder of its low 31 bits is taken.
Draw draws_of_caller(int (*random)(int n, void* user), void* user);

// Draws of the C library's rand().  In a build with SVM_NO_RAND: what they are after srand(1), from
// the start.
Draw default_draws();

// One draw, in [0, bound).
int draw(Run& run, std::size_t bound);

// Shuffles items[0, count) with `count` draws.
void shuffle(std::size_t* items, std::size_t count, Run& run);

// The numbers 0 ... count-1, shuffled.
std::vector<std::size_t> random_order(std::size_t count, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_RANDOM_H_
