#include "model/inner_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simd/instruction_set.h"

namespace svm {
namespace {

// Support vectors are packed densely if at least one in kDenseShare of their values is given.
constexpr std::size_t kDenseShare = 16;

}  // namespace

bool is_orderly(const DataRow& row) {
  bool orderly = true;
  long long last = std::numeric_limits<long long>::min();
  row.for_each([&](int index, double value) {
    orderly = orderly && std::isfinite(value) && index > last;
    last = index;
  });
  return orderly;
}

bool is_all_ones(const DataRow& row) {
  bool ones = true;
  row.for_each([&](int, double value) { ones = ones && value == 1; });
  return ones;
}

void FeatureSlots::place(const DataRow& data, Row& row) const {
  row.entries.clear();
  row.others.clear();
  const auto end = indices_.end();
  auto at = indices_.begin();
  data.for_each([&](int index, double value) {
    if (at != end && *at < index) at = std::lower_bound(at + 1, end, index);
    const std::uint32_t slot = static_cast<std::uint32_t>(at - indices_.begin());
    if (at != end && *at == index) {
      row.entries.push_back({slot, value});
      ++at;
    } else {
      row.others.push_back({slot, value});
    }
  });
}

void InnerSums::prepare(const DataRow* rows, std::size_t count, Group& group) const {
  group.count = count;
  for (std::size_t r = 0; r < count; ++r) slots_.place(rows[r], group.rows[r]);
  arrange(group);
}

void DistinctFeatures::add(const DataRow& row) {
  constexpr std::size_t kSlack = 65536;  // sorts rarely, without keeping all indices
  row.for_each([&](int index, double) { indices_.push_back(index); });
  if (indices_.size() > 2 * sorted_ + kSlack) sort();
}

std::vector<int> DistinctFeatures::take() {
  sort();
  return std::move(indices_);
}

void DistinctFeatures::sort() {
  std::sort(indices_.begin(), indices_.end());
  indices_.erase(std::unique(indices_.begin(), indices_.end()), indices_.end());
  sorted_ = indices_.size();
}

std::optional<VectorShape> shape_of(const ModelView& model) {
  if (model.param.kernel_type == PRECOMPUTED || !has_finite_coefficients(model)) return {};
  DistinctFeatures features;
  std::size_t entries = 0;
  bool ones = true;
  for (std::size_t s = 0; s < model.count; ++s) {
    const DataRow vector = model.vectors[s];
    if (!is_orderly(vector)) return {};
    ones = ones && is_all_ones(vector);
    vector.for_each([&](int, double) { ++entries; });
    features.add(vector);
  }
  std::vector<int> indices = features.take();
  const std::size_t distinct = indices.size();
  if (distinct > std::numeric_limits<std::uint32_t>::max()) return {};
  const double places = static_cast<double>(model.count) * static_cast<double>(distinct);
  const double share = entries > 0 ? static_cast<double>(entries) / places : 0;
  return VectorShape{FeatureSlots(std::move(indices)), share * kDenseShare >= 1, ones};
}

PackedVectors pack_support_vectors(const ModelView& model) {
  const std::optional<VectorShape> shape = shape_of(model);
  if (!shape) return {};
  PackedVectors packed;
  packed.any = shape->is_dense ? pack_dense(model, shape->slots) : pack_sparse(model, shape->slots);
  if (shape->ones) packed.ones = pack_bits(model, shape->slots);
  return packed;
}

void add_kernel_terms(const ModelView& model, std::size_t first, std::size_t last,
                      const double* kernel_values, double* sums) {
  const Loops& passes = loops(instruction_set());
  model.for_each_stretch(
      first, last,
      [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
        passes.add_weighted(kernel_values + (begin - first) * kSumRows, coefficients + begin,
                            end - begin, sums + function * kSumRows);
      });
}

}  // namespace svm
