#include "solvers/smo/resolution.h"

#include <algorithm>
#include <cmath>

namespace svm {
namespace {

constexpr double kUnitInDoubles = 0x1p-51;
constexpr double kFinePart = 0.25;
constexpr double kCoarse = 4;
// No value was seen to be off by more than this many times RowEngine::rounding().
constexpr double kLargestError = 4;
constexpr double kNegligiblePart = 0.125;

// sqrt(largest K) sqrt(max(sum of w^2 K_tt, least))
double size_of_terms(const KernelMatrix& kernel, const std::vector<double>& weights,
                     double least = 0) {
  const double bound = kernel.largest_value();
  double squares = 0, largest = bound;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const double size = bound > 0 ? bound : std::fabs(kernel.diagonal(t));
    squares += weights[t] * weights[t] * size;
    largest = std::max(largest, size);
  }
  return std::sqrt(largest) * std::sqrt(std::max(squares, least));
}

double unit(const KernelMatrix& kernel, Precision precision) {
  const bool is_double = precision == Precision::kDouble || kernel.is_exact();
  return is_double ? kUnitInDoubles : kernel.rounding();
}

}  // namespace

double resolution(const KernelMatrix& kernel, const std::vector<double>& weights,
                  Precision precision) {
  return unit(kernel, precision) * size_of_terms(kernel, weights);
}

double largest_rounding(const KernelMatrix& kernel, const std::vector<double>& weights) {
  const double bound = kernel.largest_value();
  double sum = 0, largest = bound;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const double size = bound > 0 ? bound : std::fabs(kernel.diagonal(t));
    sum += std::fabs(weights[t]) * std::sqrt(size);
    largest = std::max(largest, size);
  }
  return 2 * kLargestError * unit(kernel, kernel.precision()) * std::sqrt(largest) * sum;
}

bool is_negligible(double epsilon, double largest_rounding) {
  return largest_rounding <= kNegligiblePart * epsilon;
}

double drift(const KernelMatrix& kernel, const std::vector<double>& weights,
             const RoundingHistory& history) {
  return kUnitInDoubles * std::sqrt(static_cast<double>(history.steps)) *
         (history.most_difference + size_of_terms(kernel, weights, history.largest_square));
}

double attainable_violation(double epsilon, double resolution) {
  return is_too_coarse(epsilon, resolution) ? std::max(epsilon, kCoarse * resolution)
                                            : epsilon - resolution;
}

double attainable_violation(double epsilon, const KernelMatrix& kernel,
                            const std::vector<double>& weights) {
  const double most = largest_rounding(kernel, weights);
  if (is_negligible(epsilon, most)) return epsilon - most;
  return attainable_violation(epsilon, resolution(kernel, weights));
}

bool is_too_coarse(double epsilon, double resolution) {
  return !(resolution <= kFinePart * epsilon);
}

}  // namespace svm
