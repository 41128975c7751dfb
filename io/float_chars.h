// std::from_chars and std::to_chars for doubles.  A C++ library that lacks them for floating point,
// as libc++ before version 20, has the C library do the work, in any locale and with the same
// results.
#ifndef SVM_IO_FLOAT_CHARS_H_
#define SVM_IO_FLOAT_CHARS_H_

#include <charconv>
#include <type_traits>
#include <utility>

namespace svm {

namespace c_library {

// Correctly rounded, as strtod and printf are.  The number has no sign and is neither infinite nor
// NaN.  In format hex, which has no prefix 0x here, or general.
std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  std::chars_format format);

// As printf's "%.<precision>g".
std::to_chars_result write_float(char* first, char* last, double value, int precision);

// As few digits as tell the number from all others, of these the nearest, in the form d.ddde-dd.
std::to_chars_result write_shortest(char* first, char* last, double value);

}  // namespace c_library

template <typename Float, typename = void>
constexpr bool kHasFloatChars = false;
template <typename Float>
constexpr bool kHasFloatChars<
    Float, std::void_t<decltype(std::from_chars(nullptr, nullptr, std::declval<Float&>(),
                                                std::chars_format::general))>> = true;

// The rest is for doubles; templates, as only these may name what is not there.

// As std::from_chars, under the conditions above.
template <typename Float>
std::from_chars_result read_float(const char* first, const char* last, Float& value,
                                  std::chars_format format = std::chars_format::general) {
  if constexpr (kHasFloatChars<Float>) {
    return std::from_chars(first, last, value, format);
  } else {
    return c_library::read_float(first, last, value, format);
  }
}

template <typename Float>
std::to_chars_result write_float(char* first, char* last, Float value, int precision) {
  if constexpr (kHasFloatChars<Float>) {
    return std::to_chars(first, last, value, std::chars_format::general, precision);
  } else {
    return c_library::write_float(first, last, value, precision);
  }
}

template <typename Float>
std::to_chars_result write_shortest(char* first, char* last, Float value) {
  if constexpr (kHasFloatChars<Float>) {
    return std::to_chars(first, last, value, std::chars_format::scientific);
  } else {
    return c_library::write_shortest(first, last, value);
  }
}

}  // namespace svm

#endif  // SVM_IO_FLOAT_CHARS_H_
