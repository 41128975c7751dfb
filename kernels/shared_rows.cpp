#include "kernels/shared_rows.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

namespace svm {
namespace {

// A value fetched from a row that is kept costs about so much; cheaper ones are computed.
constexpr double kFetchCost = 2;

}  // namespace

struct SharedRows::Columns : PackedColumns {
  std::vector<std::uint32_t> examples;  // numbers in the data set
  // Of the engine, made when it is first needed.
  mutable std::unique_ptr<PackedColumns> packed;
  mutable std::once_flag once;
};

class SharedRows::PartEngine final : public RowEngine {
 public:
  PartEngine(SharedRows& shared, std::vector<std::uint32_t> numbers)
      : shared_(shared), number_(std::move(numbers)) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    auto columns = std::make_unique<Columns>();
    columns->examples.reserve(count);
    for (std::size_t k = 0; k < count; ++k) columns->examples.push_back(number_[examples[k]]);
    if (old != nullptr) columns->packed = std::move(static_cast<Columns&>(*old).packed);
    return columns;
  }

  void compute(std::size_t example, const PackedColumns& packed, std::size_t from, std::size_t to,
               float* out) const override {
    const auto& columns = static_cast<const Columns&>(packed);
    const float* row = shared_.whole_row(number_[example]);
    if (row != nullptr) {
      for (std::size_t k = from; k < to; ++k) *out++ = row[columns.examples[k]];
      return;
    }
    shared_.engine_->compute(number_[example], packed_in(columns), from, to, out);
  }

  // Rows are kept as floats only.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    shared_.engine_->compute(number_[example], packed_in(static_cast<const Columns&>(columns)),
                             from, to, out);
  }

  double diagonal(std::size_t example) const override {
    return shared_.engine_->diagonal(number_[example]);
  }

  bool is_exact(std::size_t example) const override {
    return shared_.engine_->is_exact(number_[example]);
  }
  bool is_symmetric() const override { return shared_.engine_->is_symmetric(); }
  double value_cost() const override { return shared_.engine_->value_cost(); }

 private:
  const PackedColumns& packed_in(const Columns& columns) const {
    std::call_once(columns.once, [&] {
      columns.packed = shared_.engine_->pack(columns.examples.data(), columns.examples.size(),
                                             std::move(columns.packed));
    });
    return *columns.packed;
  }

  SharedRows& shared_;
  std::vector<std::uint32_t> number_;  // in the data set, of each example
};

bool RowBudget::take(std::size_t bytes) {
  std::size_t left = left_;
  while (left >= bytes) {
    if (left_.compare_exchange_weak(left, left - bytes)) return true;
  }
  return false;
}

SharedRows::SharedRows(std::unique_ptr<RowEngine> engine, const svm_node* const* rows,
                       std::size_t count, std::size_t bytes)
    : SharedRows(
          std::move(engine), rows, count,
          std::make_shared<RowBudget>(count == 0 ? 0
                                                 : std::min(count, bytes / sizeof(float) / count) *
                                                       count * sizeof(float))) {}

SharedRows::SharedRows(std::unique_ptr<RowEngine> engine, const svm_node* const* rows,
                       std::size_t count, std::shared_ptr<RowBudget> budget)
    : engine_(std::move(engine)),
      kept_(count),
      state_(count),
      budget_(std::move(budget)),
      keeps_rows_(count > 0 && engine_->value_cost() > kFetchCost) {
  number_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    number_.emplace(rows[i], static_cast<std::uint32_t>(i));
    state_[i] = kAbsent;
  }
}

SharedRows::~SharedRows() { budget_->give_back(taken_); }

std::unique_ptr<RowEngine> SharedRows::engine(const svm_node* const* rows, std::size_t count) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(number_.at(rows[i]));
  return std::make_unique<PartEngine>(*this, std::move(numbers));
}

const float* SharedRows::whole_row(std::uint32_t example) {
  std::atomic<std::uint8_t>& state = state_[example];
  if (state == kKept) return kept_[example].get();
  std::uint8_t absent = kAbsent;
  if (!keeps_rows_ || !budget_->has(row_bytes()) ||
      !state.compare_exchange_strong(absent, kInTheMaking)) {
    return nullptr;
  }
  if (!budget_->take(row_bytes())) {
    state = kAbsent;
    return nullptr;
  }
  taken_ += row_bytes();
  const std::size_t size = kept_.size();
  std::call_once(packed_once_, [&] {
    std::vector<std::uint32_t> all(size);
    std::iota(all.begin(), all.end(), 0U);
    all_columns_ = engine_->pack(all.data(), size, nullptr);
  });
  kept_[example].reset(new (std::nothrow) float[size]);
  if (kept_[example] == nullptr) {  // the caller computes its part alone
    taken_ -= row_bytes();
    budget_->give_back(row_bytes());
    state = kAbsent;
    return nullptr;
  }
  engine_->compute(example, *all_columns_, 0, size, kept_[example].get());
  state = kKept;
  return kept_[example].get();
}

}  // namespace svm
