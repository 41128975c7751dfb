// Labels by the RBF kernel with support vectors as floats.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "model/rbf_labels.h"

namespace svm {
namespace {

constexpr std::uint32_t kNoFeatureWords[kBlockColumns] = {};  // no features are stored as bits

// Distances are sums of squared differences over all features.
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
    loops_.float_values(blocks(0), blocks_, {work.x.data(), kNoFeatureWords},
                        (count + width - 1) / width * width, tail_, out);
  }

  // The sums of many rows by a single function need no kernel values in memory.
  void prepare(const DataRow* rows, std::size_t count, Work& work) const override {
    if (!has_row_sums(count)) return RbfLabels::prepare(rows, count, work);
    place(rows, count, kSingleRows, work);
    const std::size_t filled = (count + kSingleRows - 1) / kSingleRows * kSingleRows;
    const FloatPanel panel = {work.x.data(), kNoFeatureWords};
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
    return {values_.data() + first * kBlockColumns * features_, kNoFeatureWords, features_, 0, 0};
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

}  // namespace

std::unique_ptr<QuickLabels> make_float_labels(const ModelView& model, const FeatureSlots& slots) {
  return make_if_usable<FloatLabels>(model, slots);
}

}  // namespace svm
