// Compares the versions of std::from_chars and std::to_chars that use the C library with the
// originals.
#include "base/platform/float_chars.h"

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

namespace svm {
namespace {

double from_bits(std::uint64_t bits) {
  double out = 0;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

// Numbers of all sizes: random ones, and powers of two with their neighbours.
std::vector<double> numbers() {
  std::vector<double> out = {0.0, 1.0, 0.1, 1e22, 1e23, 5e-324, std::numeric_limits<double>::max()};
  for (int exponent = -1074; exponent < 1024; exponent += 3) {
    const double power = std::ldexp(1.0, exponent);
    out.insert(out.end(), {power, std::nextafter(power, 0), std::nextafter(power, INFINITY)});
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    const double any = std::fabs(from_bits(random()));
    if (std::isfinite(any)) out.push_back(any);
    out.push_back(std::ldexp(static_cast<double>(random() >> 11U), -30 - i % 60));
  }
  return out;
}

template <typename Write>
std::string written(Write write) {
  std::string text(400, '?');
  const std::to_chars_result end = write(text.data(), text.data() + text.size());
  EXPECT_EQ(end.ec, std::errc());
  return text.substr(0, static_cast<std::size_t>(end.ptr - text.data()));
}

void expect_same(const std::string& text, NumberForm form) {
  const char* const end = text.data() + text.size();
  double wanted = -1, got = -1;
  const std::from_chars_result library = read_float(text.data(), end, wanted, form);
  const std::from_chars_result mine = c_library::read_float(text.data(), end, got, form);
  EXPECT_EQ(mine.ptr - text.data(), library.ptr - text.data()) << text;
  EXPECT_EQ(mine.ec, library.ec) << text;
  EXPECT_EQ(got, wanted) << text;
}

TEST(FloatChars, AreReadAsTheCxxLibraryDoes) {
  for (const char* text : {"",
                           ".",
                           ".e1",
                           "5",
                           "5.",
                           ".5",
                           "05.50x",
                           "1e5",
                           "1e",
                           "1e+",
                           "1e-3.5",
                           "1E+05",
                           "1.2.3",
                           "1e400",
                           "1e-400",
                           "0e999",
                           "0.000e5",
                           "1e99999999999",
                           "0x10",
                           " 1",
                           "+1",
                           "1p3",
                           "x",
                           "9007199254740993",
                           "9007199254740993.00000000000000000000000000000000000000001",
                           "2.2250738585072011e-308",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324"}) {
    expect_same(text, NumberForm::kDecimal);
    expect_same(text, NumberForm::kHexadecimal);
  }
  for (const char* text : {"1.8p3", "f", "F.Fp-1", "1.00000000000008p0", "1.00000000000018p0", ".8",
                           "1p1023", "1p1024", "1p-1074", "1.ep", "ap+2"}) {
    expect_same(text, NumberForm::kHexadecimal);
  }
  expect_same(std::string(1000, '1'), NumberForm::kDecimal);
  expect_same("0." + std::string(300, '0') + std::string(1000, '7'), NumberForm::kDecimal);
  for (const double number : numbers()) {
    for (const int precision : {3, 17, 19, 40}) {
      expect_same(written([&](char* first, char* last) {
                    return c_library::write_float(first, last, number, precision);
                  }),
                  NumberForm::kDecimal);
    }
  }
}

TEST(FloatChars, AreWrittenAsTheCxxLibraryDoes) {
  for (const double size : numbers()) {
    for (const double number : {size, -size}) {
      for (const int precision : {0, 1, 6, 10, 17, 25}) {
        const auto with = [&](auto write) {
          return written(
              [&](char* first, char* last) { return write(first, last, number, precision); });
        };
        EXPECT_EQ(with(c_library::write_float),
                  with([](char* first, char* last, double value, int digits) {
                    return write_float(first, last, value, digits);
                  }))
            << precision;
        EXPECT_EQ(with(c_library::write_fixed),
                  with([](char* first, char* last, double value, int digits) {
                    return write_fixed(first, last, value, digits);
                  }))
            << precision;
      }
      EXPECT_EQ(
          written([&](char* first, char* last) {
            return c_library::write_shortest(first, last, number);
          }),
          written([&](char* first, char* last) { return write_shortest(first, last, number); }));
    }
  }
}

TEST(FloatChars, TheShortestOfAPowerOfTwo) {
  // 5.684341886080801e-14 is nearer, but is another double.
  EXPECT_EQ(written([](char* first, char* last) {
              return c_library::write_shortest(first, last, std::ldexp(1.0, -44));
            }),
            "5.684341886080802e-14");
}

TEST(FloatChars, NoRoomIsAnError) {
  char text[4];
  EXPECT_EQ(c_library::write_float(text, text + 4, 12345, 6).ec, std::errc::value_too_large);
}

// Uses a locale with a decimal comma, if the system has one.
TEST(FloatChars, TheLocaleHasNoPartInIt) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool has_comma = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"}) {
    has_comma = has_comma || std::setlocale(LC_NUMERIC, name) != nullptr;
  }
  double value = 0;
  const std::string text = "1.5";
  c_library::read_float(text.data(), text.data() + text.size(), value, NumberForm::kDecimal);
  const std::string again = written(
      [&](char* first, char* last) { return c_library::write_float(first, last, value, 3); });
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(again, "1.5");
  if (!has_comma) GTEST_SKIP() << "no locale with a comma";
}

}  // namespace
}  // namespace svm
