// Exact powers of ten.
#ifndef SVM_BASE_IO_DECIMAL_H_
#define SVM_BASE_IO_DECIMAL_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace svm {

template <typename Number, std::size_t Count>
constexpr std::array<Number, Count> powers_of_ten() {
  std::array<Number, Count> powers{};
  Number power = 1;
  for (Number& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}

// As doubles: 10^22 is the last one that is exact, as 5^22 is the last power of five below 2^53.
inline constexpr std::array<double, 23> kTens = powers_of_ten<double, 23>();

// As integers: all that fit into 64 bits.
inline constexpr std::array<std::uint64_t, 20> kWholeTens = powers_of_ten<std::uint64_t, 20>();

}  // namespace svm

#endif  // SVM_BASE_IO_DECIMAL_H_
