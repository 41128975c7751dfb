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
      examples_(examples),
      rows_(examples * examples),
      known_(examples, 0) {}

std::unique_ptr<PackedColumns> NearRows::pack(const std::uint32_t* examples, std::size_t count,
                                              std::unique_ptr<PackedColumns> old) const {
  if (old == nullptr) old = std::make_unique<Columns>();
  auto& columns = static_cast<Columns&>(*old);
  columns.examples.assign(examples, examples + count);
  columns.in_order = true;
  for (std::size_t k = 0; k < count; ++k) columns.in_order &= examples[k] == k;
  return old;
}

const PackedColumns& NearRows::all_columns() const {
  if (all_ == nullptr) {
    all_ = engine().pack(all_numbers(examples_).data(), examples_, nullptr);
  }
  return *all_;
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
  float* const row = rows_.data() + example * examples_;
  if (known_[example] == 0) {
    engine().compute(example, all_columns(), 0, examples_, row);
    known_[example] = 1;
  }
  pick(static_cast<const Columns&>(packed), row, from, to, out);
}

void NearRows::compute(std::size_t example, const PackedColumns& packed, std::size_t from,
                       std::size_t to, double* out) const {
  std::vector<double> row(examples_);
  engine().compute(example, all_columns(), 0, examples_, row.data());
  pick(static_cast<const Columns&>(packed), row.data(), from, to, out);
}

}  // namespace svm
