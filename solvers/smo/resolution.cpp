#include "solvers/smo/resolution.h"

#include <algorithm>
#include <cmath>

namespace svm {
namespace {

constexpr double kUnitInDoubles = 0x1p-51;
constexpr double kFinePart = 0.25;
constexpr double kCoarse = 4;
// Refinement::sample_is_accurate() finds errors up to so many times the estimate: with 2 to 16,
// class pairs of news20 need no rounds in doubles.
constexpr double kSampleMargin = 4;
constexpr double kNegligiblePart = 0.125;

}  // namespace

TermSizes::TermSizes(const KernelMatrix& kernel, const std::vector<double>& weights)
    : kernel_(kernel),
      bound_(kernel.largest_value()),
      root_of_bound_(std::sqrt(std::max(bound_, 0.0))),
      largest_value_(bound_) {
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (!(bound_ > 0)) largest_value_ = std::max(largest_value_, value_size(t));
    if (weights[t] != 0) change(t, 0, weights[t]);
  }
}

double TermSizes::value_size(std::size_t t) const {
  return bound_ > 0 ? bound_ : std::fabs(kernel_.diagonal(t));
}

void TermSizes::change(std::size_t t, double before, double after) {
  const double size = value_size(t), square = after * after * size;
  squares_ += square - before * before * size;
  largest_square_ = std::max(largest_square_, square);
  sizes_ +=
      (std::fabs(after) - std::fabs(before)) * (bound_ > 0 ? root_of_bound_ : std::sqrt(size));
}

double TermSizes::of_independent(double least) const {
  return std::sqrt(largest_value_) * std::sqrt(std::max(squares_, least));
}

double TermSizes::resolution(Precision precision) const {
  const bool is_double = precision == Precision::kDouble || kernel_.is_exact();
  const double part = is_double ? 1 : kernel_.spread_of_errors();
  return (is_double ? kUnitInDoubles : kernel_.rounding()) * std::sqrt(largest_value_) *
         std::sqrt(std::max(part * squares_, largest_square_));
}

double TermSizes::largest_rounding() const {
  const bool is_double = kernel_.in_doubles() || kernel_.is_exact();
  const double error =
      is_double ? RowEngine::kLargestError * kUnitInDoubles : kernel_.largest_error();
  return 2 * error * size_of_sums();
}

double TermSizes::size_of_sums() const { return std::sqrt(largest_value_) * sizes_; }

double TermSizes::attainable_violation(double epsilon) const {
  const double most = largest_rounding();
  if (!is_too_coarse(epsilon, most)) return epsilon - most;
  const double estimate = resolution(kernel_.precision());
  if (!is_too_coarse(epsilon, kSampleMargin * estimate)) return epsilon - kSampleMargin * estimate;
  return svm::attainable_violation(epsilon, estimate);
}

double rounding_in_doubles(const ExactSums& sums, std::size_t terms, double size_of_sums,
                           bool by_norms) {
  return 2 * sums.error_in_doubles(terms, by_norms) * size_of_sums;
}

double rounding_of_linear(const DualState& state) {
  double largest = 0;
  for (const double each : state.linear) largest = std::max(largest, std::fabs(each));
  return 4 * kDoubleUnit * largest;
}

bool is_negligible(double epsilon, double largest_rounding) {
  return largest_rounding <= kNegligiblePart * epsilon;
}

double drift(const TermSizes& sizes, const RoundingHistory& history) {
  return kUnitInDoubles * std::sqrt(static_cast<double>(history.steps)) *
         (history.most_difference + sizes.of_independent(history.largest_square));
}

double attainable_violation(double epsilon, double resolution) {
  return is_too_coarse(epsilon, resolution) ? std::max(epsilon, kCoarse * resolution)
                                            : epsilon - resolution;
}

bool is_surely_attainable(double violation, double epsilon) {
  return violation < (1 - kFinePart) * epsilon;
}

bool is_too_coarse(double epsilon, double resolution) {
  return !(resolution <= kFinePart * epsilon);
}

}  // namespace svm
