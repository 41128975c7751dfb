#include "model/inner_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd/instruction_set.h"

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

FeatureSlots::FeatureSlots(std::vector<int> indices) : indices_(std::move(indices)) {
  constexpr std::size_t kMostPerSlot = 4;
  if (indices_.empty()) return;
  const auto range = static_cast<std::size_t>(static_cast<long long>(indices_.back()) -
                                              static_cast<long long>(indices_.front()) + 1);
  if (range / kMostPerSlot > indices_.size()) return;
  slots_from_.resize(range);
  std::uint32_t slot = 0;
  for (std::size_t k = 0; k < range; ++k) {
    slots_from_[k] = slot;
    const long long index = static_cast<long long>(indices_.front()) + static_cast<long long>(k);
    if (index == indices_[slot]) ++slot;
  }
}

std::uint32_t FeatureSlots::slot_from(int index) const {
  if (indices_.empty() || index <= indices_.front()) return 0;
  if (index > indices_.back()) return static_cast<std::uint32_t>(indices_.size());
  if (!slots_from_.empty()) {
    return slots_from_[static_cast<std::size_t>(static_cast<long long>(index) -
                                                static_cast<long long>(indices_.front()))];
  }
  return static_cast<std::uint32_t>(std::lower_bound(indices_.begin(), indices_.end(), index) -
                                    indices_.begin());
}

void FeatureSlots::place(const DataRow& data, Row& row) const {
  row.entries.clear();
  row.others.clear();
  for_each(
      data,
      [&](std::uint32_t slot, double value) {
        row.entries.push_back({slot, value});
      },
      [&](std::uint32_t slot, double value) {
        row.others.push_back({slot, value});
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
  return VectorShape{FeatureSlots(std::move(indices)), entries, share * kDenseShare >= 1, ones};
}

namespace {

// Bytes of the packed forms, beside the slots.
struct FormBytes {
  FormBytes(const ModelView& model, const VectorShape& shape)
      : bits(static_cast<double>(model.count) * static_cast<double>(shape.slots.size()) / 8),
        dense(bits * 8 * sizeof(double)),
        lists(static_cast<double>(shape.entries) * (sizeof(double) + sizeof(std::uint32_t)) +
              static_cast<double>(shape.slots.size()) * sizeof(std::size_t)) {}
  double bits, dense, lists;
};

}  // namespace

std::size_t least_packed_bytes(const ModelView& model, const VectorShape& shape) {
  const FormBytes bytes(model, shape);
  const double least = shape.is_dense ? std::min(bytes.dense, bytes.lists) : bytes.lists;
  return static_cast<std::size_t>(least) + shape.slots.bytes();
}

PackedVectors pack_support_vectors(const ModelView& model, const VectorShape& shape,
                                   std::size_t most_bytes) {
  const FormBytes bytes(model, shape);
  double left = static_cast<double>(most_bytes) - static_cast<double>(shape.slots.bytes());
  PackedVectors packed;
  if (shape.ones && bytes.bits <= left) {
    packed.ones = pack_bits(model, shape.slots);
    if (packed.ones != nullptr) left -= static_cast<double>(packed.ones->bytes());
  }
  if (shape.is_dense && bytes.dense <= left) {
    packed.any = pack_dense(model, shape.slots);
  } else if (bytes.lists <= left) {
    packed.any = pack_sparse(model, shape.slots);
  }
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
