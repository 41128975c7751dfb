#include "model/labels.h"

#include <algorithm>

#include "base/platform/numbers.h"
#include "model/pairs.h"
#include "model/svm_type.h"

namespace svm {

std::unique_ptr<Labels> Labels::make(const ModelView& model, const VectorShape& shape,
                                     std::size_t most_bytes, std::size_t rows) {
  constexpr double kLeastGamma = 1e-30, kMostGamma = 1e6;  // well inside the range of floats
  const svm_parameter& param = model.param;
  if (is_regression(param.svm_type) || model.count == 0 || model.functions() == 0) return nullptr;
  const double features = static_cast<double>(shape.features.size());
  const double count = static_cast<double>(model.count), most = static_cast<double>(most_bytes);
  if (param.kernel_type == LINEAR) {
    const double weights = static_cast<double>(model.functions()) * features;
    const double arrays = static_cast<double>(model.arrays()), coefficients = count * arrays;
    if ((weights + coefficients) * sizeof(double) > most) return nullptr;
    // Weights take a product for each value in each array, in memory that is new to the process.
    // Without them a row takes one for each value and each coefficient, from packed lists.
    constexpr double kCostOfWeights = 16;
    const auto values = static_cast<double>(shape.entries);
    const double gain = static_cast<double>(rows) * (values + coefficients);
    if (gain < kCostOfWeights * (arrays * values + weights)) return nullptr;
    return make_linear_labels(model, shape.features);
  }
  if (param.kernel_type != RBF || !shape.is_dense || shape.ones) return nullptr;
  if (!(param.gamma >= kLeastGamma && param.gamma <= kMostGamma)) return nullptr;
  if (count * features * sizeof(float) > most) return nullptr;
  return make_rbf_labels(model, shape);
}

void Labels::predict(const DataRow* rows, std::size_t count, Work& work, double* predictions,
                     char* is_certain) const {
  prepare(rows, count, work);
  for (std::size_t r = 0; r < count; ++r) {
    if (model_.functions() > 1) {
      const std::size_t label = winner(r, work);
      is_certain[r] = label == kNoIndex ? 0 : 1;
      predictions[r] = label == kNoIndex ? 0 : model_.labels[label];
    } else {
      const int side = sign({0, 0, 1}, r, work);
      is_certain[r] = side == 0 ? 0 : 1;
      predictions[r] = model_.is_classifier() ? model_.labels[side > 0 ? 0 : 1] : side;
    }
  }
}

// Positive if class a wins.
int Labels::sign_of_pair(std::size_t a, std::size_t b, std::size_t row, Work& work) const {
  const std::size_t first = std::min(a, b), second = std::max(a, b);
  const std::size_t pair = pair_number(model_.classes, first, second);
  signed char& known = work.signs[pair];
  if (known == 0) known = static_cast<signed char>(sign({pair, first, second}, row, work));
  return a == first ? known : -known;
}

std::size_t Labels::winner(std::size_t row, Work& work) const {
  const std::size_t classes = model_.classes;
  work.signs.assign(model_.functions(), 0);
  // Each class meets the winner of those before it, and the last winner then meets the others.
  std::size_t best = 0;
  for (std::size_t c = 1; c < classes; ++c) {
    const int sign = sign_of_pair(best, c, row, work);
    if (sign == 0) return kNoIndex;
    if (sign < 0) best = c;
  }
  for (std::size_t c = 0; c < best; ++c) {
    const int sign = sign_of_pair(best, c, row, work);
    if (sign == 0) return kNoIndex;
    if (sign < 0) {
      return most_voted(
          classes, [&](std::size_t a, std::size_t b) { return sign_of_pair(a, b, row, work); });
    }
  }
  return best;
}

}  // namespace svm
