// std::from_chars and std::to_chars for doubles.  A C++ library that lacks them for floating point,
// as libc++ before version 20 and libstdc++ before 11, has the C library do the work, in any locale
// and with the same results.
#ifndef SVM_IO_FLOAT_CHARS_H_
#define SVM_IO_FLOAT_CHARS_H_

#include <charconv>

namespace svm {

enum class NumberForm { kDecimal, kHexadecimal };  // the latter without its prefix 0x

namespace c_library {

// Correctly rounded, as strtod and printf are.  The number has no sign and is neither infinite nor
// NaN.
std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  NumberForm form);

// As printf's "%.<precision>g".
std::to_chars_result write_float(char* first, char* last, double value, int precision);

// As few digits as tell the number from all others, of these the nearest, in the form d.ddde-dd.
std::to_chars_result write_shortest(char* first, char* last, double value);

}  // namespace c_library

// As std::from_chars, under the conditions above.
inline std::from_chars_result read_float(const char* first, const char* last, double& value,
                                         NumberForm form = NumberForm::kDecimal) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(
      first, last, value,
      form == NumberForm::kHexadecimal ? std::chars_format::hex : std::chars_format::general);
#else
  return c_library::read_float(first, last, value, form);
#endif
}

inline std::to_chars_result write_float(char* first, char* last, double value, int precision) {
#if defined(__cpp_lib_to_chars)
  return std::to_chars(first, last, value, std::chars_format::general, precision);
#else
  return c_library::write_float(first, last, value, precision);
#endif
}

inline std::to_chars_result write_shortest(char* first, char* last, double value) {
#if defined(__cpp_lib_to_chars)
  return std::to_chars(first, last, value, std::chars_format::scientific);
#else
  return c_library::write_shortest(first, last, value);
#endif
}

}  // namespace svm

#endif  // SVM_IO_FLOAT_CHARS_H_
