#include "kernels/kernel_tail.h"

#include <algorithm>
#include <cmath>

#include "base/simd/instruction_set.h"

namespace svm {
namespace {

constexpr double kLog2E = 0x1.71547652b82fep0;

}  // namespace

std::optional<TailForm> tail_form(int kernel_type) {
  switch (kernel_type) {
    case LINEAR:
      return TailForm::kDot;
    case POLY:
      return TailForm::kPower;
    case RBF:
      return TailForm::kExp;
    case SIGMOID:
      return TailForm::kTanh;
    default:
      return std::nullopt;
  }
}

ExactTail::ExactTail(const KernelFunction& kernel)
    : kernel_(kernel), loops_(loops(instruction_set())), vector_exp_(library_exp_is_close()) {}

void ExactTail::values(const double* dots, double norm, const double* norms, std::size_t count,
                       float* out) const {
  switch (kernel_.type) {
    case LINEAR:
      return loops_.to_float(dots, count, out);
    case POLY:
      return loops_.polynomials(kernel_.gamma, kernel_.coef0, kernel_.degree, dots, count, out);
    case RBF:
      return loops_.rbf_to_float(dots, norms, norm, kernel_.gamma, count, out);
    default:
      for (std::size_t k = 0; k < count; ++k) {
        const double other = norms == nullptr ? 0 : norms[k];
        out[k] = static_cast<float>(kernel_.of_dot(dots[k], norm, other));
      }
  }
}

void ExactTail::values(const double* inner, std::size_t count, double* out) const {
  if (kernel_.type == RBF && vector_exp_) {
    return loops_.library_exp(-kernel_.gamma, inner, count, out);
  }
  if (kernel_.type == LINEAR) {
    if (out != inner) std::copy_n(inner, count, out);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) out[k] = kernel_.of_inner(inner[k]);
}

double ExactTail::cost() const {
  switch (kernel_.type) {
    case LINEAR:
    case POLY:
      return 0.3;
    case RBF:
      return 1.5;
    default:
      return 15;
  }
}

SingleTail single_tail(const KernelFunction& kernel, double unit) {
  constexpr double kMostPower = 125;  // subnormal results take 100 times as long
  SingleTail tail;
  tail.form = *tail_form(kernel.type);
  tail.gamma = kernel.type == LINEAR ? unit : kernel.gamma * unit;
  tail.coef0 = kernel.coef0;
  tail.degree = kernel.degree;
  if (tail.form == TailForm::kExp) {
    const double factor = -kLog2E * kernel.gamma * unit;
    tail.high = static_cast<float>(factor);
    tail.low = static_cast<float>(factor - static_cast<double>(tail.high));
    tail.most = static_cast<float>(-kMostPower / factor);
  }
  return tail;
}

PreciseKernel precise_tail(const KernelFunction& kernel, PreciseInner inner, double largest_norm) {
  constexpr double kLarge = 1e300;
  constexpr double kLeastExponent = -1021;
  PreciseKernel tail = {};
  tail.form = *tail_form(kernel.type);
  tail.inner = inner;
  tail.factor = kernel.gamma;
  tail.summand = kernel.coef0;
  tail.degree = kernel.degree;
  if (tail.form == TailForm::kExp) {
    tail.factor = -std::min(kernel.gamma * kLog2E, kLarge);
    if (inner == PreciseInner::kDistances) tail.factor *= 2;  // inner values are half of them
    // Twice the largest exponent leaves room for rounding.
    tail.most = 2 * kernel.gamma * kLog2E * 4 * largest_norm < -kLeastExponent
                    ? HUGE_VAL
                    : std::min(kLeastExponent / tail.factor, kLarge);
  }
  return tail;
}

}  // namespace svm
