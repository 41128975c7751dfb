#include "kernels/kernel_matrix.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace svm {
namespace {

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

std::size_t unused_memory(std::size_t bytes, double value_cost) {
  return value_cost < kCheapValue && bytes > kNearMemory ? bytes - kNearMemory : 0;
}

}  // namespace

KernelMatrix::KernelMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples,
                           std::size_t copies, std::size_t cache_bytes, ThreadPool& pool)
    : engine_(std::move(engine)),
      unused_bytes_(unused_memory(cache_bytes, engine_->value_cost())),
      cache_(examples, copies * examples, cache_bytes - unused_bytes_),
      pool_(pool),
      copies_(copies),
      in_play_(copies * examples) {
  example_.resize(in_play_);
  for (std::size_t t = 0; t < in_play_; ++t) {
    example_[t] = static_cast<std::uint32_t>(t < examples ? t : t - examples);
  }
}

void KernelMatrix::set_in_play(std::size_t count) {
  in_play_ = count;
  packing_is_stale_ = true;
}

const float* KernelMatrix::row(std::size_t i) {
  const std::size_t example = example_[i];
  const RowCache::Row row = cache_.get(example, in_play_);
  if (row.from < in_play_) compute(example, row);
  return row.values;
}

void KernelMatrix::pack_in_play() {
  if (!packing_is_stale_) return;
  packing_is_stale_ = false;
  place_.clear();
  if (copies_ == 1) {
    packed_examples_ = in_play_;
    packed_ = engine_->pack(example_.data(), in_play_, std::move(packed_));
    return;
  }
  constexpr std::uint32_t kUnseen = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> place_of(example_.size() / copies_, kUnseen), distinct;
  for (std::size_t t = 0; t < in_play_; ++t) {
    std::uint32_t& place = place_of[example_[t]];
    if (place == kUnseen) {
      place = static_cast<std::uint32_t>(distinct.size());
      distinct.push_back(example_[t]);
    }
    place_.push_back(place);
  }
  packed_examples_ = distinct.size();
  packed_ = engine_->pack(distinct.data(), distinct.size(), std::move(packed_));
  if (packed_examples_ == in_play_) place_.clear();
}

void KernelMatrix::compute(std::size_t example, const RowCache::Row& row) {
  const Clock::time_point start = Clock::now();
  pack_in_play();
  const bool direct = place_.empty();
  if (!direct) distinct_values_.resize(packed_examples_);
  float* out = direct ? row.values : distinct_values_.data();
  const std::size_t from = direct ? row.from : 0;
  const std::size_t pieces = std::max<std::size_t>(
      1, static_cast<std::size_t>(kPieceNanoseconds / engine_->value_cost()) / kLeastPiece);
  const std::size_t first = from - from % kLeastBlock;
  pool_.for_chunks(packed_examples_ - first, pieces * kLeastPiece,
                   [&](std::size_t begin, std::size_t end) {
                     const std::size_t at = std::max(from, first + begin);
                     engine_->compute(example, *packed_, at, first + end, out + at);
                   });
  if (!direct) {
    for (std::size_t t = row.from; t < in_play_; ++t) row.values[t] = out[place_[t]];
  }
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
    const std::size_t count = end - begin;
    const std::size_t* column = columns.data() + begin;
    const std::size_t last = *std::max_element(column, column + count);
    const bool in_one_piece =
        std::is_sorted(column, column + count) && last - column[0] == count - 1;
    std::unique_ptr<PackedColumns> packed;
    std::unique_ptr<float[]> values(new float[rows.size() * width]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      float* out = values.get() + r * width;
      if (last < known[r].second) {
        const float* row = known[r].first;
        if (in_one_piece) {
          std::copy_n(row + column[0], count, out);
        } else {
          for (std::size_t k = 0; k < count; ++k) out[k] = row[column[k]];
        }
        continue;
      }
      if (packed == nullptr) {
        std::vector<std::uint32_t> examples(count);
        for (std::size_t k = 0; k < count; ++k) examples[k] = example_[column[k]];
        packed = engine_->pack(examples.data(), count, nullptr);
      }
      engine_->compute(example_[rows[r]], *packed, 0, count, out);
      ++computed;
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
