#include "kernels/engines/single_error.h"

#include <algorithm>
#include <cmath>

#include "base/platform/numbers.h"

namespace svm {

StoredError float_error(const Examples& examples) {
  const auto squares = [](std::uint32_t, double value) {
    const double error = static_cast<double>(static_cast<float>(value)) - value;
    return StoredSquares{error * error};
  };
  return stored_rows(examples, {}, {}, squares).error;
}

double moved_bound(double gamma, double distance) {
  return 2 * kMostSlope * std::sqrt(gamma) * distance;
}

// If rows are off by a part of their norms, a dot product changes by up to twice that part of the
// product of the norms (Cauchy and Schwarz).
double dot_rounding(const KernelFunction& kernel, const Examples& examples, double part) {
  constexpr int kMostDegree = 8;
  double least = kInfinity, most = 0;  // squared norms that are not 0
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const double norm = examples.squared_norm(i);
    most = std::max(most, norm);
    if (norm > 0) least = std::min(least, norm);
  }
  if (!is_ordinary(most) || !is_ordinary(least)) return kInfinity;
  const double of_dot = kOrdinaryRounding + 2 * part;  // the product and the result are rounded
  if (kernel.type == LINEAR) return of_dot;
  const double gamma = kernel.gamma, coef0 = kernel.coef0;
  if (!is_ordinary(gamma) || !std::isfinite(coef0)) return kInfinity;
  const double largest = gamma * most + std::fabs(coef0);
  if (kernel.type == SIGMOID) {
    // The slope is 1 at most; values are taken to be as large as they can get.
    return of_dot * std::max(1.0, gamma * most / std::tanh(largest));
  }
  if (kernel.degree < 1 || kernel.degree > kMostDegree) return kInfinity;
  const double smallest = gamma * least + coef0;  // of the diagonal's powers
  if (smallest <= 0 || !is_ordinary(std::pow(smallest, kernel.degree)) ||
      !is_ordinary(std::pow(largest, kernel.degree))) {
    return kInfinity;
  }
  // A power multiplies the relative error; a negative coef0 that of what it is subtracted from.
  const double cancelled = (gamma * least + std::fabs(coef0)) / smallest;
  return of_dot * kernel.degree * std::pow(cancelled, kernel.degree);
}

}  // namespace svm
