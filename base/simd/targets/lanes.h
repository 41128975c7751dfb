// Vectors as structures, for compilers without vector types (MSVC). Same operators, lane by lane,
// with the same results; a number stands for a vector of it. Included by targets only.
#ifndef SVM_BASE_SIMD_TARGETS_LANES_H_
#define SVM_BASE_SIMD_TARGETS_LANES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/processor.h"

#if !defined(SVM_HAS_VECTOR_TYPES)

namespace svm {
namespace {

// Signed integers of kBytes bytes: the lanes of a comparison's result.
template <std::size_t kBytes>
struct IntegerOf;
template <>
struct IntegerOf<4> {
  using Type = std::int32_t;
};
template <>
struct IntegerOf<8> {
  using Type = std::int64_t;
};

template <class Number, std::size_t kCount>
struct Lanes {
  using Lane = Number;

  Lanes() = default;
  Lanes(Number number) {
    for (Number& lane : lanes) lane = number;
  }
  Lanes(Number first, Number second) : lanes{first, second} {}

  Number& operator[](std::size_t lane) { return lanes[lane]; }
  const Number& operator[](std::size_t lane) const { return lanes[lane]; }

  // The results of a function of numbers for all lanes.
  template <class Function>
  static Lanes each(const Lanes& a, const Lanes& b, const Function& function) {
    Lanes result;
    for (std::size_t k = 0; k < kCount; ++k) {
      result[k] = static_cast<Number>(function(a[k], b[k]));
    }
    return result;
  }
  template <class Function>
  static auto compare(const Lanes& a, const Lanes& b, const Function& function) {
    Lanes<typename IntegerOf<sizeof(Number)>::Type, kCount> mask;
    for (std::size_t k = 0; k < kCount; ++k) mask[k] = function(a[k], b[k]) ? -1 : 0;
    return mask;
  }

  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x + y; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x - y; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x * y; });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x / y; });
  }
  friend Lanes operator&(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x & y; });
  }
  friend Lanes operator|(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x | y; });
  }
  friend Lanes operator^(const Lanes& a, const Lanes& b) {
    return each(a, b, [](Number x, Number y) { return x ^ y; });
  }
  friend Lanes operator<<(const Lanes& a, unsigned bits) {
    return each(a, a, [bits](Number x, Number) { return x << bits; });
  }
  friend Lanes operator>>(const Lanes& a, unsigned bits) {
    return each(a, a, [bits](Number x, Number) { return x >> bits; });
  }
  Lanes operator-() const {
    return each(*this, *this, [](Number x, Number) { return -x; });
  }
  Lanes operator~() const {
    return each(*this, *this, [](Number x, Number) { return ~x; });
  }
  Lanes& operator+=(const Lanes& other) { return *this = *this + other; }
  Lanes& operator-=(const Lanes& other) { return *this = *this - other; }

  friend auto operator<(const Lanes& a, const Lanes& b) {
    return compare(a, b, [](Number x, Number y) { return x < y; });
  }
  friend auto operator<=(const Lanes& a, const Lanes& b) {
    return compare(a, b, [](Number x, Number y) { return x <= y; });
  }
  friend auto operator>(const Lanes& a, const Lanes& b) {
    return compare(a, b, [](Number x, Number y) { return x > y; });
  }
  friend auto operator==(const Lanes& a, const Lanes& b) {
    return compare(a, b, [](Number x, Number y) { return x == y; });
  }
  friend auto operator!=(const Lanes& a, const Lanes& b) {
    return compare(a, b, [](Number x, Number y) { return x != y; });
  }

  Number lanes[kCount];
};

// The types of generic.h.
template <std::size_t kBytes>
struct Vectors {
  using Doubles = Lanes<double, kBytes / 8>;
  using Longs = Lanes<std::int64_t, kBytes / 8>;
  using Words = Lanes<std::uint64_t, kBytes / 8>;
  using Bytes = Lanes<std::uint8_t, kBytes>;
  using Floats = Lanes<float, kBytes / 8>;
  using Ints = Lanes<std::int32_t, kBytes / 8>;
  using WideFloats = Lanes<float, kBytes / 4>;
  using WideInts = Lanes<std::int32_t, kBytes / 4>;
  using WideWords = Lanes<std::uint32_t, kBytes / 4>;
  using WideShorts = Lanes<std::int16_t, kBytes / 4>;
};

template <class To, class From>
inline To same_bits(const From& x) {
  static_assert(sizeof(To) == sizeof(From), "all bits");
  To result;
  std::memcpy(&result, &x, sizeof(x));
  return result;
}

template <class To, class Number, std::size_t kCount>
inline To convert(const Lanes<Number, kCount>& x) {
  To result;
  static_assert(sizeof(result) == kCount * sizeof(result[0]), "as many lanes");
  for (std::size_t k = 0; k < kCount; ++k) {
    result[k] = static_cast<typename To::Lane>(x[k]);
  }
  return result;
}

template <class Integer, class Number, std::size_t kCount>
inline Lanes<Number, kCount> choose(const Lanes<Integer, kCount>& mask,
                                    const Lanes<Number, kCount>& a,
                                    const Lanes<Number, kCount>& b) {
  Lanes<Number, kCount> result;
  for (std::size_t k = 0; k < kCount; ++k) result[k] = mask[k] != 0 ? a[k] : b[k];
  return result;
}

}  // namespace
}  // namespace svm

#endif

#endif  // SVM_BASE_SIMD_TARGETS_LANES_H_
