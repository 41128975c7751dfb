// What both forms of support vectors for labels by the RBF kernel share: sums of kernel values in
// single precision, and their errors.
#ifndef SVM_MODEL_RBF_LABELS_H_
#define SVM_MODEL_RBF_LABELS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/platform/numbers.h"
#include "base/simd/instruction_set.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/pairs.h"
#include "model/quick_labels.h"

namespace svm {

class RbfLabels : public QuickLabels {
 public:
  RbfLabels(const ModelView& model, FeatureSlots slots)
      : QuickLabels(model),
        gamma_(model.param.gamma),
        loops_(loops(instruction_set())),
        slots_(std::move(slots)),
        tail_(single_tail(KernelFunction(model.param), 1)),
        blocks_((model.count + kBlockColumns - 1) / kBlockColumns),
        weights_(model.functions(), 0.0) {
    model.for_each_stretch(
        0, model.count,
        [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
          for (std::size_t s = begin; s < end; ++s) {
            weights_[function] += std::fabs(coefficients[s]);
          }
        });
  }

  std::size_t bytes() const override { return weights_.size() * sizeof(double) + slots_.bytes(); }
  bool is_usable() const { return is_in_range_; }

 protected:
  static constexpr double kSingleUnit = 0x1p-24;  // relative error of rounding to float
  static constexpr double kMostFloat = std::numeric_limits<float>::max();
  static double in_range(double value, double most) {
    return std::min(std::max(value, -most), most);
  }

  // Writes the kernel values of rows to out[r], and bounds their errors.  Rows are in groups of
  // `width`, which is 1 for a single row and kSingleRows otherwise; the last group may lack rows.
  virtual void fill(const DataRow* rows, std::size_t count, std::size_t width, Work& work,
                    float* const* out) const = 0;

  void prepare(const DataRow* rows, std::size_t count, Work& work) const override {
    const std::size_t width = count == 1 ? 1 : kSingleRows, columns = blocks_ * kBlockColumns;
    const std::size_t filled = (count + width - 1) / width * width;
    work.kernel_values.resize(filled * columns);
    float* out[kRows];
    for (std::size_t r = 0; r < filled; ++r) out[r] = work.kernel_values.data() + r * columns;
    fill(rows, count, width, work, out);
  }

  int sign(const Function& function, std::size_t row, const Work& work) const override {
    const double sum = weigh(loops_.weigh_values, function, row, work);
    if (const int sign = sign_of_sum(function, row, sum, work)) return sign;
    const Error& error = work.errors[row];
    const double terms = weigh(loops_.weigh_values_absolutely, function, row, work);
    const double near =
        std::min(error.of_near_terms * terms, error.of_coefficients * weights_[function.number]);
    return certain_sign(sum - model().rho[function.number],
                        error.of_terms * terms + near + least_error(function, sum));
  }

  // The sign of a decision value from the sum of its terms alone.  Kernel values are at most 1, so
  // that coefficients bound the terms.
  int sign_of_sum(const Function& function, std::size_t row, double sum, const Work& work) const {
    constexpr double kMostValue = 1.2;  // in single precision
    const Error& error = work.errors[row];
    const double of_terms = (error.of_terms + error.of_coefficients) * kMostValue;
    return certain_sign(sum - model().rho[function.number],
                        of_terms * weights_[function.number] + least_error(function, sum));
  }

  // Bounds the error of the kernel values of a row.  Its norm is `norm`, and it moves by `rounding`
  // when it is stored; it has `others` features that no support vector has.  gamma d^2 is off by up
  // to `exponent`, and by up to the part `relative` of itself.
  //
  // If rows and support vectors move by m together, gamma d^2 changes by up to gamma (2 d m + m^2).
  // A value whose exponent t^2 = gamma d^2 is off by e is off by its e-th part.  Where e grows with
  // t, there are two bounds: the largest t, at most the root of 90 because smaller values are
  // negligible, gives a part of the value; and t exp(-t^2) is below 0.43, t^2 exp(-t^2) below 0.37.
  // The exponential is off by 16 units, and LIBSVM's own sums in doubles are off, too.
  Error error(double norm, double rounding, std::size_t others, double exponent,
              double relative) const {
    constexpr double kMostSquare = 90, kMostError = 0.1, kMargin = 1.1;
    const double moved = std::sqrt(gamma_) * (rounding_ + rounding);
    const double reach = std::sqrt(gamma_) * (norm + std::sqrt(largest_)) + moved;
    const double most = std::min(reach * reach, kMostSquare);
    const double near = relative * most + 2 * moved * std::sqrt(most);
    exponent += moved * moved + 16 * kSingleUnit;
    if (!(exponent + near <= kMostError)) return {kInfinity, 0, 0};
    const double terms = static_cast<double>(slots_.size() + others + 4);
    const double libsvm = (100 * terms + 2 * static_cast<double>(model().count) + 64) * 0x1p-52;
    return {kMargin * exponent + libsvm, kMargin * near,
            kMargin * (0.37 * relative + 0.86 * moved)};
  }

  // Values below 2^-100 may be off by more than their share.
  double least_error(const Function& function, double sum) const {
    return 0x1p-100 * weights_[function.number] +
           0x1p-50 * (std::fabs(sum) + std::fabs(model().rho[function.number]));
  }

  // A sum over the terms of a function.
  double weigh(double (*weigh_stretch)(const float*, const double*, std::size_t),
               const Function& function, std::size_t row, const Work& work) const {
    const float* const values = work.kernel_values.data() + row * blocks_ * kBlockColumns;
    double sum = 0;
    model().for_stretches_of(function.a, function.b,
                             [&](const double* coefficients, std::size_t begin, std::size_t end) {
                               sum +=
                                   weigh_stretch(values + begin, coefficients + begin, end - begin);
                             });
    return sum;
  }

  // Takes account of a support vector whose stored form has this squared norm, and is this far
  // away.
  void add_stored(double squares, double squared_distance) {
    rounding_ = std::max(rounding_, std::sqrt(squared_distance));
    largest_ = std::max(largest_, squares);
    is_in_range_ = is_in_range_ && std::isfinite(squared_distance) && squares < kMostFloat;
  }

  // Roundings of a sum over so many features, in parts of 32.
  static double roundings(std::size_t features) {
    constexpr std::size_t kPart = 32;
    const std::size_t parts = features / kPart + 1;
    return static_cast<double>(std::min(features, kPart) + parts);
  }

  const double gamma_;
  const Loops& loops_;
  const FeatureSlots slots_;
  const SingleTail tail_;
  const std::size_t blocks_;

  double largest_ = 0;  // largest squared norm of a stored support vector

 private:
  std::vector<double> weights_;  // sum of absolute coefficients of each function
  double rounding_ = 0;          // largest distance of a support vector from its stored form
  bool is_in_range_ = true;      // all support vectors are in the range of floats
};

// Null if a support vector is outside the range of floats.
template <class Labels>
std::unique_ptr<QuickLabels> make_if_usable(const ModelView& model, const FeatureSlots& slots) {
  auto labels = std::make_unique<Labels>(model, slots);
  if (!labels->is_usable()) return nullptr;
  return labels;
}

}  // namespace svm

#endif  // SVM_MODEL_RBF_LABELS_H_
