// Labels by the RBF kernel with support vectors as floats: sums of kernel values in single
// precision, and their errors.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/platform/numbers.h"
#include "base/simd/instruction_set.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/labels.h"

namespace svm {
namespace {

constexpr double kSingleUnit = 0x1p-24;  // relative error of rounding to float
constexpr double kMostFloat = std::numeric_limits<float>::max();

// The square of the norm of a row in its stored form, and that of the distance to this.
struct Stored {
  double squares = 0, lost = 0;
  float add(double value) {
    const auto single = static_cast<float>(std::min(std::max(value, -kMostFloat), kMostFloat));
    const double stored = static_cast<double>(single), distance = value - stored;
    squares += stored * stored;
    lost += distance * distance;
    return single;
  }
};

class RbfLabels final : public Labels {
 public:
  // Null if a support vector is outside the range of floats.
  static std::unique_ptr<Labels> make(const ModelView& model, const VectorShape& shape) {
    std::vector<Stored> stored(model.count);
    auto labels = std::make_unique<RbfLabels>(model, shape.features, stored);
    for (const Stored& vector : stored) {
      if (!std::isfinite(vector.lost) || !(vector.squares < kMostFloat)) return nullptr;
      labels->rounding_ = std::max(labels->rounding_, std::sqrt(vector.lost));
      labels->largest_norm_ = std::max(labels->largest_norm_, std::sqrt(vector.squares));
    }
    // If most values are given, differences lose less.  Products leave out features that a row
    // lacks.
    const double values =
        static_cast<double>(model.count) * static_cast<double>(shape.features.size());
    if (2 * static_cast<double>(shape.entries) <= values) {
      labels->norms_.resize(labels->blocks_ * kBlockColumns);
      for (std::size_t s = 0; s < model.count; ++s) {
        labels->norms_[s] = static_cast<float>(stored[s].squares);
      }
    }
    return labels;
  }

  RbfLabels(const ModelView& model, Features features, std::vector<Stored>& stored)
      : Labels(model),
        gamma_(model.param.gamma),
        root_of_gamma_(std::sqrt(gamma_)),
        loops_(loops(instruction_set())),
        features_(std::move(features)),
        tail_(single_tail(KernelFunction(model.param), 1)),
        blocks_((model.count + kBlockColumns - 1) / kBlockColumns),
        vectors_(features_, model.vectors, model.count,
                 [&](std::size_t s, double value) { return stored[s].add(value); }) {}

  std::size_t bytes() const override {
    return vectors_.bytes() + norms_.size() * sizeof(float) + features_.bytes();
  }

 protected:
  void prepare(const DataRow* rows, std::size_t count, Work& work) const override {
    const std::size_t groups = (count + kPackRows - 1) / kPackRows;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t first = g * kPackRows, some = std::min(kPackRows, count - first);
      DenseRows<float>& group = work.groups[g];
      Stored stored[kPackRows];
      group.pack(features_, rows + first, some, count == 1 ? 1 : kPackRows,
                 by_norms() ? RowFeatures::kCommon : RowFeatures::kAll, kRunFeatures,
                 [&](std::size_t r, double value) { return stored[r].add(value); });
      work.packed[g] = group.view();
      for (std::size_t r = 0; r < some; ++r) {
        work.errors[first + r] = error(stored[r], group);
        work.norms[first + r] = static_cast<float>(std::min(stored[r].squares, kMostFloat));
      }
    }
    work.weights.assign(model().functions(), -1.0);
    work.has_sums = count > 1 && model().functions() == 1;
    work.has_sums ? add_terms(count, work) : keep_values(count, work);
  }

  // The first bound needs the sum of the terms only.  Kernel values are at most 1, so that
  // coefficients bound the terms.  Values below 2^-100 may be off by more than their share.
  int sign(const Function& function, std::size_t row, Work& work) const override {
    constexpr double kMostValue = 1.2;  // in single precision
    const double rho = model().rho[function.number];
    const double sum = work.has_sums ? work.sums[row] : sum_of_terms(function, row, work);
    const double weight = work.weights[function.number];
    const double least = 0x1p-100 * weight + 0x1p-50 * (std::fabs(sum) + std::fabs(rho));
    const Error& error = work.errors[row];
    const double of_values = (error.of_terms + error.of_coefficients) * kMostValue;
    const int first = certain_sign(sum - rho, of_values * weight + least);
    if (first != 0 || work.has_sums) return first;
    const double terms = weigh(loops_.weigh_values_absolutely, function, row, work);
    const double near = std::min(error.of_near_terms * terms, error.of_coefficients * weight);
    return certain_sign(sum - rho, error.of_terms * terms + near + least);
  }

 private:
  bool by_norms() const { return !norms_.empty(); }

  void block_values(std::size_t block, std::size_t group, const Work& work, float* out,
                    std::size_t stride) const {
    const RowNorms norms = {work.norms + group * kPackRows,
                            by_norms() ? norms_.data() + block * kBlockColumns : nullptr};
    loops_.rbf_values(vectors_.block(block), work.packed[group], norms, tail_, out, stride);
  }

  void keep_values(std::size_t count, Work& work) const {
    const std::size_t columns = blocks_ * kBlockColumns;
    const std::size_t groups = (count + kPackRows - 1) / kPackRows;
    work.kernel_values.resize(groups * kPackRows * columns);
    for (std::size_t b = 0; b < blocks_; ++b) {
      float* out = work.kernel_values.data() + b * kBlockColumns;
      for (std::size_t g = 0; g < groups; ++g, out += kPackRows * columns) {
        block_values(b, g, work, out, columns);
      }
    }
  }

  // The values of a block stay in the cache until they are added.
  void add_terms(std::size_t count, Work& work) const {
    const double* const coefficients = model().coefficients[0];
    const double* const end = coefficients + model().count;
    work.weights[0] = most_weight(std::inner_product(coefficients, end, coefficients, 0.0));
    std::fill_n(work.sums, count, 0.0);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::size_t column = b * kBlockColumns;
      const std::size_t columns = std::min(kBlockColumns, model().count - column);
      for (std::size_t first = 0; first < count; first += kPackRows) {
        float values[kPackRows * kBlockColumns];
        block_values(b, first / kPackRows, work, values, kBlockColumns);
        for (std::size_t r = first; r < std::min(count, first + kPackRows); ++r) {
          work.sums[r] += loops_.weigh_values(values + (r - first) * kBlockColumns,
                                              coefficients + column, columns);
        }
      }
    }
  }

  // Also bounds the function's coefficients, which the caller may change between calls.
  double sum_of_terms(const Function& function, std::size_t row, Work& work) const {
    double& weight = work.weights[function.number];
    if (weight >= 0) return weigh(loops_.weigh_values, function, row, work);
    double squares = 0;
    const auto weigh_and_square = [&](const float* values, const double* coefficients,
                                      std::size_t count) {
      return loops_.weigh_values_and_square(values, coefficients, count, &squares);
    };
    const double sum = weigh(weigh_and_square, function, row, work);
    weight = most_weight(squares);
    return sum;
  }

  // Bounds the sum of absolute coefficients by that of their squares, which may be 0 if tiny.
  double most_weight(double squares) const {
    const auto count = static_cast<double>(model().count);
    return std::sqrt(count * squares) * (1 + 0x1p-20) + count * 0x1p-500;
  }

  // Bounds the error of the kernel values of a row that was stored in a group.
  //
  // If rows and support vectors move by m together when they are stored, gamma d^2 changes by up to
  // gamma (2 d m + m^2).  It is a sum of parts of squared differences, which round it by a part of
  // itself; or of norms and products, which round it by that part of the two norms.  A value whose
  // exponent t^2 = gamma d^2 is off by e is off by its e-th part.  Where e grows with t, there are
  // two bounds: the largest t, at most 9.5 because smaller values are negligible, gives a part of
  // the value; and t exp(-t^2) is below 0.43, t^2 exp(-t^2) below 0.37.  The exponential is off by
  // 16 units, and LIBSVM's own sums in doubles are off, too.
  Error error(const Stored& stored, const DenseRows<float>& group) const {
    constexpr double kMostReach = 9.5, kMostError = 0.1, kMargin = 1.1;
    const std::size_t parts = group.summed() / kPartFeatures + 1;
    const std::size_t additions = kPartFeatures + kRunFeatures + parts + 4;
    const double roundings = static_cast<double>(additions) * kSingleUnit;
    const double relative = by_norms() ? 0 : roundings;
    const double moved = root_of_gamma_ * (rounding_ + std::sqrt(stored.lost));
    const double reach = root_of_gamma_ * (std::sqrt(stored.squares) + largest_norm_) + moved;
    const double most = std::min(reach, kMostReach);
    const double near = relative * most * most + 2 * moved * most;
    const double of_norms =
        by_norms() ? gamma_ * roundings * (stored.squares + largest_norm_ * largest_norm_) : 0;
    const double exponent = of_norms + moved * moved + 16 * kSingleUnit;
    if (!(exponent + near <= kMostError)) return {kInfinity, 0, 0};
    const double terms = static_cast<double>(features_.size() + group.others() + 4);
    const double libsvm = (100 * terms + 2 * static_cast<double>(model().count) + 64) * 0x1p-52;
    return {kMargin * exponent + libsvm, kMargin * near,
            kMargin * (0.37 * relative + 0.86 * moved)};
  }

  // A sum over the terms of a function.
  template <typename Weigh>
  double weigh(const Weigh& weigh_stretch, const Function& function, std::size_t row,
               const Work& work) const {
    const float* const values = work.kernel_values.data() + row * blocks_ * kBlockColumns;
    double sum = 0;
    model().for_stretches_of(function.a, function.b,
                             [&](const double* coefficients, std::size_t begin, std::size_t end) {
                               sum +=
                                   weigh_stretch(values + begin, coefficients + begin, end - begin);
                             });
    return sum;
  }

  const double gamma_, root_of_gamma_;
  const Loops& loops_;
  const Features features_;
  const SingleTail tail_;
  const std::size_t blocks_;
  const DenseColumns<float, kBlockColumns> vectors_;
  AlignedVector<float> norms_;  // of each support vector, squared; empty if not needed
  double rounding_ = 0;         // largest distance of a support vector from its stored form
  double largest_norm_ = 0;     // largest norm of a stored support vector
};

}  // namespace

std::unique_ptr<Labels> make_rbf_labels(const ModelView& model, const VectorShape& shape) {
  return RbfLabels::make(model, shape);
}

}  // namespace svm
