#include "kernels/near_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace svm {

struct NearRows::Columns : PackedColumns {
  std::vector<std::uint32_t> examples;
  bool in_order = false;  // column k is example k
};

NearRows::NearRows(std::unique_ptr<RowEngine> engine, std::size_t examples)
    : engine_(std::move(engine)),
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

void NearRows::compute(std::size_t example, const PackedColumns& packed, std::size_t from,
                       std::size_t to, float* out) const {
  const auto& columns = static_cast<const Columns&>(packed);
  float* const row = rows_.data() + example * examples_;
  if (known_[example] == 0) {
    if (all_ == nullptr) {
      std::vector<std::uint32_t> all(examples_);
      std::iota(all.begin(), all.end(), 0U);
      all_ = engine_->pack(all.data(), examples_, nullptr);
    }
    engine_->compute(example, *all_, 0, examples_, row);
    known_[example] = 1;
  }
  if (columns.in_order) {
    std::copy(row + from, row + to, out);
  } else {
    for (std::size_t k = from; k < to; ++k) *out++ = row[columns.examples[k]];
  }
}

}  // namespace svm
