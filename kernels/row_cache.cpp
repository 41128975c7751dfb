#include "kernels/row_cache.h"

#include <algorithm>
#include <new>
#include <utility>

namespace svm {
namespace {

// Left uninitialised: every value is computed before it is read.
std::unique_ptr<float[]> new_row(std::size_t length) {
  return std::unique_ptr<float[]>(new float[length]);
}

}  // namespace

RowCache::RowCache(std::size_t size, std::size_t bytes) : entries_(size + 1), head_(size) {
  const std::size_t bookkeeping = entries_.size() * sizeof(Entry);
  const std::size_t rest = bytes > bookkeeping ? bytes - bookkeeping : 0;
  total_floats_ = free_floats_ = std::max(rest / sizeof(float), 2 * size);
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
  const std::size_t two_rows = 2 * (entries_.size() - 1);
  if (floats > total_floats_ / 2 || total_floats_ - floats < two_rows) return false;
  free_floats_ += std::exchange(aside_floats_, 0);
  make_room(floats);
  free_floats_ -= floats;
  aside_floats_ = floats;
  return true;
}

RowCache::Row RowCache::get(std::size_t i, std::size_t length) {
  Entry& entry = entries_[i];
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

void RowCache::swap(std::size_t i, std::size_t j) {
  if (i == j) return;
  if (i > j) std::swap(i, j);
  const bool cached_i = entries_[i].capacity > 0, cached_j = entries_[j].capacity > 0;
  if (cached_i) unlink(i);
  if (cached_j) unlink(j);
  std::swap(entries_[i].values, entries_[j].values);
  std::swap(entries_[i].length, entries_[j].length);
  std::swap(entries_[i].capacity, entries_[j].capacity);
  if (cached_j) link_last(i);
  if (cached_i) link_last(j);
  for (std::size_t r = entries_[head_].next; r != head_; r = entries_[r].next) {
    Entry& row = entries_[r];
    if (row.length > j) {
      std::swap(row.values[i], row.values[j]);
    } else if (row.length > i) {
      row.length = i;  // value i is now that of j, which this row does not know
    }
  }
}

}  // namespace svm
