// Labels by the RBF kernel in single precision.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/pairs.h"
#include "model/quick_labels.h"
#include "platform/numbers.h"
#include "simd/instruction_set.h"

namespace svm {
namespace {

constexpr double kSingleUnit = 0x1p-24;  // relative error of rounding to float
constexpr double kMostFloat = std::numeric_limits<float>::max();
constexpr std::uint32_t kNoWords[kBlockColumns] = {};  // no features are stored as bits

double in_range(double value, double most) { return std::min(std::max(value, -most), most); }

// What both forms share: sums of kernel values, whatever these are made of.
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

// Support vectors as floats, and distances as sums of squared differences over all features.
class FloatLabels final : public RbfLabels {
 public:
  FloatLabels(const ModelView& model, FeatureSlots slots)
      : RbfLabels(model, std::move(slots)),
        features_(slots_.size() + 1),
        values_(blocks_ * kBlockColumns * features_, 0.0F) {
    FeatureSlots::Row row;
    for (std::size_t s = 0; s < model.count; ++s) {
      slots_.place(model.vectors[s], row);
      float* const to =
          values_.data() + s / kBlockColumns * kBlockColumns * features_ + s % kBlockColumns;
      double squares = 0, lost = 0;
      for (const auto& entry : row.entries) {
        to[entry.slot * kBlockColumns] = to_float(entry.value, squares, lost);
      }
      add_stored(squares, lost);
    }
  }

  std::size_t bytes() const override { return values_.size() * sizeof(float) + RbfLabels::bytes(); }

 protected:
  void fill(const DataRow* rows, std::size_t count, std::size_t width, Work& work,
            float* const* out) const override {
    place(rows, count, width, work);
    loops_.float_values(blocks(0), blocks_, {work.x.data(), kNoWords},
                        (count + width - 1) / width * width, tail_, out);
  }

  // The sums of many rows by a single function need no kernel values in memory.
  void prepare(const DataRow* rows, std::size_t count, Work& work) const override {
    if (!has_row_sums(count)) return RbfLabels::prepare(rows, count, work);
    place(rows, count, kSingleRows, work);
    const std::size_t filled = (count + kSingleRows - 1) / kSingleRows * kSingleRows;
    const FloatPanel panel = {work.x.data(), kNoWords};
    work.sums.assign(filled, 0.0);
    const std::size_t whole = model().count / kBlockColumns;
    const double* const coefficients = model().coefficients[0];
    loops_.float_row_sums(blocks(0), whole, panel, filled, tail_, coefficients, work.sums.data());
    if (whole == blocks_) return;
    double rest[kBlockColumns] = {};
    std::copy(coefficients + whole * kBlockColumns, coefficients + model().count, rest);
    loops_.float_row_sums(blocks(whole), 1, panel, filled, tail_, rest, work.sums.data());
  }

  int sign(const Function& function, std::size_t row, const Work& work) const override {
    if (!has_row_sums(work.count)) return RbfLabels::sign(function, row, work);
    return sign_of_sum(function, row, work.sums[row], work);
  }

 private:
  bool has_row_sums(std::size_t count) const { return model().functions() == 1 && count > 1; }

  FloatBlocks blocks(std::size_t first) const {
    return {values_.data() + first * kBlockColumns * features_, kNoWords, features_, 0, 0};
  }

  // Writes rows to work.x, in groups of `width`, and bounds their errors.
  void place(const DataRow* rows, std::size_t count, std::size_t width, Work& work) const {
    const std::size_t groups = (count + width - 1) / width;
    work.x.assign(groups * features_ * width, 0.0F);
    for (std::size_t r = 0; r < count; ++r) {
      float* const x = work.x.data() + r / width * features_ * width + r % width;
      double squares = 0, lost = 0, other_squares = 0;
      std::size_t others = 0;
      slots_.for_each(
          rows[r],
          [&](std::uint32_t slot, double value) {
            x[slot * width] = to_float(value, squares, lost);
          },
          [&](std::uint32_t, double value) {
            other_squares += value * value;
            ++others;
          });
      x[(features_ - 1) * width] = to_float(std::sqrt(other_squares), squares, lost);
      // A difference and its square are rounded, too.
      work.errors[r] = error(std::sqrt(squares), std::sqrt(lost), others, 0,
                             (roundings(features_) + 4) * kSingleUnit);
    }
  }

  // Rounds to float, and adds the square of the value and of the error.
  static float to_float(double value, double& squares, double& lost) {
    const auto single = static_cast<float>(in_range(value, kMostFloat));
    const double distance = value - static_cast<double>(single);
    squares += value * value;
    lost += distance * distance;
    return single;
  }

  const std::size_t features_;   // slots, and one for all features that no support vector has
  AlignedVector<float> values_;  // (block, feature, support vector)
};

// Support vectors as whole numbers of 16 bits, and distances by norms and products over the
// features in which a row is not zero.
class ShortLabels final : public RbfLabels {
 public:
  ShortLabels(const ModelView& model, FeatureSlots slots)
      : RbfLabels(model, std::move(slots)),
        units_(units(model)),
        values_(blocks_ * kBlockColumns * slots_.size(), 0),
        norms_(blocks_ * kBlockColumns, 0.0F) {
    FeatureSlots::Row row;
    for (std::size_t s = 0; s < model.count; ++s) {
      slots_.place(model.vectors[s], row);
      std::int16_t* const to =
          values_.data() + s / kBlockColumns * kBlockColumns * slots_.size() + s % kBlockColumns;
      double squares = 0, lost = 0;
      for (const auto& entry : row.entries) {
        const double unit = units_[entry.slot];
        const double number =
            entry.value == 0 ? 0 : in_range(std::round(entry.value / unit), kMostShort);
        to[entry.slot * kBlockColumns] = static_cast<std::int16_t>(number);
        const double stored = number * unit;
        squares += stored * stored;
        lost += (entry.value - stored) * (entry.value - stored);
      }
      add_stored(squares, lost);
      norms_[s] = static_cast<float>(std::min(squares, kMostFloat));
    }
  }

  std::size_t bytes() const override {
    return values_.size() * sizeof(std::int16_t) + norms_.size() * sizeof(float) +
           units_.size() * sizeof(double) + RbfLabels::bytes();
  }

 protected:
  void fill(const DataRow* rows, std::size_t count, std::size_t width, Work& work,
            float* const* out) const override {
    const std::size_t groups = (count + width - 1) / width;
    float norms[kRows] = {};
    ShortRows panels[kRows];
    work.features.resize(groups * slots_.size());
    work.x.assign(groups * slots_.size() * width, 0.0F);
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t first = g * width, some = std::min(width, count - first);
      std::uint32_t* const features = work.features.data() + g * slots_.size();
      float* const x = work.x.data() + first * slots_.size();
      for (std::size_t r = 0; r < some; ++r) {
        FeatureSlots::Row& row = work.rows[first + r];
        slots_.place(rows[first + r], row);
        for (const auto& entry : row.entries) {
          x[entry.slot * width + r] =
              static_cast<float>(in_range(entry.value * units_[entry.slot], kMostFloat));
        }
      }
      const std::size_t listed = list_features(width, features, x);
      panels[g] = {features, x, norms + first, listed};
      for (std::size_t r = first; r < first + some; ++r) {
        const double squares = squared_norm(work.rows[r]);
        norms[r] = static_cast<float>(std::min(squares, kMostFloat));
        work.errors[r] = error_of(squares, listed, work.rows[r].others.size());
      }
    }
    loops_.short_values({values_.data(), norms_.data(), slots_.size()}, blocks_, panels, groups,
                        width, tail_, out);
  }

 private:
  static constexpr double kMostShort = std::numeric_limits<std::int16_t>::max();

  // The unit of each slot: one for all, if that loses nearly nothing, as with levels of grey; or
  // one by the largest value of the slot.
  std::vector<double> units(const ModelView& model) const {
    constexpr double kLevels = 255;
    std::vector<double> largest(slots_.size(), 0.0);
    FeatureSlots::Row row;
    for (std::size_t s = 0; s < model.count; ++s) {
      slots_.place(model.vectors[s], row);
      for (const auto& entry : row.entries) {
        largest[entry.slot] = std::max(largest[entry.slot], std::fabs(entry.value));
      }
    }
    const double most = *std::max_element(largest.begin(), largest.end());
    for (const double unit : {1.0, most / kLevels}) {
      if (most / unit <= kMostShort && are_multiples(model, unit)) {
        return std::vector<double>(slots_.size(), unit);
      }
    }
    for (double& unit : largest) unit /= kMostShort;
    return largest;
  }

  // True if all values are whole multiples of the unit, to seven digits.
  static bool are_multiples(const ModelView& model, double unit) {
    constexpr double kRounding = 1e-6;
    bool are = unit > 0;
    for (std::size_t s = 0; s < model.count && are; ++s) {
      model.vectors[s].for_each([&](int, double value) {
        const double number = value / unit;
        are = are && std::fabs(number - std::round(number)) <= kRounding * std::fabs(number);
      });
    }
    return are;
  }

  static double squared_norm(const FeatureSlots::Row& row) {
    double squares = 0;
    for (const auto& entry : row.entries) squares += entry.value * entry.value;
    for (const auto& other : row.others) squares += other.value * other.value;
    return squares;
  }

  // Products over the features are off by the roundings of their sum, and the two norms and the
  // last sums by another 4 units, all in proportion to the sum of the squared norms.
  Error error_of(double squares, std::size_t features, std::size_t others) const {
    if (!(squares < kMostFloat)) return {kInfinity, 0, 0};
    const double norm = std::sqrt(squares);
    const double exponent = gamma_ * (roundings(features) + 4) * kSingleUnit * (squares + largest_);
    return error(norm, kSingleUnit * norm, others, exponent, 0);
  }

  // Lists the slots in which a row of a group is not zero, and moves their values together. Returns
  // their number.
  std::size_t list_features(std::size_t width, std::uint32_t* features, float* x) const {
    std::size_t listed = 0;
    float* kept = x;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      const float* const values = x + slot * width;
      if (std::all_of(values, values + width, [](float value) { return value == 0; })) continue;
      features[listed++] = static_cast<std::uint32_t>(slot);
      kept = std::copy(values, values + width, kept);
    }
    return listed;
  }

  const std::vector<double> units_;     // of each slot
  AlignedVector<std::int16_t> values_;  // (block, slot, support vector)
  AlignedVector<float> norms_;          // of each support vector, squared
};

template <class Labels>
std::unique_ptr<QuickLabels> make_if_usable(const ModelView& model, const FeatureSlots& slots) {
  auto labels = std::make_unique<Labels>(model, slots);
  if (!labels->is_usable()) return nullptr;
  return labels;
}

}  // namespace

std::unique_ptr<QuickLabels> make_float_labels(const ModelView& model, const FeatureSlots& slots) {
  return make_if_usable<FloatLabels>(model, slots);
}

std::unique_ptr<QuickLabels> make_short_labels(const ModelView& model, const FeatureSlots& slots) {
  return make_if_usable<ShortLabels>(model, slots);
}

}  // namespace svm
