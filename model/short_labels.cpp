// Labels by the RBF kernel with support vectors as whole numbers of 16 bits.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/platform/numbers.h"
#include "kernels/engines/aligned_vector.h"
#include "model/rbf_labels.h"

namespace svm {
namespace {

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

}  // namespace

std::unique_ptr<QuickLabels> make_short_labels(const ModelView& model, const FeatureSlots& slots) {
  return make_if_usable<ShortLabels>(model, slots);
}

}  // namespace svm
