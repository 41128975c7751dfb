#include "kernels/matrix/row_cache.h"

#include <algorithm>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kMostSwaps = 4096;
constexpr int kManyMore = 16;  // excess of evicted rows over new ones that raises the limit

}  // namespace

template <typename Value>
RowCache<Value>::RowCache(std::size_t rows, std::size_t columns, const CacheRoom& room,
                          RowMemory<Value>* memory)
    : head_(rows), two_rows_(2 * columns), memory_(memory), growth_(room.growth) {
  const std::size_t bookkeeping = (rows + 1) * sizeof(Entry);
  const std::size_t rest = room.bytes > bookkeeping ? room.bytes - bookkeeping : 0;
  total_values_ = std::max(rest / sizeof(Value), two_rows_);
  room_values_ = std::min(std::max(room.first / sizeof(Value), two_rows_), total_values_);
}

// Takes a whole row of the memory, or else allocates `length` values.  They are uninitialised:
// every value is computed before it is read.
template <typename Value>
typename RowCache<Value>::Values RowCache<Value>::new_row(std::size_t& length) {
  Value* const row = memory_ == nullptr ? nullptr : memory_->take();
  if (row == nullptr) return Values(new Value[length]);
  length = two_rows_ / 2;
  return Values(row, Deleter{false});
}

template <typename Value>
void RowCache<Value>::unlink(std::size_t i) {
  entries_[entries_[i].previous].next = entries_[i].next;
  entries_[entries_[i].next].previous = entries_[i].previous;
}

template <typename Value>
void RowCache<Value>::link_last(std::size_t i) {
  entries_[i].previous = entries_[head_].previous;
  entries_[i].next = head_;
  entries_[entries_[i].previous].next = i;
  entries_[head_].previous = i;
}

template <typename Value>
void RowCache<Value>::drop(std::size_t i) {
  Entry& entry = entries_[i];
  unlink(i);
  used_values_ -= entry.capacity;
  entry.values.reset();
  entry.length = entry.capacity = 0;
  entry.dropped = true;
}

template <typename Value>
void RowCache<Value>::make_room(std::size_t values) {
  const std::size_t room = std::min(room_values_, total_values_ - workspace_values_);
  while (used_values_ + values > room && entries_[head_].next != head_) drop(entries_[head_].next);
}

template <typename Value>
void RowCache<Value>::note_miss(Entry& entry, std::size_t values) {
  if (!std::exchange(entry.dropped, false)) {
    surplus_returns_ = std::max(surplus_returns_ - 1, 0);
  } else if (++surplus_returns_ > kManyMore) {
    surplus_returns_ = kManyMore;
    room_values_ = std::min(room_values_ + growth_ * values, total_values_);
  }
}

template <typename Value>
bool RowCache<Value>::reserve_workspace(std::size_t bytes) {
  const std::size_t values = bytes / sizeof(Value);
  if (values > total_values_ / 2 || total_values_ - values < two_rows_) return false;
  workspace_values_ = values;
  if (!entries_.empty()) make_room(0);
  return true;
}

template <typename Value>
typename RowCache<Value>::Row RowCache<Value>::get(std::size_t i, std::size_t length) {
  if (entries_.empty()) {  // without which nothing is cached
    entries_.resize(head_ + 1);
    entries_[head_].previous = entries_[head_].next = head_;
  }
  Entry& entry = entries_[i];
  catch_up(entry);
  if (entry.capacity > 0) unlink(i);
  if (entry.capacity < length) {
    // The old values count as free while room is made, so that a growing row never asks for more
    // than one whole row.
    const Values old = std::move(entry.values);
    used_values_ -= std::exchange(entry.capacity, 0);
    const std::size_t known = std::exchange(entry.length, 0);
    if (known == 0) note_miss(entry, length);
    make_room(length);
    std::size_t capacity = length;
    entry.values = new_row(capacity);
    if (known > 0) std::copy_n(old.get(), known, entry.values.get());
    entry.capacity = capacity;
    entry.length = known;
    used_values_ += capacity;
  }
  link_last(i);
  const std::size_t from = std::min(entry.length, length);
  entry.length = std::max(entry.length, length);
  return {entry.values.get(), from};
}

template <typename Value>
void RowCache<Value>::swap(std::size_t a, std::size_t b) {
  if (a == b || entries_.empty()) return;
  if (swaps_.size() >= kMostSwaps) forget_swaps();
  swaps_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

template <typename Value>
void RowCache<Value>::catch_up(Entry& entry) {
  if (entry.capacity > 0) {
    Value* values = entry.values.get();
    for (std::size_t s = entry.swaps; s < swaps_.size(); ++s) {
      const auto [low, high] = std::minmax(swaps_[s].first, swaps_[s].second);
      if (high < entry.length) {
        std::swap(values[low], values[high]);
      } else if (low < entry.length) {
        entry.length = low;  // column `low` now has a value that this row lacks
      }
    }
  }
  entry.swaps = swaps_.size();
}

// Keeps swaps_ short, and with it the time of catch_up().
template <typename Value>
void RowCache<Value>::forget_swaps() {
  for (Entry& entry : entries_) {
    catch_up(entry);
    entry.swaps = 0;
  }
  swaps_.clear();
}

template class RowCache<float>;
template class RowCache<double>;

}  // namespace svm
