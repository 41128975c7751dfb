#include "solvers/smo/resolution.h"

#include <algorithm>
#include <cmath>

namespace svm {
namespace {

constexpr double kUnitInDoubles = 0x1p-51;
constexpr double kFinePart = 0.25;
constexpr double kCoarse = 4;

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

}  // namespace

double resolution(const KernelMatrix& kernel, const std::vector<double>& weights,
                  Precision precision) {
  const bool is_double = precision == Precision::kDouble || kernel.is_exact();
  return (is_double ? kUnitInDoubles : kernel.rounding()) * size_of_terms(kernel, weights);
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

bool is_too_coarse(double epsilon, double resolution) {
  return !(resolution <= kFinePart * epsilon);
}

}  // namespace svm
