#include "base/io/number_text.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace svm {
namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t out = 0;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

double from_bits(std::uint64_t bits) {
  double out = 0;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

std::string printed(double value, int precision) {
  char text[128];
  std::snprintf(text, sizeof text, "%.*g", precision, value);
  return text;
}

std::string appended(double value, int precision) {
  std::string out = ">";
  append_real(out, value, precision);
  return out.substr(1);
}

// The C library is the reference; the test runs in the C locale.
void expect_like_strtod(const std::string& text) {
  SCOPED_TRACE(text);
  char* end = nullptr;
  const double want = std::strtod(text.c_str(), &end);
  const auto length = static_cast<std::size_t>(end - text.c_str());
  const RealText got = parse_real(text);
  EXPECT_EQ(got.length, length);
  if (length == 0) {
    EXPECT_EQ(got.status, NumberStatus::kNotANumber);
    return;
  }
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got.value));
    EXPECT_EQ(std::signbit(got.value), std::signbit(want));
    EXPECT_EQ(got.status, NumberStatus::kOk);
    return;
  }
  EXPECT_EQ(bits_of(got.value), bits_of(want)) << got.value << " instead of " << want;
  if (want != 0 && std::fabs(want) < DBL_MIN) {
    EXPECT_EQ(got.status, NumberStatus::kUnderflow);
  } else if (std::isfinite(want) && want != 0) {
    EXPECT_EQ(got.status, NumberStatus::kOk);
  }
}

TEST(NumberText, ParsesLikeStrtod) {
  for (const char* const text : {"0",
                                 "-0",
                                 "+0",
                                 "1",
                                 "+1",
                                 "-1.5",
                                 "1.",
                                 ".5",
                                 "-.5e-3",
                                 "1e5",
                                 "1E+5",
                                 "1e",
                                 "1e+",
                                 "1e-x",
                                 "1.5abc",
                                 "1,5",
                                 "0x10",
                                 "0X1.8p3",
                                 "0x.8",
                                 "0x1.p-2",
                                 "0x",
                                 "0xg",
                                 "0xp1",
                                 "-0x1P+4",
                                 "0x1p",
                                 "0x1p+",
                                 "inf",
                                 "-INF",
                                 "Infinity",
                                 "infinit",
                                 "+infinityx",
                                 "nan",
                                 "-nan",
                                 "NaN(12_a)",
                                 "nan(",
                                 "nan(-)",
                                 "",
                                 "+",
                                 "-",
                                 ".",
                                 "e5",
                                 ".e5",
                                 "abc",
                                 "--1",
                                 "+-1",
                                 "- 1",
                                 "1.7976931348623157e308",
                                 "4.9e-324",
                                 "2.2250738585072014e-308",
                                 "2.2250738585072011e-308",
                                 "2.4703282292062328e-324",
                                 "1e-310",
                                 "0e999999999999999999999",
                                 "0.000e-99999999999999999999",
                                 "0x0p9999999999999999999",
                                 "00000000000000000000000000000000000000000000000000001e1",
                                 "179769313486231570000000000000000000000000000000000000e255",
                                 "9007199254740993",
                                 "9007199254740992.9999999999999999999999999999",
                                 "0x1.fffffffffffff8p0",
                                 "0x1.0000000000000800000001p0",
                                 "0x0.0000000001p-1000"}) {
    expect_like_strtod(text);
  }
}

TEST(NumberText, TellsOverflowFromUnderflow) {
  for (const char* const text :
       {"1e400", "1.8e308", "1e99999999999999999999", "0x1p1024", "0x1p99999999999999999999",
        "179769313486231590000000000000000000000e270", "0.00001e400", "0x10p1021",
        "0x1.fffffffffffffffp1023"}) {
    const RealText got = parse_real(text);
    EXPECT_EQ(got.status, NumberStatus::kOverflow) << text;
    EXPECT_TRUE(std::isinf(got.value)) << text;
    EXPECT_EQ(got.length, std::strlen(text));
  }
  EXPECT_LT(parse_real("-1e400").value, 0);
  for (const char* const text : {"1e-400", "1e-99999999999999999999", "0x1p-2000", "10000e-500",
                                 "0x1p-99999999999999999999", "2e-324", "1e-310", "0x1p-1074"}) {
    const RealText got = parse_real(text);
    EXPECT_EQ(got.status, NumberStatus::kUnderflow) << text;
    EXPECT_EQ(got.value, std::strtod(text, nullptr)) << text;
    EXPECT_EQ(got.length, std::strlen(text));
  }
  EXPECT_TRUE(std::signbit(parse_real("-1e-400").value));
  EXPECT_EQ(parse_real("0." + std::string(400, '0') + "1").status, NumberStatus::kUnderflow);
  EXPECT_EQ(parse_real("1" + std::string(400, '0')).status, NumberStatus::kOverflow);
  EXPECT_EQ(parse_real("1" + std::string(400, '0') + "e-400").value, 1);
  EXPECT_EQ(parse_real("0." + std::string(400, '0') + "1e401").value, 1);
}

TEST(NumberText, PrintsLikePrintf) {
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.1,
                             1e-5,
                             1e-4,
                             0.0001234565,
                             123456.5,
                             999999.5,
                             1e6,
                             1e16,
                             1e17,
                             1e100,
                             DBL_MAX,
                             DBL_MIN,
                             from_bits(1),
                             2.5,
                             0.5,
                             1.0 / 3,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    for (const int precision : {1, 6, 8, 16, 17}) {
      EXPECT_EQ(appended(value, precision), printed(value, precision));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(appended(std::copysign(nan, 1.0), 17), "nan");
  EXPECT_EQ(appended(std::copysign(nan, -1.0), 6), "-nan");
}

TEST(NumberText, RandomBitPatternsAgreeWithTheCLibrary) {
  std::mt19937_64 random(20240117);
  for (int i = 0; i < 100000; ++i) {
    const double value = from_bits(random());
    if (std::isnan(value)) continue;
    for (const int precision : {6, 8, 17}) {
      ASSERT_EQ(appended(value, precision), printed(value, precision));
    }
    const RealText back = parse_real(appended(value, 17));
    ASSERT_EQ(bits_of(back.value), bits_of(value));
  }
  for (int i = 0; i < 20000; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%a", from_bits(random()));
    expect_like_strtod(text);
    // Many digits and exponents around the ends of the range.
    std::snprintf(text, sizeof text, "%llu%llue%d", static_cast<unsigned long long>(random()),
                  static_cast<unsigned long long>(random()),
                  static_cast<int>(random() % 2 == 0 ? random() % 280 : 0) -
                      static_cast<int>(random() % 370));
    expect_like_strtod(text);
    // Ordinary feature values.
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(random() % 2000001) / 1e6 - 1);
    expect_like_strtod(text);
    if (HasFailure()) break;
  }
}

// Typical values of data and models, and values next to changes of the printed digits.
double printable(std::mt19937_64& random, int kind) {
  const auto below = [&](std::uint64_t limit) { return static_cast<double>(random() % limit); };
  const double sign = random() % 2 == 0 ? 1 : -1;
  switch (kind) {
    case 0:  // short decimals
      return sign * below(2000001) / std::pow(10, below(9));
    case 1:  // ties of short numbers: odd multiples of powers of two
      return sign * std::ldexp(below(1 << 24) * 2 + 1, -static_cast<int>(random() % 40));
    case 2:  // uniform in [0, 1)
      return sign * std::ldexp(below(std::uint64_t{1} << 53U), -53);
    case 3:  // all sizes near 1
      return sign * std::ldexp(below(std::uint64_t{1} << 53U), -static_cast<int>(random() % 200));
    case 4:  // integers
      return sign * below(std::uint64_t{1} << (random() % 64));
    case 5: {  // powers of ten and their neighbours, halves of the last digit
      double value = std::pow(10, static_cast<int>(random() % 80) - 40);
      if (random() % 2 == 0) value *= 1 - 0.5 * std::pow(10, -static_cast<int>(random() % 18));
      for (auto step = random() % 4; step > 0; --step) value = std::nextafter(value, sign * 1e300);
      return value;
    }
    case 6:  // quotients, as scaling gives them
      return sign * below(10000) / (1 + below(10000)) * 2 - 1;
    default:
      return from_bits(random());
  }
}

TEST(NumberText, PrintsMillionsOfNumbersLikePrintf) {
  std::mt19937_64 random(7);
  constexpr int kKinds = 8;
  constexpr int kNumbers = 160000;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int i = 0; i < kNumbers; ++i) {
      const double value = printable(random, kind);
      if (std::isnan(value)) continue;
      const int other = 1 + static_cast<int>(random() % kMostDigits);
      for (const int precision : {6, 17, i % 2 == 0 ? 8 : other}) {
        char want[64];
        const int length = std::snprintf(want, sizeof want, "%.*g", precision, value);
        char got[kLongestReal];
        char* const end = write_real(got, value, precision);
        ASSERT_EQ(std::string_view(got, static_cast<std::size_t>(end - got)),
                  std::string_view(want, static_cast<std::size_t>(length)))
            << "kind " << kind << ", " << precision << " digits";
      }
    }
  }
}

TEST(NumberText, PrintsIntegers) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 200000; ++i) {
    const auto value = static_cast<long long>(random() >> (random() % 64)) * (i % 2 == 0 ? 1 : -1);
    char got[kLongestInt];
    ASSERT_EQ(std::string(got, write_int(got, value)), std::to_string(value));
  }
}

TEST(NumberText, ParsesIntegersLikeStrtoll) {
  struct Case {
    const char* text;
    NumberStatus status;
    long long value;
    std::size_t length;
  };
  for (const Case& c : {Case{"0", NumberStatus::kOk, 0, 1},
                        {"+7x", NumberStatus::kOk, 7, 2},
                        {"-12:", NumberStatus::kOk, -12, 3},
                        {"0x1", NumberStatus::kOk, 0, 1},
                        {"", NumberStatus::kNotANumber, 0, 0},
                        {"+", NumberStatus::kNotANumber, 0, 0},
                        {"-", NumberStatus::kNotANumber, 0, 0},
                        {"+-1", NumberStatus::kNotANumber, 0, 0},
                        {"a", NumberStatus::kNotANumber, 0, 0},
                        {"9223372036854775807", NumberStatus::kOk, INT64_MAX, 19},
                        {"9223372036854775808", NumberStatus::kOverflow, INT64_MAX, 19},
                        {"-9223372036854775808", NumberStatus::kOk, INT64_MIN, 20},
                        {"-9223372036854775809", NumberStatus::kOverflow, INT64_MIN, 20}}) {
    const IntText got = parse_int(c.text);
    EXPECT_EQ(got.status, c.status) << c.text;
    EXPECT_EQ(got.value, c.value) << c.text;
    EXPECT_EQ(got.length, c.length) << c.text;
  }
  std::string out;
  append_int(out, INT64_MIN);
  append_int(out, 0);
  EXPECT_EQ(out, "-92233720368547758080");
}

}  // namespace
}  // namespace svm
