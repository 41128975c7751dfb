#include "kernels/engines/row_store.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/platform/index_range.h"

namespace svm {

bool RowBudget::take(std::size_t bytes) {
  std::size_t left = left_;
  while (left >= bytes) {
    if (left_.compare_exchange_weak(left, left - bytes)) return true;
  }
  return false;
}

RowStore::RowStore(std::shared_ptr<const RowEngine> engine, const std::vector<std::uint32_t>& order,
                   std::shared_ptr<RowBudget> budget, bool keeps, const GoOn& go_on)
    : engine_(std::move(engine)),
      rows_(order.size()),
      state_(order.size()),
      budget_(std::move(budget)) {
  const std::size_t count = order.size();
  if (count > 0) example_.resize(*std::max_element(order.begin(), order.end()) + std::size_t{1});
  for (std::size_t i = 0; i < count; ++i) example_[order[i]] = static_cast<std::uint32_t>(i);
  for (std::atomic<std::uint8_t>& state : state_) state = kAbsent;
  if (!keeps || budget_->for_rows() < row_bytes()) return;
  const auto all = index_range<std::uint32_t>(0, count);
  const std::size_t width = engine_->pack_width();
  for (std::size_t begin = 0; begin < count; begin += width) {
    if (begin > 0) go_on_or_throw(go_on);
    packed_.push_back(engine_->pack(all.data() + begin, std::min(width, count - begin), nullptr));
  }
}

RowStore::~RowStore() { budget_->give_back(taken_); }

// Allocates a row that is absent.  Returns true if the calling thread then has to compute it.
bool RowStore::claim(std::size_t example) {
  std::uint8_t absent = kAbsent;
  if (packed_.empty() || triangle_ != nullptr || state_[example] != kAbsent ||
      !budget_->has(row_bytes()) ||
      !state_[example].compare_exchange_strong(absent, kInTheMaking)) {
    return false;
  }
  if (budget_->take(row_bytes())) {
    taken_ += row_bytes();
    rows_[example].reset(new (std::nothrow) float[size()]);
    if (rows_[example] != nullptr) return true;
    taken_ -= row_bytes();
    budget_->give_back(row_bytes());
  }
  state_[example] = kAbsent;
  return false;
}

void RowStore::give_up(std::size_t example) {
  rows_[example].reset();
  taken_ -= row_bytes();
  budget_->give_back(row_bytes());
  state_[example] = kAbsent;
}

void RowStore::compute(const std::vector<std::uint32_t>& claimed) {
  try {
    std::vector<float*> out(claimed.size());
    for (std::size_t r = 0; r < claimed.size(); ++r) out[r] = rows_[claimed[r]].get();
    for (std::size_t part = 0, begin = 0; part < packed_.size(); ++part) {
      const std::size_t width = std::min(engine_->pack_width(), size() - begin);
      engine_->compute_rows(claimed.data(), claimed.size(), *packed_[part], width, out.data());
      for (float*& values : out) values += width;
      begin += width;
    }
  } catch (...) {
    for (const std::uint32_t example : claimed) give_up(example);
    throw;
  }
  for (const std::uint32_t example : claimed) state_[example] = kKept;
}

const float* RowStore::row(std::size_t example) {
  if (const float* const values = kept(example)) return values;
  if (!claim(example)) return nullptr;
  compute({static_cast<std::uint32_t>(example)});
  return rows_[example].get();
}

void RowStore::keep(const std::uint32_t* examples, std::size_t count) {
  std::vector<std::uint32_t> claimed;
  claimed.reserve(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (claim(examples[r])) claimed.push_back(examples[r]);
  }
  if (!claimed.empty()) compute(claimed);
}

// Fills all_ if all rows can be claimed, or makes the triangle.
void RowStore::claim_all() {
  if (packed_.size() != 1 || !engine_->is_symmetric()) return;
  if (!budget_->has(size() * row_bytes())) return claim_triangle();
  std::vector<float*> rows;
  rows.reserve(size());
  while (rows.size() < size() && claim(rows.size())) rows.push_back(rows_[rows.size()].get());
  if (rows.size() == size()) {
    all_ = std::move(rows);
  } else {
    for (std::size_t example = 0; example < rows.size(); ++example) give_up(example);
  }
}

// Makes the triangle if there is memory for it and it pays.
void RowStore::claim_triangle() {
  // A value of a triangle costs some nanoseconds to fetch, and half of all values may be more than
  // trainings ask for.
  constexpr double kLeastCost = 8;
  if (engine_->value_cost() < kLeastCost || taken_ > 0) return;
  const std::size_t bytes = PackedTriangle::bytes(size());
  if (!budget_->take(bytes)) return;
  taken_ += bytes;
  try {
    triangle_ = std::make_unique<PackedTriangle>(size());
  } catch (const std::bad_alloc&) {
    taken_ -= bytes;
    budget_->give_back(bytes);
  }
}

void RowStore::compute_part_of_all(std::size_t begin, std::size_t end) {
  const auto all = index_range<std::uint32_t>(0, end);
  if (triangle_ == nullptr) {
    return compute_part_of_square(*engine_, all.data(), *packed_[0], begin, end, all_.data());
  }
  std::vector<float> values((end - begin) * end);
  std::vector<float*> rows(end - begin);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = values.data() + r * end;
  engine_->compute_rows(all.data() + begin, rows.size(), *packed_[0], end, rows.data());
  triangle_->set_rows(begin, end, rows.data());
}

void RowStore::keep_all(const GoOn& go_on) {
  run_once(once_, [this] { claim_all(); });
  if ((all_.empty() && triangle_ == nullptr) || has_all_) return;
  const auto compute = [this](std::size_t begin, std::size_t end) {
    compute_part_of_all(begin, end);
  };
  if (!loop_.complete(size(), go_on, compute)) throw Interrupted();
  run_once(finished_, [this] {
    packed_[0].reset();  // nothing is left to compute
    if (triangle_ == nullptr) {
      for (std::atomic<std::uint8_t>& state : state_) state = kKept;
    }
    has_all_ = true;
  });
}

bool are_worth_keeping(const RowEngine& engine) {
  constexpr double kFetchCost = 2;  // nanoseconds per value of a kept row
  return engine.value_cost() > kFetchCost;
}

std::shared_ptr<RowStore> make_shared_rows(std::shared_ptr<const RowEngine> engine,
                                           const std::vector<std::uint32_t>& order,
                                           std::size_t bytes, const GoOn& go_on) {
  // Nanoseconds per value of a row that few trainings use, each a part of it, unless all rows stay
  // in a near cache.
  constexpr double kLeastCost = 8;
  constexpr std::size_t kNearBytes = std::size_t{1} << 20;
  const std::size_t row_bytes = std::max<std::size_t>(order.size(), 1) * sizeof(float);
  const bool is_near = row_bytes <= kNearBytes / std::max<std::size_t>(order.size(), 1);
  const bool keeps = is_near ? are_worth_keeping(*engine) : engine->value_cost() > kLeastCost;
  const std::size_t rows = keeps ? std::min(order.size(), bytes / row_bytes) : 0;
  return std::make_shared<RowStore>(std::move(engine), order,
                                    std::make_shared<RowBudget>(rows * row_bytes), keeps, go_on);
}

}  // namespace svm
