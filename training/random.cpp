#include "training/random.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <utility>

#include "base/platform/caller_exception.h"
#include "base/platform/index_range.h"

namespace svm {

Generator::Generator(std::uint32_t seed) {
  constexpr std::int64_t kMultiplier = 16807;
  constexpr std::int64_t kModulus = 2147483647;
  constexpr int kDropped = 310;
  // Seeds from 2^31 on count as negative, and 0 counts as 1.
  std::int64_t value = seed == 0 ? 1 : static_cast<std::int32_t>(seed);
  for (std::uint32_t& each : state_) {
    each = static_cast<std::uint32_t>(value);
    value = kMultiplier * value % kModulus;
    if (value < 0) value += kModulus;
  }
  for (int i = 0; i < kDropped; ++i) next();
}

std::uint32_t Generator::next() {
  std::uint32_t& oldest = state_[place_];
  oldest += state_[(place_ + kLag - 3) % kLag];
  place_ = (place_ + 1) % kLag;
  return oldest;
}

int Generator::operator()() { return static_cast<int>(next() >> 1U); }

Draw draws_of_caller(int (*random)(int n, void* user), void* user) {
  return [random, user](std::uint32_t bound) {
    const int most = static_cast<int>(std::min<std::uint32_t>(bound, INT_MAX));
    const int number = call_caller([&] { return random(most, user); }) & INT_MAX;
    return static_cast<int>(static_cast<std::uint32_t>(number) % bound);
  };
}

Draw default_draws() {
#if defined(SVM_NO_RAND)
  return remainders_of(Generator(1));
#else
  return remainders_of([] { return std::rand(); });  // NOLINT(*-msc50-cpp): LIBSVM's draws
#endif
}

int draw(Run& run, std::size_t bound) {
  if (!run.services.draw) run.services.draw = default_draws();
  return run.services.draw(static_cast<std::uint32_t>(bound));
}

void shuffle(std::size_t* items, std::size_t count, Run& run) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + static_cast<std::size_t>(draw(run, count - i));
    std::swap(items[i], items[j]);
  }
}

std::vector<std::size_t> random_order(std::size_t count, Run& run) {
  std::vector<std::size_t> order = index_range(0, count);
  shuffle(order.data(), count, run);
  return order;
}

}  // namespace svm
