// Rows of kernel values over a whole data set.  Each is computed once and kept, as far as a budget
// allows.
#ifndef SVM_KERNELS_ENGINES_ROW_STORE_H_
#define SVM_KERNELS_ENGINES_ROW_STORE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/platform/bits.h"
#include "base/threads/go_on.h"
#include "base/threads/primitives.h"
#include "kernels/engines/row_engine.h"
#include "kernels/exact_sums.h"

namespace svm {

// A symmetric matrix of floats in half of its memory.
// Holds the values (i, j) with j <= i in blocks of 4 by 4, which are a cache line each, so that a
// row passes few lines of the blocks that it crosses as a column.
class PackedTriangle {
 public:
  // The memory for a matrix of `count` rows, in bytes.
  static std::size_t bytes(std::size_t count) {
    return start((count + kSide - 1) / kSide) * sizeof(float);
  }

  // All values are to be set.  Throws std::bad_alloc.
  explicit PackedTriangle(std::size_t count) : values_(new float[bytes(count) / sizeof(float)]) {}

  // Sets the values (begin + r, j) = rows[r][j], for begin + r < end and j <= begin + r.  `begin`
  // is a multiple of 4; threads may set different rows at the same time.
  void set_rows(std::size_t begin, std::size_t end, const float* const* rows) {
    for (std::size_t i = begin; i < end; ++i) {
      float* const out = values_.get() + start(i / kSide) + i % kSide * kSide;
      const float* const row = rows[i - begin];
      for (std::size_t j = 0; j <= i; ++j) out[j / kSide * kBlock + j % kSide] = row[j];
    }
  }

  // out[k] = value (row, columns[k]), for k < count.
  void copy(std::size_t row, const std::uint32_t* columns, std::size_t count, float* out) const {
    constexpr std::size_t kAhead = 64;  // columns whose values are asked for ahead
    const std::size_t band = row / kSide, place = row % kSide;
    const float* const along = values_.get() + start(band) + place * kSide;
    const float* const across = values_.get() + band * kBlock + place;
    const auto find = [&](std::size_t column) {
      const std::size_t block = column / kSide;
      return column <= row ? along + block * kBlock + column % kSide
                           : across + start(block) + column % kSide * kSide;
    };
    for (std::size_t k = 0; k < count;) {
      const std::size_t column = columns[k], block = column / kSide;
      if (k + kAhead < count) platform::prefetch(find(columns[k + kAhead]));
      if (block < band && is_block(columns, k, count)) {
        std::copy_n(along + block * kBlock, kSide, out + k);
        k += kSide;
      } else if (block > band && is_block(columns, k, count)) {
        const float* const values = across + start(block);
        for (std::size_t c = 0; c < kSide; ++c) out[k + c] = values[c * kSide];
        k += kSide;
      } else {
        out[k++] = *find(column);
      }
    }
  }

 private:
  static constexpr std::size_t kSide = 4, kBlock = kSide * kSide;

  // The first value of block row `band`, whose blocks are those of columns 0 to 4 band.
  static std::size_t start(std::size_t band) { return kBlock * (band * (band + 1) / 2); }

  // True if the columns from k on are the four of a block.
  static bool is_block(const std::uint32_t* columns, std::size_t k, std::size_t count) {
    if (k + kSide > count || columns[k] % kSide != 0) return false;
    for (std::uint32_t c = 1; c < kSide; ++c) {
      if (columns[k + c] != columns[k] + c) return false;
    }
    return true;
  }

  std::unique_ptr<float[]> values_;
};

// Memory for kept rows, which several stores may share.  Thread-safe.
class RowBudget {
 public:
  // `elsewhere` of the bytes are permanently used for something other than rows.
  explicit RowBudget(std::size_t bytes, std::size_t elsewhere = 0)
      : total_(bytes), elsewhere_(elsewhere), left_(bytes - elsewhere) {}

  std::size_t total() const { return total_; }
  std::size_t for_rows() const { return total_ - elsewhere_; }
  bool has(std::size_t bytes) const { return left_ >= bytes; }
  bool take(std::size_t bytes);  // false, and takes nothing, if less is left
  void give_back(std::size_t bytes) { left_ += bytes; }

 private:
  const std::size_t total_, elsewhere_;
  std::atomic<std::size_t> left_;
};

// Rows and columns have the numbers of the engine's examples.  A kept row stays as long as the
// store.  Thread-safe.
//
// Whether a row is kept may depend on timing, but results do not: a value has the same bits whether
// it is taken from a kept row, computed alone, or computed for a fused sum, and the terms of a
// fused sum are added in the same order by the same operations (RowEngine::add_sums).
class RowStore {
 public:
  // Example i of `engine` is row order[i] of the data set, and each row is one example.  Rows are
  // kept in this order, so that trainings on stretches of it copy stretches.  Nothing is kept if
  // `keeps` is false or the budget is smaller than a row.  Throws Interrupted if `go_on` returns
  // false.
  RowStore(std::shared_ptr<const RowEngine> engine, const std::vector<std::uint32_t>& order,
           std::shared_ptr<RowBudget> budget, bool keeps, const GoOn& go_on = nullptr);
  ~RowStore();
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;

  const RowEngine& engine() const { return *engine_; }
  // Bounds of the rows; null if they were not given.
  const RowExtent* extent() const { return extent_ ? &*extent_ : nullptr; }
  void set_extent(const std::optional<RowExtent>& extent) { extent_ = extent; }
  // The example of a row of the data set, which must be in the order.
  std::uint32_t example(std::uint32_t row) const { return example_[row]; }
  std::size_t size() const { return rows_.size(); }
  const RowBudget& budget() const { return *budget_; }

  // The row of an example if it is kept, else null.
  const float* kept(std::size_t example) const {
    return state_[example] == kKept ? rows_[example].get() : nullptr;
  }

  // The row of an example; computed and kept unless it already is.  Null if there is no memory for
  // it, or if another thread is computing it.
  const float* row(std::size_t example);

  // Computes and keeps the rows that are absent, as far as there is memory.  That costs less than
  // one by one.
  void keep(const std::uint32_t* examples, std::size_t count);

  // Computes and keeps all values, if no row is kept yet and there is memory for them: half of the
  // values, many rows at a time, and the other half by symmetry.  If there is memory for half of
  // the values only, and they cost much more than fetching them, they are kept as a triangle.
  // Threads that call it at the same time share the work, and all of them return when it is done;
  // later calls return at once.  No row may be asked for meanwhile.  Throws Interrupted if `go_on`
  // returns false.
  void keep_all(const GoOn& go_on);
  // True if that was done.
  bool has_all() const { return has_all_; }
  // All values, if they are kept as a triangle, else null.  No row is kept then.
  const PackedTriangle* triangle() const { return has_all_ ? triangle_.get() : nullptr; }

 private:
  enum State : std::uint8_t { kAbsent, kInTheMaking, kKept };

  std::size_t row_bytes() const { return size() * sizeof(float); }
  bool claim(std::size_t example);
  void claim_all();
  void claim_triangle();
  void compute_part_of_all(std::size_t begin, std::size_t end);
  void give_up(std::size_t example);
  void compute(const std::vector<std::uint32_t>& claimed);

  const std::shared_ptr<const RowEngine> engine_;
  std::optional<RowExtent> extent_;
  std::vector<std::uint32_t> example_;                  // of each row of the data set
  std::vector<std::unique_ptr<PackedColumns>> packed_;  // all examples, by the engine's width
  std::vector<std::unique_ptr<float[]>> rows_;          // written by the thread that claimed a row
  std::vector<std::atomic<std::uint8_t>> state_;        // of each row
  const std::shared_ptr<RowBudget> budget_;
  std::atomic<std::size_t> taken_{0};  // bytes taken from the budget
  // keep_all() uses these.
  OnceFlag once_, finished_;
  std::vector<float*> all_;  // the rows; empty if they are not made together
  std::unique_ptr<PackedTriangle> triangle_;
  JoinedLoop loop_;
  std::atomic<bool> has_all_{false};
};

// True if a value of this engine costs more to compute than to fetch from a kept row.
bool are_worth_keeping(const RowEngine& engine);

// A store of kernel rows that trainings share, with a budget of its own: as many rows as `bytes`
// hold, no more than there are, and none if values are cheap.
std::shared_ptr<RowStore> make_shared_rows(std::shared_ptr<const RowEngine> engine,
                                           const std::vector<std::uint32_t>& order,
                                           std::size_t bytes, const GoOn& go_on = nullptr);

// An engine for some examples of another one, in any order: example k of the part is example
// numbers[k] of `engine`.
std::shared_ptr<const RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                                  std::vector<std::uint32_t> numbers);

// Example k of the part is row rows[k] of the store's data set.  The engine takes values from kept
// rows and keeps the rows that it computes; without memory to keep them, it computes only the
// values requested.  The store must outlive it.
std::shared_ptr<const RowEngine> make_part_engine(RowStore& store, std::vector<std::uint32_t> rows);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ROW_STORE_H_
