#include "kernels/row_cache.h"

#include <algorithm>
#include <new>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLeastSwaps = 1024;
constexpr int kManyMore = 16;  // rows that came back than new ones

// Left uninitialised: every value is computed before it is read.
std::unique_ptr<float[]> new_row(std::size_t length) {
  return std::unique_ptr<float[]>(new float[length]);
}

}  // namespace

RowCache::RowCache(std::size_t rows, std::size_t columns, const Room& room)
    : entries_(rows + 1), head_(rows), two_rows_(2 * columns), growth_(room.growth) {
  const std::size_t bookkeeping = entries_.size() * sizeof(Entry);
  const std::size_t rest = room.bytes > bookkeeping ? room.bytes - bookkeeping : 0;
  total_floats_ = std::max(rest / sizeof(float), two_rows_);
  room_floats_ = std::min(std::max(room.first / sizeof(float), two_rows_), total_floats_);
  entries_[head_].previous = entries_[head_].next = head_;
}

void RowCache::unlink(std::size_t i) {
  entries_[entries_[i].previous].next = entries_[i].next;
  entries_[entries_[i].next].previous = entries_[i].previous;
}

void RowCache::link_last(std::size_t i) {
  entries_[i].previous = entries_[head_].previous;
  entries_[i].next = head_;
  entries_[entries_[i].previous].next = i;
  entries_[head_].previous = i;
}

void RowCache::drop(std::size_t i) {
  Entry& entry = entries_[i];
  unlink(i);
  used_floats_ -= entry.capacity;
  entry.values.reset();
  entry.length = entry.capacity = 0;
  entry.dropped = true;
}

void RowCache::make_room(std::size_t floats) {
  const std::size_t room = std::min(room_floats_, total_floats_ - aside_floats_);
  while (used_floats_ + floats > room && entries_[head_].next != head_) drop(entries_[head_].next);
}

void RowCache::note_miss(Entry& entry, std::size_t floats) {
  if (!std::exchange(entry.dropped, false)) {
    came_back_ = std::max(came_back_ - 1, 0);
  } else if (++came_back_ > kManyMore) {
    came_back_ = kManyMore;
    room_floats_ = std::min(room_floats_ + growth_ * floats, total_floats_);
  }
}

bool RowCache::set_aside(std::size_t bytes) {
  const std::size_t floats = bytes / sizeof(float);
  if (floats > total_floats_ / 2 || total_floats_ - floats < two_rows_) return false;
  aside_floats_ = floats;
  make_room(0);
  return true;
}

RowCache::Row RowCache::get(std::size_t i, std::size_t length) {
  Entry& entry = entries_[i];
  catch_up(entry);
  if (entry.capacity > 0) unlink(i);
  if (entry.capacity < length) {
    // The old values count as free while room is made, so that a growing row never asks for more
    // than one whole row.
    std::unique_ptr<float[]> old = std::move(entry.values);
    used_floats_ -= std::exchange(entry.capacity, 0);
    const std::size_t known = std::exchange(entry.length, 0);
    if (known == 0) note_miss(entry, length);
    make_room(length);
    entry.values = new_row(length);
    if (known > 0) std::copy_n(old.get(), known, entry.values.get());
    entry.capacity = length;
    entry.length = known;
    used_floats_ += length;
  }
  link_last(i);
  const std::size_t from = std::min(entry.length, length);
  entry.length = std::max(entry.length, length);
  return {entry.values.get(), from};
}

void RowCache::swap(std::size_t a, std::size_t b) {
  if (a == b) return;
  if (swaps_.size() >= entries_.size() + kLeastSwaps) forget_swaps();
  swaps_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

void RowCache::catch_up(Entry& entry) {
  if (entry.capacity > 0) {
    float* values = entry.values.get();
    for (std::size_t s = entry.swaps; s < swaps_.size(); ++s) {
      const auto [low, high] = std::minmax(swaps_[s].first, swaps_[s].second);
      if (high < entry.length) {
        std::swap(values[low], values[high]);
      } else if (low < entry.length) {
        entry.length = low;  // it is now that of the other column, which this row does not know
      }
    }
  }
  entry.swaps = swaps_.size();
}

// Keeps the list shorter than a few rows.
void RowCache::forget_swaps() {
  for (Entry& entry : entries_) {
    catch_up(entry);
    entry.swaps = 0;
  }
  swaps_.clear();
}

}  // namespace svm
