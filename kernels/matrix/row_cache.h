// Least recently used cache of kernel rows, within a given memory.
#ifndef SVM_KERNELS_MATRIX_ROW_CACHE_H_
#define SVM_KERNELS_MATRIX_ROW_CACHE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace svm {

// Writing rows to main memory costs about as much as computing cheap ones, so keeping rows that are
// not needed again does not pay.  A cache begins with `first` bytes.  While most misses are rows
// evicted earlier, each such miss raises the limit by `growth` rows.
struct CacheRoom {
  std::size_t bytes;  // limit of the rows held, but two whole rows always fit
  std::size_t first;  // initial limit, at least two whole rows
  std::size_t growth;
};

// Memory for the rows of one cache after another.  The system takes long to provide new memory.
template <typename Value>
class RowMemory {
 public:
  // Makes room for `rows` rows of `columns` values.  Rows that were taken before become invalid.
  // Throws std::bad_alloc.
  void reset(std::size_t rows, std::size_t columns) {
    // Rows whose distance is a power of two would compete for the same places of the caches.
    constexpr std::size_t kApart = 64 / sizeof(Value);
    stride_ = columns + kApart;
    taken_ = 0;
    if (rows * stride_ <= size_) return;
    const std::size_t size = std::max(rows * stride_, 4 * std::exchange(size_, 0));
    memory_.reset();
    memory_.reset(new Value[size]);  // uninitialised: what is not used is never touched
    size_ = size;
  }
  // The next row, or null if there is no room for it.
  Value* take() {
    if (stride_ > size_ - taken_) return nullptr;
    taken_ += stride_;
    return memory_.get() + (taken_ - stride_);
  }

 private:
  std::unique_ptr<Value[]> memory_;
  std::size_t size_ = 0, taken_ = 0, stride_ = 0;
};

// Rows have fixed numbers; columns can be exchanged.  What is cached never changes a result.
// Values are float or double.
template <typename Value>
class RowCache {
 public:
  // Takes rows from `memory`, which was reset for such rows and must outlive this, as long as it
  // has room.
  RowCache(std::size_t rows, std::size_t columns, const CacheRoom& room,
           RowMemory<Value>* memory = nullptr)
      : head_(rows), two_rows_(2 * columns), memory_(memory), growth_(room.growth) {
    const std::size_t bookkeeping = (rows + 1) * sizeof(Entry);
    const std::size_t rest = room.bytes > bookkeeping ? room.bytes - bookkeeping : 0;
    total_values_ = std::max(rest / sizeof(Value), two_rows_);
    room_values_ = std::min(std::max(room.first / sizeof(Value), two_rows_), total_values_);
  }

  struct Row {
    Value* values;     // `length` values; valid until the second get() after this one, or the next
                       // for the same row
    std::size_t from;  // values[0, from) are known; the caller fills in the rest
  };

  // Gives the first `length` columns of row i, which becomes the most recently used.  Throws
  // std::bad_alloc.
  Row get(std::size_t i, std::size_t length) {
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

  // Rows may take all of the memory from now on.
  void use_all_room() { room_values_ = total_values_; }
  // True if no row has to be dropped for another one.
  bool has_room_for_all() const {
    return head_ * (two_rows_ / 2) <= std::min(room_values_, total_values_);
  }

  // The known columns of row i.  Requires catch_up(i) since the last swap(); after that, several
  // threads may call it.  Does not count as a use.  Valid until the next call of another function.
  struct Known {
    const Value* values;
    std::size_t length;
  };
  Known known(std::size_t i) const {
    if (entries_.empty()) return {nullptr, 0};
    return {entries_[i].values.get(), entries_[i].length};
  }
  void catch_up(std::size_t i) {
    if (!entries_.empty()) catch_up(entries_[i]);
  }

  // Sets `bytes` of the memory aside for another use, instead of what was set aside before.
  // Returns false, and changes nothing, if that is more than half of it or leaves less than two
  // rows.
  bool reserve_workspace(std::size_t bytes) {
    const std::size_t values = bytes / sizeof(Value);
    if (values > total_values_ / 2 || total_values_ - values < two_rows_) return false;
    workspace_values_ = values;
    if (!entries_.empty()) make_room(0);
    return true;
  }

  // Exchanges columns a and b of every row.
  void swap(std::size_t a, std::size_t b) {
    if (a == b || entries_.empty()) return;
    if (swaps_.size() >= kMostSwaps) forget_swaps();
    swaps_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }

 private:
  static constexpr std::size_t kMostSwaps = 4096;
  // The excess of evicted rows over new ones that raises the limit.
  static constexpr int kManyMore = 16;

  struct Deleter {
    bool owns = true;
    void operator()(Value* values) const {
      if (owns) delete[] values;
    }
  };
  using Values = std::unique_ptr<Value[], Deleter>;
  struct Entry {
    Values values;
    std::size_t length = 0;    // known values
    std::size_t capacity = 0;  // 0 if the row is not cached
    std::size_t swaps = 0;     // number of swaps_ that this row has applied
    std::size_t previous = 0, next = 0;
    bool dropped = false;
  };

  // Takes a whole row of the memory, or else allocates `length` values.  They are uninitialised:
  // every value is computed before it is read.
  Values new_row(std::size_t& length) {
    Value* const row = memory_ == nullptr ? nullptr : memory_->take();
    if (row == nullptr) return Values(new Value[length]);
    length = two_rows_ / 2;
    return Values(row, Deleter{false});
  }

  void link_last(std::size_t i) {
    entries_[i].previous = entries_[head_].previous;
    entries_[i].next = head_;
    entries_[entries_[i].previous].next = i;
    entries_[head_].previous = i;
  }

  void unlink(std::size_t i) {
    entries_[entries_[i].previous].next = entries_[i].next;
    entries_[entries_[i].next].previous = entries_[i].previous;
  }

  void drop(std::size_t i) {
    Entry& entry = entries_[i];
    unlink(i);
    used_values_ -= entry.capacity;
    entry.values.reset();
    entry.length = entry.capacity = 0;
    entry.dropped = true;
  }

  void make_room(std::size_t values) {
    const std::size_t room = std::min(room_values_, total_values_ - workspace_values_);
    while (used_values_ + values > room && entries_[head_].next != head_) {
      drop(entries_[head_].next);
    }
  }

  void note_miss(Entry& entry, std::size_t values) {
    if (!std::exchange(entry.dropped, false)) {
      surplus_returns_ = std::max(surplus_returns_ - 1, 0);
    } else if (++surplus_returns_ > kManyMore) {
      surplus_returns_ = kManyMore;
      room_values_ = std::min(room_values_ + growth_ * values, total_values_);
    }
  }

  void catch_up(Entry& entry) {
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
  void forget_swaps() {
    for (Entry& entry : entries_) {
      catch_up(entry);
      entry.swaps = 0;
    }
    swaps_.clear();
  }

  // One per row, and the head of the ring of cached rows.  Empty until a row is wanted: matrices of
  // many rows are often asked for sums only.
  std::vector<Entry> entries_;
  const std::size_t head_;
  const std::size_t two_rows_;  // in values
  RowMemory<Value>* memory_;    // may be null
  const std::size_t growth_;
  std::size_t total_values_ = 0;
  std::size_t room_values_ = 0;  // limit for rows, within the total
  std::size_t used_values_ = 0;  // used by rows
  std::size_t workspace_values_ = 0;
  int surplus_returns_ = 0;  // recent misses of evicted rows, less those of new rows
  // Exchanges of columns, applied to a row when it is next used.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> swaps_;
};

}  // namespace svm

#endif  // SVM_KERNELS_MATRIX_ROW_CACHE_H_
