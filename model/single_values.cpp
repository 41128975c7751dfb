#include "model/single_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "kernels/engines/single_error.h"
#include "kernels/kernel_tail.h"
#include "model/svm_type.h"
#include "platform/numbers.h"
#include "simd/instruction_set.h"

namespace svm {
namespace {

constexpr double kSingleUnit = 0x1p-24;  // relative error of rounding to float
constexpr std::size_t kVectorsAtOnce = 128;
constexpr std::uint32_t kNoWords[kBlockColumns] = {};  // no features are stored as bits

// Rounds to float.  Adds the squared error to `squares`, which becomes infinite on overflow.
float to_single(double value, double& squares) {
  if (!(std::fabs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
    squares = kInfinity;
    return 0;
  }
  const auto single = static_cast<float>(value);
  const double lost = value - static_cast<double>(single);
  squares += lost * lost;
  return single;
}

}  // namespace

// A block of rows to predict.
struct SingleValues::Columns {
  std::vector<float> values;   // (feature, row)
  std::vector<double> errors;  // error bound of the kernel values of each row
};

std::unique_ptr<SingleValues> SingleValues::make(const ModelView& model) {
  constexpr double kLeastGamma = 1e-30, kMostGamma = 1e6;  // well inside the range of floats
  const svm_parameter& param = model.param;
  if (param.kernel_type != RBF || is_regression(param.svm_type) || model.count == 0) return nullptr;
  if (!(param.gamma >= kLeastGamma && param.gamma <= kMostGamma)) return nullptr;
  if (model.functions() == 0) return nullptr;
  auto shape = shape_of(model);
  if (!shape || !shape->is_dense) return nullptr;
  auto values = std::make_unique<SingleValues>(model, std::move(shape->slots));
  return std::isfinite(values->rounding_) ? std::move(values) : nullptr;
}

SingleValues::SingleValues(const ModelView& model, FeatureSlots slots)
    : model_(model),
      kernel_(model.param),
      loops_(loops(instruction_set())),
      slots_(std::move(slots)),
      tail_(single_tail(kernel_, 1)),
      is_single_(model.functions() == 1),
      features_(slots_.size() + 1),
      vectors_(model.count),
      values_(vectors_ * features_, 0.0F),
      weights_(model.functions(), 0.0) {
  FeatureSlots::Row row;
  for (std::size_t s = 0; s < vectors_; ++s) {
    slots_.place(model.vectors[s], row);
    pack(row, s);
  }
  model.for_each_stretch(
      0, vectors_,
      [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
          weights_[function] += std::fabs(coefficients[s]);
        }
      });
}

void SingleValues::pack(FeatureSlots::Row& row, std::size_t s) {
  const bool in_group = is_single_ && s < vectors_ / kSingleRows * kSingleRows;
  float* const to =
      values_.data() +
      (in_group ? s / kSingleRows * kSingleRows * features_ + s % kSingleRows : s * features_);
  double squares = 0;
  for (const auto& entry : row.entries) {
    to[entry.slot * (in_group ? kSingleRows : 1)] = to_single(entry.value, squares);
  }
  if (!std::isfinite(squares)) squares = kInfinity;
  rounding_ = std::max(rounding_, std::sqrt(squares));
}

// Bound of the error of a kernel value, if the rounding to floats moves the row and the support
// vector by `rounding` together.
//
// Squared differences are summed in parts of 32 features, so that the sum has a relative error of
// (34 + the number of parts) units.  With t = sqrt(gamma) times the distance, the error of the
// exponent is e = t^2 relative + 2 t moved + moved^2.  exp(-t^2) (exp(e) - 1) is largest near t = 1
// for the first term, and near 0.7 for the second.
double SingleValues::error(double rounding) const {
  constexpr double kMostSmall = 0.01, kOfExp = 16 * kSingleUnit;
  const double relative = (40 + std::floor(static_cast<double>(features_) / 32)) * kSingleUnit;
  const double moved = std::sqrt(kernel_.gamma) * rounding;
  if (!(relative <= kMostSmall && moved <= kMostSmall)) {
    return kInfinity;
  }
  // Error of LIBSVM's own sums in doubles.
  const double libsvm = static_cast<double>(features_ + 2 * vectors_ + 64) * 0x1p-52;
  return 0.4 * relative + 0.9 * moved + 1.1 * moved * moved + kOfExp + libsvm;
}

void SingleValues::fill(const DataRow* rows, std::size_t count, Columns& columns) const {
  columns.values.assign(features_ * kRows, 0.0F);
  columns.errors.assign(count, 0.0);
  FeatureSlots::Row row;
  for (std::size_t r = 0; r < count; ++r) {
    slots_.place(rows[r], row);
    double squares = 0, others = 0;
    for (const auto& entry : row.entries) {
      columns.values[entry.slot * kRows + r] = to_single(entry.value, squares);
    }
    for (const auto& other : row.others) others += other.value * other.value;
    columns.values[(features_ - 1) * kRows + r] = to_single(std::sqrt(others), squares);
    columns.errors[r] = error(rounding_ + std::sqrt(squares));
  }
}

// Adds the terms of all support vectors to sums[(half * functions + f) * kSumRows + r].
void SingleValues::add_values(const Columns& columns, double* sums) const {
  const FloatBlocks block = {columns.values.data(), kNoWords, features_, 0, 0};
  if (is_single_) {  // the halves lie one after the other
    loops_.float_sums(block, 1, {values_.data(), kNoWords}, model_.coefficients[0], vectors_, tail_,
                      sums);
    return;
  }
  constexpr std::size_t kHalves = kRows / kSumRows;
  static_assert(kRows % kSumRows == 0, "whole halves");
  float row[kRows];
  float* const out = row;
  std::vector<double> kernel_values(kHalves * kVectorsAtOnce * kSumRows);
  for (std::size_t first = 0; first < vectors_; first += kVectorsAtOnce) {
    const std::size_t last = std::min(first + kVectorsAtOnce, vectors_);
    for (std::size_t s = first; s < last; ++s) {
      loops_.float_values(block, 1, {values_.data() + s * features_, kNoWords}, 1, tail_, &out);
      for (std::size_t h = 0; h < kHalves; ++h) {
        double* const to = kernel_values.data() + (h * kVectorsAtOnce + s - first) * kSumRows;
        for (std::size_t r = 0; r < kSumRows; ++r) {
          to[r] = static_cast<double>(row[h * kSumRows + r]);
        }
      }
    }
    for (std::size_t h = 0; h < kHalves; ++h) {
      add_kernel_terms(model_, first, last, kernel_values.data() + h * kVectorsAtOnce * kSumRows,
                       sums + h * weights_.size() * kSumRows);
    }
  }
}

void SingleValues::decide(const DataRow* rows, std::size_t count, double* values,
                          char* is_certain) const {
  const std::size_t functions = weights_.size();
  Columns columns;
  fill(rows, count, columns);
  std::vector<double> sums(functions * kRows, 0.0);
  add_values(columns, sums.data());
  for (std::size_t r = 0; r < count; ++r) {
    is_certain[r] = 1;
    for (std::size_t f = 0; f < functions; ++f) {
      const double sum = sums[(r / kSumRows * functions + f) * kSumRows + r % kSumRows];
      const double value = values[r * functions + f] = sum - model_.rho[f];
      const double bound =
          columns.errors[r] * weights_[f] + 0x1p-50 * (std::fabs(sum) + std::fabs(model_.rho[f]));
      if (!(std::fabs(value) > bound)) is_certain[r] = 0;
    }
  }
}

}  // namespace svm
