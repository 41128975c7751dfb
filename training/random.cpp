#include "training/random.h"

#include <cstdlib>
#include <numeric>
#include <utility>

namespace svm {

void shuffle(std::size_t* items, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + static_cast<std::size_t>(std::rand()) % (count - i);
    std::swap(items[i], items[j]);
  }
}

std::vector<std::size_t> random_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order.data(), count);
  return order;
}

}  // namespace svm
