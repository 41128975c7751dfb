#include "kernels/row_cache.h"

#include <algorithm>
#include <new>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLeastSwaps = 1024;

// Left uninitialised: every value is computed before it is read.
std::unique_ptr<float[]> new_row(std::size_t length) {
  return std::unique_ptr<float[]>(new float[length]);
}

}  // namespace

RowCache::RowCache(std::size_t rows, std::size_t columns, std::size_t bytes)
    : entries_(rows + 1), head_(rows), two_rows_(2 * columns) {
  const std::size_t bookkeeping = entries_.size() * sizeof(Entry);
  const std::size_t rest = bytes > bookkeeping ? bytes - bookkeeping : 0;
  total_floats_ = free_floats_ = std::max(rest / sizeof(float), two_rows_);
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
  unlink(i);
  free_floats_ += entries_[i].capacity;
  entries_[i].values.reset();
  entries_[i].length = entries_[i].capacity = 0;
}

void RowCache::make_room(std::size_t floats) {
  while (free_floats_ < floats && entries_[head_].next != head_) drop(entries_[head_].next);
}

bool RowCache::set_aside(std::size_t bytes) {
  const std::size_t floats = bytes / sizeof(float);
  if (floats > total_floats_ / 2 || total_floats_ - floats < two_rows_) return false;
  free_floats_ += std::exchange(aside_floats_, 0);
  make_room(floats);
  free_floats_ -= floats;
  aside_floats_ = floats;
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
    free_floats_ += std::exchange(entry.capacity, 0);
    const std::size_t known = std::exchange(entry.length, 0);
    make_room(length);
    entry.values = new_row(length);
    if (known > 0) std::copy_n(old.get(), known, entry.values.get());
    entry.capacity = length;
    entry.length = known;
    free_floats_ -= std::min(length, free_floats_);
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
