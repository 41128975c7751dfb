
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"

namespace svm {
namespace {

// Hides a number from the optimizer.
double unknown(double value) {
  const volatile double kept = value;
  return kept;
}

bool rounds_products(InstructionSet set) {
  constexpr double kFactor = 1 + 0x1p-30;
  constexpr double kRoundedSquare = 1 + 0x1p-29;
  return loops(set).product_plus(kFactor, kFactor, -kRoundedSquare) == 0;
}

bool adds_in_order() {
  const double large = unknown(1), small = unknown(0x1p-60);
  return (large + small) - large == 0;
}

bool divides() {
  const double three = unknown(3), ten = unknown(10);
  return three / 10.0 == three / ten;
}

bool knows_nan() {
  const double nan = unknown(std::numeric_limits<double>::quiet_NaN());
  return nan != nan;
}

bool knows_signed_zeros() { return !std::signbit(unknown(-0.0) + 0.0); }

}  // namespace

void require_exact_arithmetic() {
  const bool exact = rounds_products(InstructionSet::kPlain) &&
                     rounds_products(instruction_set()) && adds_in_order() && divides() &&
                     knows_nan() && knows_signed_zeros();
  if (exact) return;
  throw std::runtime_error(
      "the library was compiled to calculate otherwise than its sources: compile it without "
      "-ffp-contract=fast, -ffast-math and parts of it");
}

bool library_exp_is_close() {
#if defined(__x86_64__) && defined(__GLIBC__)
  char* end = nullptr;
  const char* const version = gnu_get_libc_version();
  const long major = std::strtol(version, &end, 10);
  const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return major > 2 || (major == 2 && minor >= 28);
#else
  return false;
#endif
}

}  // namespace svm
