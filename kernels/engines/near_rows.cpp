#include "kernels/engines/near_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace svm {
namespace {

std::vector<std::uint32_t> all_numbers(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

struct NearRows::Columns : PackedColumns {
  std::vector<std::uint32_t> examples;
  bool in_order = false;  // column k is example k
};

NearRows::NearRows(std::shared_ptr<const RowEngine> engine, std::size_t examples)
    : NumberedEngine(*engine, all_numbers(examples)),
      whole_(std::move(engine)),
      all_(*whole_, examples, nullptr),
      kept_(examples, std::make_shared<RowBudget>(examples * examples * sizeof(float))) {}

std::unique_ptr<PackedColumns> NearRows::pack(const std::uint32_t* examples, std::size_t count,
                                              std::unique_ptr<PackedColumns> old) const {
  if (old == nullptr) old = std::make_unique<Columns>();
  auto& columns = static_cast<Columns&>(*old);
  columns.examples.assign(examples, examples + count);
  columns.in_order = true;
  for (std::size_t k = 0; k < count; ++k) columns.in_order &= examples[k] == k;
  return old;
}

template <typename Value>
const Value* NearRows::compute_whole(std::size_t example, std::vector<Value>& own) const {
  own.resize(kept_.size());
  all_.compute(*whole_, example, own.data());
  return own.data();
}

template <typename Value>
void NearRows::pick(const Columns& columns, const Value* row, std::size_t from, std::size_t to,
                    Value* out) {
  if (columns.in_order) {
    std::copy(row + from, row + to, out);
  } else {
    for (std::size_t k = from; k < to; ++k) *out++ = row[columns.examples[k]];
  }
}

void NearRows::compute(std::size_t example, const PackedColumns& packed, std::size_t from,
                       std::size_t to, float* out) const {
  const float* row =
      kept_.row(example, [&](float* values) { all_.compute(*whole_, example, values); });
  std::vector<float> own;  // while another thread makes the row
  if (row == nullptr) row = compute_whole(example, own);
  pick(static_cast<const Columns&>(packed), row, from, to, out);
}

void NearRows::compute(std::size_t example, const PackedColumns& packed, std::size_t from,
                       std::size_t to, double* out) const {
  std::vector<double> own;
  pick(static_cast<const Columns&>(packed), compute_whole(example, own), from, to, out);
}

}  // namespace svm
