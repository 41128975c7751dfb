#include "kernels/matrix/rows_ahead.h"

#include <exception>
#include <utility>

namespace svm {

RowsAhead::RowsAhead(const RowEngine& engine, std::vector<std::uint32_t> columns,
                     std::vector<std::uint32_t> order, RowMemory<float>& memory, ThreadPool& pool)
    : engine_(engine),
      columns_(std::move(columns)),
      order_(std::move(order)),
      pool_(pool),
      rows_(columns_.size()),
      state_(columns_.size()) {
  memory.reset(columns_.size(), columns_.size());
  for (const std::uint32_t example : order_) rows_[example] = memory.take();
  for (std::atomic<std::uint8_t>& state : state_) state = kWanted;
  is_offered_ = pool_.offer(*this);
}

RowsAhead::~RowsAhead() {
  if (is_offered_) pool_.withdraw(*this);
}

bool RowsAhead::claim(std::size_t example) {
  std::uint8_t wanted = kWanted;
  return state_[example].compare_exchange_strong(wanted, kTaken);
}

float* RowsAhead::take(std::size_t example) {
  if (state_[example].load() == kFinished) return rows_[example];
  claim(example);
  return nullptr;
}

bool RowsAhead::step() noexcept {
  if (next_ >= order_.size()) return false;
  try {
    if (pack()) compute_some();
    return true;
  } catch (const std::exception&) {  // out of memory; whoever wants the row notices
    next_ = order_.size();
    return false;
  }
}

// Packs the columns if no thread has begun to.  False if another one is still at it.
bool RowsAhead::pack() {
  std::uint8_t packing = kNotPacked;
  if (packing_.compare_exchange_strong(packing, kBegun)) {
    packed_ = engine_.pack(columns_.data(), columns_.size(), nullptr);
    packing_ = packing = kPacked;
  }
  return packing == kPacked;
}

// Rows cost less if some are computed together.
void RowsAhead::compute_some() {
  constexpr std::size_t kTogether = 4;
  std::uint32_t examples[kTogether];
  float* rows[kTogether];
  std::size_t count = 0;
  while (count < kTogether) {
    const std::size_t at = next_++;
    if (at >= order_.size()) break;
    if (!claim(order_[at])) continue;
    examples[count] = order_[at];
    rows[count++] = rows_[order_[at]];
  }
  if (count == 0) return;
  engine_.compute_rows(examples, count, *packed_, columns_.size(), rows);
  for (std::size_t k = 0; k < count; ++k) state_[examples[k]] = kFinished;
}

}  // namespace svm
