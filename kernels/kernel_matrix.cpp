#include "kernels/kernel_matrix.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// A row is cut for threads into pieces of this many values, or as many as take so long.
constexpr std::size_t kLeastPiece = 4096;
constexpr double kPieceNanoseconds = 10000;
// Of the values of a block, so that it stays in a processor's cache.
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::size_t kLeastBlock = 64, kMostBlock = 1024;
// Values that cost less than this are cheaper to compute again than to fetch from far memory.
constexpr double kCheapValue = 1;
constexpr std::size_t kNearMemory = std::size_t{8} << 20;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::uint32_t> counting(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::size_t unused_memory(std::size_t bytes, double value_cost) {
  return value_cost < kCheapValue && bytes > kNearMemory ? bytes - kNearMemory : 0;
}

}  // namespace

KernelMatrix::KernelMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples,
                           std::size_t copies, std::size_t cache_bytes, ThreadPool& pool)
    : engine_(std::move(engine)),
      unused_bytes_(unused_memory(cache_bytes, engine_->value_cost())),
      cache_(examples, cache_bytes - unused_bytes_),
      pool_(pool),
      slot_example_(counting(examples)),
      example_slot_(slot_example_),
      slots_in_play_(examples),
      in_play_(copies * examples) {
  for (std::size_t copy = 0; copy < copies; ++copy) {
    example_.insert(example_.end(), slot_example_.begin(), slot_example_.end());
  }
  set_in_play(in_play_);
}

void KernelMatrix::set_in_play(std::size_t count) {
  std::size_t next = 0;
  bool moved = false;
  for (std::size_t t = 0; t < count; ++t) {
    const std::uint32_t example = example_[t];
    const std::uint32_t slot = example_slot_[example];
    if (slot < next) continue;  // its other variable came first
    if (slot != next) {
      const std::uint32_t other = slot_example_[next];
      std::swap(slot_example_[slot], slot_example_[next]);
      example_slot_[other] = slot;
      example_slot_[example] = static_cast<std::uint32_t>(next);
      cache_.swap(slot, next);
      moved = true;
    }
    ++next;
  }
  if (moved || next != slots_in_play_) packed_is_stale_ = true;
  in_play_ = count;
  slots_in_play_ = next;
  for (int b = 0; b < 2; ++b) {
    spread_example_[b] = kNone;
    if (slots_in_play_ != in_play_) spread_[b].resize(in_play_);
  }
}

const float* KernelMatrix::row(std::size_t i) {
  const std::size_t example = example_[i];
  const RowCache::Row row = cache_.get(example, slots_in_play_);
  if (row.from < slots_in_play_) compute(example, row);
  return slots_in_play_ == in_play_ ? row.values : spread(example, row.values);
}

const float* KernelMatrix::spread(std::size_t example, const float* values) {
  for (int b = 0; b < 2; ++b) {
    if (spread_example_[b] != example) continue;
    last_spread_ = b;
    return spread_[b].data();
  }
  last_spread_ = 1 - last_spread_;
  float* out = spread_[last_spread_].data();
  spread_example_[last_spread_] = example;
  for (std::size_t t = 0; t < in_play_; ++t) out[t] = values[example_slot_[example_[t]]];
  return out;
}

void KernelMatrix::compute(std::size_t example, const RowCache::Row& row) {
  const Clock::time_point start = Clock::now();
  if (packed_is_stale_) {
    packed_ = engine_->pack(slot_example_.data(), slots_in_play_, std::move(packed_));
    packed_is_stale_ = false;
  }
  const std::size_t pieces = std::max<std::size_t>(
      1, static_cast<std::size_t>(kPieceNanoseconds / engine_->value_cost()) / kLeastPiece);
  const std::size_t first = row.from - row.from % kLeastBlock;
  pool_.for_chunks(slots_in_play_ - first, pieces * kLeastPiece,
                   [&](std::size_t begin, std::size_t end) {
                     const std::size_t from = std::max(row.from, first + begin);
                     engine_->compute(example, *packed_, from, first + end, row.values + from);
                   });
  seconds_ += seconds_since(start);
  ++rows_computed_;
}

void KernelMatrix::visit_blocks(const std::vector<std::size_t>& rows,
                                const std::vector<std::size_t>& columns, const Visit& visit) {
  if (columns.empty()) return;
  const Clock::time_point start = Clock::now();
  std::vector<std::pair<const float*, std::size_t>> known;
  known.reserve(rows.size());
  for (const std::size_t r : rows) known.push_back(cache_.known(example_[r]));

  std::size_t width = kBlockBytes / sizeof(float) / std::max<std::size_t>(1, rows.size());
  width = std::min(std::max(width / kLeastBlock * kLeastBlock, kLeastBlock), kMostBlock);
  std::atomic<long long> computed{0};
  pool_.for_chunks(columns.size(), width, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> examples;
    std::uint32_t last_slot = 0;
    for (std::size_t k = begin; k < end; ++k) {
      examples.push_back(example_[columns[k]]);
      last_slot = std::max(last_slot, example_slot_[examples.back()]);
    }
    const std::size_t count = end - begin;
    std::unique_ptr<PackedColumns> packed;
    std::unique_ptr<float[]> values(new float[rows.size() * width]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      float* out = values.get() + r * width;
      if (last_slot < known[r].second) {
        for (std::size_t k = 0; k < count; ++k) out[k] = known[r].first[example_slot_[examples[k]]];
      } else {
        if (packed == nullptr) packed = engine_->pack(examples.data(), count, nullptr);
        engine_->compute(example_[rows[r]], *packed, 0, count, out);
        ++computed;
      }
    }
    visit(begin, end, values.get(), width);
  });
  // A computed row is one over all columns.
  const std::size_t blocks = (columns.size() + width - 1) / width;
  rows_computed_ +=
      (computed + static_cast<long long>(blocks) - 1) / static_cast<long long>(blocks);
  seconds_ += seconds_since(start);
}

}  // namespace svm
