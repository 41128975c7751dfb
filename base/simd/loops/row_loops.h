// Loops from dot products to kernel values. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

double product_plus(double x, double y, double z) { return x * y + z; }

void to_float(const double* x, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(out + k, load(x + k));
  for (; k < count; ++k) out[k] = static_cast<float>(x[k]);
}

void pick_values(const float* row, const std::uint32_t* places, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kWideLanes <= count; k += kWideLanes) {
    look_up(row, load_wide_words(places + k), out + k);
  }
  for (; k < count; ++k) out[k] = row[places[k]];
}

void polynomials(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                 float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    store(out + k, power(gamma * load(dots + k) + coef0, degree, all(1.0)));
  }
  for (; k < count; ++k) {
    out[k] = static_cast<float>(power(gamma * dots[k] + coef0, degree, 1.0));
  }
}

void rbf_to_float(const double* dot, const double* norms, double norm, double gamma,
                  std::size_t count, float* out) {
  std::size_t k = 0;
  for (; count - k >= kLanes; k += kLanes) {
    exp_lanes(rbf_argument(load(dot + k), load(norms + k), norm, gamma), out + k);
  }
  if (k == count) return;
  const std::size_t rest = count - k;
  const Doubles x = rbf_argument(load_some(dot + k, rest), load_some(norms + k, rest), norm, gamma);
  float lanes[kLanes];
  exp_lanes(x, lanes);
  std::memcpy(out + k, lanes, rest * sizeof(float));
}

template <TailForm kForm>
inline WideFloats tail_of_dots(const double* dots, const double* norms,
                               [[maybe_unused]] double norm, const SingleTail& tail) {
  const Doubles low = load(dots), high = load(dots + kLanes);
  if constexpr (kForm == TailForm::kExp) {
    const Doubles low_norms = all(norm) + load(norms),
                  high_norms = all(norm) + load(norms + kLanes);
    const WideFloats distances =
        join(multiply_add(all(-2.0), low, low_norms), multiply_add(all(-2.0), high, high_norms));
    return exp2_of_product(-at_most(-distances, WideFloats{}), tail);  // no distance is below 0
  } else {
    return join(value_of_dot<kForm>(low, tail), value_of_dot<kForm>(high, tail));
  }
}

void dot_tails(const double* dots, const double* norms, double norm, const SingleTail& tail,
               std::size_t count, float* out) {
  with_form(tail.form, [&](auto form) {
    constexpr TailForm kForm = decltype(form)::kForm;
    std::size_t k = 0;
    for (; k + kWideLanes <= count; k += kWideLanes) {
      const double* at = kForm == TailForm::kExp ? norms + k : nullptr;
      store_wide(out + k, tail_of_dots<kForm>(dots + k, at, norm, tail));
    }
    if (k == count) return;
    double rest_dots[kWideLanes] = {}, rest_norms[kWideLanes] = {};
    float rest[kWideLanes];
    std::memcpy(rest_dots, dots + k, (count - k) * sizeof(double));
    if (kForm == TailForm::kExp) {
      std::memcpy(rest_norms, norms + k, (count - k) * sizeof(double));
    }
    store_wide(rest, tail_of_dots<kForm>(rest_dots, rest_norms, norm, tail));
    std::memcpy(out + k, rest, (count - k) * sizeof(float));
  });
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_ROW_LOOPS_H_
