#include "kernels/exact_sums.h"

#include <algorithm>
#include <cmath>

#include "kernels/double_double.h"

namespace svm {
namespace {

constexpr double kWideUnit = 0x1p-102;

// How many times the unit a sum of so many terms is off, relative to the sum of their sizes.
double errors_in_a_row(std::size_t terms) {
  const auto count = static_cast<double>(terms);
  return std::min(count, 8 * std::sqrt(count));
}

struct Products {
  static DoubleDouble of_both(double a, double b) { return exact_product(a, b); }
  static DoubleDouble of_one(double /*a*/) { return {}; }
};

struct SquaredDifferences {
  static DoubleDouble of_both(double a, double b) {
    const DoubleDouble difference = exact_sum(a, -b);
    return difference * difference;
  }
  static DoubleDouble of_one(double a) { return exact_product(a, a); }
};

// The sum over the features of two rows.
template <typename Of>
DoubleDouble merged(const svm_node* u, const svm_node* v) {
  DoubleDouble sum;
  merge_nodes(
      u, v, [&](double a, double b) { sum = sum + Of::of_both(a, b); },
      [&](double a) { sum = sum + Of::of_one(a); });
  return sum;
}

// KernelFunction::of_inner() of the sum over the features; RBF and SIGMOID in doubles.
DoubleDouble value_of(const KernelFunction& kernel, const svm_node* u, const svm_node* v) {
  const DoubleDouble inner =
      kernel.of_distances() ? merged<SquaredDifferences>(u, v) : merged<Products>(u, v);
  if (kernel.type == LINEAR) return inner;
  const DoubleDouble scaled = inner * DoubleDouble{kernel.gamma, 0};
  if (kernel.type == RBF) return {std::exp(-scaled.to_double()), 0};
  const DoubleDouble base = scaled + DoubleDouble{kernel.coef0, 0};
  if (kernel.type == SIGMOID) return {std::tanh(base.to_double()), 0};
  return integer_power(base, kernel.degree);
}

}  // namespace

RowExtent::RowExtent(const DataRows& rows, std::size_t count) {
  for (std::size_t t = 0; t < count; ++t) {
    std::size_t features = 0;
    double norm = 0;
    rows[t].for_each([&](int /*index*/, double value) {
      ++features;
      norm += value * value;
    });
    mean_features += static_cast<double>(features) / static_cast<double>(count);
    most_features = std::max(most_features, features);
    largest_norm = std::max(largest_norm, norm);
  }
}

ExactSums::ExactSums(const KernelFunction& kernel, const DataRows& rows, std::size_t count,
                     const RowExtent* known)
    : kernel_(kernel), rows_(rows), count_(count) {
  if (kernel_.type != PRECOMPUTED) extent_ = known != nullptr ? *known : RowExtent(rows, count);
}

double ExactSums::error_in_doubles(std::size_t terms, bool by_norms) const {
  const double inner = errors_in_a_row(extent_.most_features) + 4;
  const double size = kernel_.gamma * extent_.largest_norm;
  double of_value = 0;
  switch (kernel_.type) {
    case LINEAR:
      of_value = inner;
      break;
    case POLY:
      of_value = kernel_.degree * (inner + 4);
      break;
    case RBF:  // norms and products cancel, unless differences are summed
      of_value = inner * (kernel_.is_rounded(extent_.largest_norm) && !by_norms
                              ? 1
                              : std::max(1.0, 4 * size)) +
                 4;
      break;
    case SIGMOID:
      of_value = inner * (size + std::fabs(kernel_.coef0)) + 4;
      break;
    default:
      break;
  }
  return kDoubleUnit * (of_value + errors_in_a_row(terms) + 1);
}

double ExactSums::error(std::size_t terms) const {
  const auto features = static_cast<double>(extent_.most_features);
  double of_value = 0;
  if (kernel_.type == LINEAR) of_value = kWideUnit * (features + 1);
  if (kernel_.type == POLY) of_value = kWideUnit * kernel_.degree * (features + 4);
  if (kernel_.type == RBF || kernel_.type == SIGMOID) of_value = 4 * kDoubleUnit;
  return of_value + kWideUnit * static_cast<double>(terms + 1);
}

double ExactSums::cost(std::size_t terms, std::size_t columns) const {
  return static_cast<double>(terms) * static_cast<double>(columns) * (extent_.mean_features + 1);
}

bool ExactSums::compute(const std::vector<double>& weights, const std::vector<std::size_t>& columns,
                        ThreadPool& pool, const GoOn& go_on, std::vector<double>& sums) const {
  // Rows of a view as nodes.
  std::vector<svm_node> nodes;
  std::vector<std::size_t> begin(count_);
  const bool has_nodes = count_ == 0 || rows_[0].nodes() != nullptr;
  for (std::size_t t = 0; t < count_ && !has_nodes && kernel_.type != PRECOMPUTED; ++t) {
    begin[t] = nodes.size();
    append_nodes(rows_[t], nodes);
  }
  const auto row = [&](std::size_t t) {
    return has_nodes ? rows_[t].nodes() : nodes.data() + begin[t];
  };
  constexpr std::size_t kChunk = 8;
  sums.assign(columns.size(), 0.0);
  const SharedGoOn goes_on(go_on);
  pool.for_chunks(columns.size(), kChunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last && goes_on(); ++k) {
      DoubleDouble sum;
      for (std::size_t s = 0; s < count_; ++s) {
        if (weights[s] == 0) continue;
        const DoubleDouble value =
            kernel_.type == PRECOMPUTED
                ? DoubleDouble{kernel_.of_rows(rows_[s], rows_[columns[k]]), 0}
                : value_of(kernel_, row(s), row(columns[k]));
        sum = sum + value * DoubleDouble{weights[s], 0};
      }
      sums[k] = sum.to_double();
    }
  });
  return !goes_on.is_stopped();
}

}  // namespace svm
