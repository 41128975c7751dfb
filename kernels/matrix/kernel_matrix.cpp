#include "kernels/matrix/kernel_matrix.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <utility>

#include "base/platform/clock.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"

namespace svm {
namespace {

// Smallest pieces of a row that are worth a thread: values, and the time that they take.
constexpr std::size_t kLeastColumnPiece = 4096;
constexpr double kPieceNanoseconds = 10000;
constexpr double kShortRowNanoseconds = 1000;
constexpr std::size_t kSpreadPiece = 8192;  // values that are only copied
// Bytes of the values of a block, which should stay in a processor's cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kLeastBlock = 64, kMostBlock = 512;
constexpr double kMostBlockNanoseconds = 2e7;
// Intervals between polls.
constexpr double kRowPollNanoseconds = 20000;
constexpr std::size_t kRowsPerPoll = 64;
// A value that costs fewer nanoseconds than kCheapValue is cheaper to compute again than to fetch
// from main memory; one that costs more than kCostlyValue is worth keeping from the start.
constexpr double kCheapValue = 1, kCostlyValue = 4.8;
constexpr std::size_t kNearMemory = std::size_t{8} << 20;
constexpr std::size_t kGrowth = 4;  // rows of memory for each evicted row that is needed again

// The size of pieces of at least `least` values, in whole blocks.  A remainder is spread over the
// pieces, as it is not worth a task of its own.
std::size_t even_piece(std::size_t count, std::size_t least) {
  const std::size_t pieces = std::max<std::size_t>(1, count / least);
  const std::size_t piece = (count + pieces - 1) / pieces;
  return std::max<std::size_t>(1, (piece + kLeastBlock - 1) / kLeastBlock) * kLeastBlock;
}

// The number of columns of a block: small enough that its values fit into a processor's cache, and
// that a task of `rows` rows is short.
template <typename Value>
std::size_t block_width(std::size_t most_rows, std::size_t rows, double value_cost) {
  const std::size_t near = kBlockBytes / sizeof(Value) / most_rows;
  const double brief = kMostBlockNanoseconds / (value_cost * static_cast<double>(rows + 1));
  const std::size_t width =
      brief < static_cast<double>(near) ? static_cast<std::size_t>(brief) : near;
  return std::min(std::max(width / kLeastBlock * kLeastBlock, kLeastBlock), kMostBlock);
}

CacheRoom room_for_rows(std::size_t bytes, double value_cost, bool keeps_all = false) {
  if (value_cost > kCostlyValue || keeps_all) return {bytes, bytes, 0};
  return {bytes, std::min(bytes, kNearMemory), value_cost < kCheapValue ? 0 : kGrowth};
}

std::vector<std::uint32_t> numbers(std::size_t examples, std::size_t copies) {
  std::vector<std::uint32_t> all(copies * examples);
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = static_cast<std::uint32_t>(t % examples);
  return all;
}

// The largest number of variables of an example: 1 or 2.
std::size_t copies_of(const std::vector<std::uint32_t>& example, std::size_t examples) {
  const auto falls = std::greater_equal<std::uint32_t>();
  if (std::adjacent_find(example.begin(), example.end(), falls) == example.end()) return 1;
  std::vector<char> seen(examples, 0);
  const auto is_second = [&](std::uint32_t e) { return std::exchange(seen[e], 1) != 0; };
  return std::any_of(example.begin(), example.end(), is_second) ? 2 : 1;
}

std::size_t count_of(const std::vector<std::uint32_t>& example) {
  return example.empty() ? 0 : *std::max_element(example.begin(), example.end()) + std::size_t{1};
}

// Largest n such that an n x n matrix of floats fits into `bytes`.
std::size_t rows_within(double bytes) {
  return static_cast<std::size_t>(std::sqrt(bytes / sizeof(float)));
}

}  // namespace

KernelMatrix::KernelMatrix(std::shared_ptr<const RowEngine> engine, std::size_t examples,
                           std::size_t copies, std::size_t cache_bytes, std::size_t workspace_bytes,
                           ThreadPool& pool)
    : KernelMatrix(std::move(engine), numbers(examples, copies), cache_bytes, workspace_bytes,
                   pool) {}

KernelMatrix::KernelMatrix(std::shared_ptr<const RowEngine> engine,
                           std::vector<std::uint32_t> example, std::size_t cache_bytes,
                           std::size_t workspace_bytes, ThreadPool& pool)
    : engine_(std::move(engine)),
      cache_bytes_(cache_bytes),
      workspace_bytes_(workspace_bytes),
      example_(std::move(example)),
      examples_(count_of(example_)),
      copies_(copies_of(example_, examples_)),
      cache_(RowCache<float>(examples_, example_.size(), room_for_rows(cache_bytes, value_cost()))),
      pool_(pool),
      in_play_(example_.size()) {
  for (const std::uint32_t e : example_) is_exact_ = is_exact_ && engine_->is_exact(e);
}

double KernelMatrix::largest_value() const {
  if (largest_value_ < 0) largest_value_ = engine_->largest_value();
  return largest_value_;
}

std::unique_ptr<KernelMatrix> KernelMatrix::part(const std::vector<std::size_t>& variables) const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(variables.size());
  for (const std::size_t t : variables) numbers.push_back(example_[t]);
  std::vector<std::uint32_t> distinct = numbers;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (std::uint32_t& number : numbers) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), number);
    number = static_cast<std::uint32_t>(place - distinct.begin());
  }
  auto matrix =
      std::make_unique<KernelMatrix>(make_part_engine(engine_, std::move(distinct)),
                                     std::move(numbers), cache_bytes_, workspace_bytes_, pool_);
  const bool keeps_all =
      !in_doubles() && matrix->size() <= rows_within(static_cast<double>(cache_bytes_));
  if (!keeps_all || part_memory_.use_count() > 1) part_memory_.reset();
  if (keeps_all) {
    if (part_memory_ == nullptr) part_memory_ = std::make_shared<RowMemory<float>>();
    matrix->keep_all_rows(part_memory_);
  } else if (in_doubles()) {
    matrix->use_doubles();
  }
  matrix->spread_of_errors_ = spread_of_errors();
  matrix->set_poll(poll_);
  matrix->offer_rows_of_engine();
  return matrix;
}

void KernelMatrix::keep_all_rows(std::shared_ptr<RowMemory<float>> memory) {
  if (memory != nullptr) memory->reset(examples_, size());
  cache_.emplace<RowCache<float>>(examples_, size(),
                                  room_for_rows(cache_bytes_, value_cost(), true), memory.get());
  row_memory_ = std::move(memory);
}

void KernelMatrix::offer_rows(FillRows fill) {
  if (copies_ != 1 || in_doubles()) return;
  if (at_once_ && row_memory_ == nullptr) keep_all_rows(std::make_shared<RowMemory<float>>());
  offered_ = std::move(fill);
}

void KernelMatrix::offer_rows_of_engine() {
  if (offered_ || !engine_->gains_by_groups() || size() > engine_->pack_width()) return;
  const auto fill = [this](const std::vector<std::uint32_t>& examples, float* const* rows) {
    return compute_square(*engine_, examples, pool_, poll_, rows);
  };
  offer_rows(fill);
}

// Computing all rows at once takes as long as computing one in this many of them one by one. Values
// of much work, as those of usps and news20, read less memory for each row then; bytes, as those of
// mnist, hardly do.
std::size_t KernelMatrix::rows_at_once() const {
  constexpr double kMuchWork = 100;
  return value_work() > kMuchWork ? 8 : 2;
}

// Rows that were computed one by one stay where they are, and get the same values.
void KernelMatrix::fill_rows() {
  const FillRows fill = std::exchange(offered_, nullptr);
  auto& all = std::get<RowCache<float>>(cache_);
  all.use_all_room();
  if (!all.has_room_for_all()) return;
  std::vector<float*> rows;
  rows.reserve(size());
  for (const std::uint32_t e : example_) rows.push_back(all.get(e, size()).values);
  has_all_rows_ = fill(example_, rows.data());
  if (has_all_rows_) {
    rows_computed_ += static_cast<long long>(size());
  } else {  // some rows are not set
    retired_ = std::make_unique<RowCache<float>>(std::move(all));
    cache_.emplace<RowCache<float>>(examples_, size(), room_for_rows(cache_bytes_, value_cost()));
  }
}

std::size_t KernelMatrix::most_kept() const {
  return rows_within(2.0 * static_cast<double>(workspace_bytes_));
}

void KernelMatrix::use_doubles() {
  packed_.clear();  // packed by the previous engine
  packing_is_stale_ = true;
  offered_ = nullptr;  // floats
  has_all_rows_ = false;
  cache_.emplace<RowCache<double>>(examples_, example_.size(),
                                   room_for_rows(cache_bytes_, value_cost()));
}

const RowEngine& KernelMatrix::precise_engine() const {
  if (precise_ == nullptr) precise_ = engine_->precise();
  if (precise_ == nullptr) precise_ = engine_;
  return *precise_;
}

void KernelMatrix::set_in_play(std::size_t count) {
  in_play_ = count;
  packing_is_stale_ = true;
}

bool KernelMatrix::reserve_workspace(std::size_t bytes) {
  if (bytes > workspace_bytes_) return false;
  // A cache refuses only if it holds little more than two rows; that much memory does not matter.
  std::visit([bytes](auto& cache) { cache.reserve_workspace(bytes); }, cache_);
  return true;
}

KernelRow KernelMatrix::row(std::size_t i) {
  return in_doubles() ? KernelRow(row_of<double>(i)) : KernelRow(row_of<float>(i));
}

template <typename Value>
const Value* KernelMatrix::row_of(std::size_t i) {
  const std::size_t example = example_[i];
  if (offered_ && in_play_ == size() && !in_doubles() &&
      std::get<RowCache<float>>(cache_).known(example).length == 0 &&
      (at_once_ || rows_at_once() * ++wanted_rows_ > size())) {
    fill_rows();
  }
  const auto row = std::get<RowCache<Value>>(cache_).get(example, in_play_);
  if (row.from < in_play_) compute<Value>(example, row);
  return row.values;
}

void KernelMatrix::pack_in_play() {
  if (!packing_is_stale_) return;
  packing_is_stale_ = false;
  place_.clear();
  if (copies_ == 1) {
    pack(example_.data(), in_play_);
    return;
  }
  constexpr std::uint32_t kUnseen = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> place_of(examples_, kUnseen), distinct;
  for (std::size_t t = 0; t < in_play_; ++t) {
    std::uint32_t& place = place_of[example_[t]];
    if (place == kUnseen) {
      place = static_cast<std::uint32_t>(distinct.size());
      distinct.push_back(example_[t]);
    }
    place_.push_back(place);
  }
  pack(distinct.data(), distinct.size());
  if (packed_examples_ == in_play_) place_.clear();
}

void KernelMatrix::pack(const std::uint32_t* examples, std::size_t count) {
  const std::size_t width = engine().pack_width();
  packed_examples_ = count;
  packed_.resize((count + width - 1) / width);
  for (std::size_t begin = 0; begin < count; begin += width) {
    std::unique_ptr<PackedColumns>& part = packed_[begin / width];
    part = engine().pack(examples + begin, std::min(width, count - begin), std::move(part));
    if (poll_) poll_();
  }
}

template <typename Value>
void KernelMatrix::compute(std::size_t example, const typename RowCache<Value>::Row& row) {
  pack_in_play();
  // Reading the clock takes as long as computing a short row.
  const double expected = value_cost() * static_cast<double>(packed_examples_);
  const bool is_short = expected < kShortRowNanoseconds;
  const Clock::time_point start = is_short ? Clock::time_point() : Clock::now();
  const bool direct = place_.empty();
  auto& distinct_values = std::get<std::vector<Value>>(distinct_values_);
  if (!direct) distinct_values.resize(packed_examples_);
  Value* out = direct ? row.values : distinct_values.data();
  const std::size_t from = direct ? row.from : 0;
  const std::size_t pieces = std::max<std::size_t>(
      1, static_cast<std::size_t>(kPieceNanoseconds / value_cost()) / kLeastColumnPiece);
  const std::size_t first = from - from % kLeastBlock;
  const std::size_t count = packed_examples_ - first;
  const RowEngine& engine = this->engine();
  const std::size_t width = engine.pack_width();
  const SharedGoOn poll(poll_);
  pool_.for_chunks(count, even_piece(count, pieces * kLeastColumnPiece),
                   [&](std::size_t begin, std::size_t end) {
                     if (begin > 0) poll();  // short rows do not poll
                     for (std::size_t at = std::max(from, first + begin); at < first + end;) {
                       const std::size_t part = at / width;
                       const std::size_t next = std::min(first + end, (part + 1) * width);
                       engine.compute(example, *packed_[part], at - part * width,
                                      next - part * width, out + at);
                       at = next;
                     }
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
  seconds_ += is_short ? kSecondsPerNanosecond * expected : seconds_since(start);
  ++rows_computed_;
}

bool KernelMatrix::visit_blocks(const std::vector<Rows>& slices,
                                const std::vector<std::size_t>& columns, const Visit& visit) {
  if (columns.empty()) return true;
  return in_doubles() ? visit_blocks_of<double>(slices, columns, visit)
                      : visit_blocks_of<float>(slices, columns, visit);
}

template <typename Value>
bool KernelMatrix::visit_blocks_of(const std::vector<Rows>& slices,
                                   const std::vector<std::size_t>& columns, const Visit& visit) {
  const Clock::time_point start = Clock::now();
  auto& cache = std::get<RowCache<Value>>(cache_);
  const RowEngine& engine = this->engine();
  struct Wanted {
    std::size_t example;
    typename RowCache<Value>::Known known;
  };
  std::vector<Wanted> wanted;  // of all slices, in order
  std::size_t most_rows = 1;
  for (const Rows& rows : slices) {
    for (const std::size_t r : rows) {
      if (poll_ && wanted.size() % kRowsPerPoll == 0 && !poll_()) return false;
      cache.catch_up(example_[r]);
      wanted.push_back({example_[r], cache.known(example_[r])});
    }
    most_rows = std::max(most_rows, rows.size());
  }
  const std::size_t width = block_width<Value>(most_rows, wanted.size(), value_cost());
  const SharedGoOn go_on(poll_);
  const auto values_per_poll = static_cast<std::size_t>(kRowPollNanoseconds / value_cost());
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
    const std::unique_ptr<Value[]> values(new Value[most_rows * width]);
    const Wanted* next = wanted.data();
    std::size_t unpolled = 0;  // values since the thread last polled
    for (std::size_t s = 0; s < slices.size(); ++s) {
      Value* out = values.get();
      const Wanted* const end_of_slice = next + slices[s].size();
      while (next < end_of_slice) {
        unpolled += count;
        if (unpolled >= values_per_poll) {
          unpolled = 0;
          if (!go_on()) return;
        }
        const auto [example, known] = *next++;
        if (next < end_of_slice) engine.prefetch(next->example);
        if (known.length <= last) {
          if (packed == nullptr) packed = engine.pack(examples.data(), count, nullptr);
          engine.compute(example, *packed, 0, count, out);
          ++computed;
        } else if (in_one_piece) {
          std::copy_n(known.values + column[0], count, out);
        } else {
          for (std::size_t k = 0; k < count; ++k) out[k] = known.values[column[k]];
        }
        out += width;
      }
      visit({s, begin, end, static_cast<const Value*>(values.get()), width});
    }
  });
  // `computed` counts a row once per block.
  const std::size_t blocks = (columns.size() + width - 1) / width;
  rows_computed_ += static_cast<long long>((computed + blocks - 1) / blocks);
  seconds_ += seconds_since(start);
  return !go_on.is_stopped();
}

}  // namespace svm
