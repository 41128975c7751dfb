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
constexpr std::size_t kSpreadPiece = 8192;  // values that are only copied
// Of the values of a block, so that it stays in a processor's cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kLeastBlock = 64, kMostBlock = 512;
// A value that costs less nanoseconds than the first is cheaper to compute again than to fetch from
// far memory; one that costs more than the second is worth keeping from the start.
constexpr double kCheapValue = 1, kCostlyValue = 4.8;
constexpr std::size_t kNearMemory = std::size_t{8} << 20;
constexpr std::size_t kGrowth = 4;  // rows for one that came back

// Whole blocks, of at least so many values; a remainder is shared, for it would not be worth a
// thread's while.
std::size_t even_piece(std::size_t count, std::size_t least) {
  const std::size_t pieces = std::max<std::size_t>(1, count / least);
  const std::size_t piece = (count + pieces - 1) / pieces;
  return std::max<std::size_t>(1, (piece + kLeastBlock - 1) / kLeastBlock) * kLeastBlock;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

RowCache::Room room_for_rows(std::size_t bytes, double value_cost) {
  if (value_cost > kCostlyValue) return {bytes, bytes, 0};
  return {bytes, std::min(bytes, kNearMemory), value_cost < kCheapValue ? 0 : kGrowth};
}

}  // namespace

KernelMatrix::KernelMatrix(std::shared_ptr<const RowEngine> engine, std::size_t examples,
                           std::size_t copies, std::size_t cache_bytes, std::size_t aside_bytes,
                           ThreadPool& pool)
    : engine_(std::move(engine)),
      aside_bytes_(aside_bytes),
      cache_(examples, copies * examples, room_for_rows(cache_bytes, engine_->value_cost())),
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

bool KernelMatrix::set_aside(std::size_t bytes) {
  if (bytes > aside_bytes_) return false;
  cache_.set_aside(bytes);  // or it is one of hardly two rows, and small enough not to matter
  return true;
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
  const std::size_t count = packed_examples_ - first;
  pool_.for_chunks(count, even_piece(count, pieces * kLeastPiece),
                   [&](std::size_t begin, std::size_t end) {
                     const std::size_t at = std::max(from, first + begin);
                     engine_->compute(example, *packed_, at, first + end, out + at);
                   });
  if (!direct) {
    const std::size_t spread = in_play_ - row.from;
    pool_.for_chunks(spread, even_piece(spread, kSpreadPiece),
                     [&](std::size_t begin, std::size_t end) {
                       for (std::size_t t = row.from + begin; t < row.from + end; ++t) {
                         row.values[t] = out[place_[t]];
                       }
                     });
  }
  seconds_ += seconds_since(start);
  ++rows_computed_;
}

void KernelMatrix::visit_blocks(const std::vector<Rows>& slices,
                                const std::vector<std::size_t>& columns,
                                const std::function<void(const Block&)>& visit) {
  if (columns.empty()) return;
  const Clock::time_point start = Clock::now();
  struct Wanted {
    std::size_t example;
    RowCache::Known known;
  };
  std::vector<Wanted> wanted;  // of all slices, so that blocks find them one after the other
  std::size_t most_rows = 1;
  for (const Rows& rows : slices) {
    for (const std::size_t r : rows) {
      cache_.catch_up(example_[r]);
      wanted.push_back({example_[r], cache_.known(example_[r])});
    }
    most_rows = std::max(most_rows, rows.size());
  }
  std::size_t width = kBlockBytes / sizeof(float) / most_rows;
  width = std::min(std::max(width / kLeastBlock * kLeastBlock, kLeastBlock), kMostBlock);
  std::atomic<std::size_t> computed{0};
  pool_.for_chunks(columns.size(), width, [&](std::size_t begin, std::size_t end) {
    const std::size_t* column = columns.data() + begin;
    const std::size_t count = end - begin;
    const std::size_t last = *std::max_element(column, column + count);
    const bool in_one_piece =
        std::is_sorted(column, column + count) && last - column[0] == count - 1;
    std::vector<std::uint32_t> examples(count);
    for (std::size_t k = 0; k < count; ++k) examples[k] = example_[column[k]];
    std::unique_ptr<PackedColumns> packed;
    const std::unique_ptr<float[]> values(new float[most_rows * width]);
    const Wanted* next = wanted.data();
    for (std::size_t s = 0; s < slices.size(); ++s) {
      float* out = values.get();
      const Wanted* const end_of_slice = next + slices[s].size();
      while (next < end_of_slice) {
        const auto [example, known] = *next++;
        if (next < end_of_slice) engine_->prefetch(next->example);
        if (known.length <= last) {
          if (packed == nullptr) packed = engine_->pack_block(examples.data(), count);
          engine_->compute(example, *packed, 0, count, out);
          ++computed;
        } else if (in_one_piece) {
          std::copy_n(known.values + column[0], count, out);
        } else {
          for (std::size_t k = 0; k < count; ++k) out[k] = known.values[column[k]];
        }
        out += width;
      }
      visit({s, begin, end, values.get(), width});
    }
  });
  // A computed row is one over all columns.
  const std::size_t blocks = (columns.size() + width - 1) / width;
  rows_computed_ += static_cast<long long>((computed + blocks - 1) / blocks);
  seconds_ += seconds_since(start);
}

}  // namespace svm
