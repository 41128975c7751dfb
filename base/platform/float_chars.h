// std::from_chars and std::to_chars for doubles. If the C++ library lacks them for floating point
// (libc++ before version 20, libstdc++ before 11), the C library does the work, in any locale and
// with the same results.
#ifndef SVM_BASE_PLATFORM_FLOAT_CHARS_H_
#define SVM_BASE_PLATFORM_FLOAT_CHARS_H_

#include <charconv>
#include <string>

namespace svm {

enum class NumberForm { kDecimal, kHexadecimal };  // kHexadecimal: without the prefix 0x

#if defined(SVM_NO_STDIO) && !defined(__cpp_lib_to_chars)
#error "SVM_NO_STDIO needs std::to_chars for doubles: GCC 11, Clang with its library, or later"
#endif

namespace c_library {

// Rounds correctly, as strtod does. The text must not have a sign or be infinite or NaN.
std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  NumberForm form = NumberForm::kDecimal);

// Writes as printf's "%.<precision>g" does.
std::to_chars_result write_float(char* first, char* last, double value, int precision);
// Writes as printf's "%.<precision>f" does.
std::to_chars_result write_fixed(char* first, char* last, double value, int precision);

// Writes the shortest digits that identify the number, and of these the nearest, as d.ddde-dd.
std::to_chars_result write_shortest(char* first, char* last, double value);

}  // namespace c_library

// These behave like std::from_chars and std::to_chars under the conditions above.
#if defined(__cpp_lib_to_chars)
inline std::from_chars_result read_float(const char* first, const char* last, double& value,
                                         NumberForm form = NumberForm::kDecimal) {
  return std::from_chars(
      first, last, value,
      form == NumberForm::kHexadecimal ? std::chars_format::hex : std::chars_format::general);
}

inline std::to_chars_result write_float(char* first, char* last, double value, int precision) {
  return std::to_chars(first, last, value, std::chars_format::general, precision);
}

inline std::to_chars_result write_fixed(char* first, char* last, double value, int precision) {
  return std::to_chars(first, last, value, std::chars_format::fixed, precision);
}

inline std::to_chars_result write_shortest(char* first, char* last, double value) {
  return std::to_chars(first, last, value, std::chars_format::scientific);
}
#else
using c_library::read_float, c_library::write_fixed, c_library::write_float,
    c_library::write_shortest;
#endif

// The texts of printf's "%.<digits>f" and "%.<digits>g"; up to 20 digits.
std::string fixed_text(double value, int digits = 6);
std::string general_text(double value, int digits = 6);

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_FLOAT_CHARS_H_
