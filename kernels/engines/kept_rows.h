// Rows over a whole data set that are made once, and kept as far as a budget allows.
#ifndef SVM_KERNELS_ENGINES_KEPT_ROWS_H_
#define SVM_KERNELS_ENGINES_KEPT_ROWS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "simd/loops.h"

namespace svm {

// Memory for kept rows, which several data sets or kernels may share.  Threads can share it.
class RowBudget {
 public:
  // `elsewhere` bytes of it are taken for good by what is no row.
  explicit RowBudget(std::size_t bytes, std::size_t elsewhere = 0)
      : total_(bytes), elsewhere_(elsewhere), left_(bytes - elsewhere) {}

  std::size_t total() const { return total_; }
  std::size_t elsewhere() const { return elsewhere_; }
  bool has(std::size_t bytes) const { return left_ >= bytes; }
  bool take(std::size_t bytes);  // false where so much is not left
  void give_back(std::size_t bytes) { left_ += bytes; }

 private:
  const std::size_t total_, elsewhere_;
  std::atomic<std::size_t> left_;
};

// Threads can share it.
template <typename Value>
class KeptRows {
 public:
  // Rows of `count` values, for as many examples.
  KeptRows(std::size_t count, std::shared_ptr<RowBudget> budget)
      : kept_(count), state_(count), budget_(std::move(budget)) {
    for (std::atomic<std::uint8_t>& state : state_) state = kAbsent;
  }
  ~KeptRows() { budget_->give_back(taken_); }
  KeptRows(const KeptRows&) = delete;
  KeptRows& operator=(const KeptRows&) = delete;

  std::size_t size() const { return kept_.size(); }
  std::size_t row_bytes() const { return kept_.size() * sizeof(Value); }
  const RowBudget& budget() const { return *budget_; }

  bool is_in_the_making(std::size_t example) const { return state_[example] != kAbsent; }

  // The row of an example; make(values) is called where there is none yet.  Null where it is in the
  // making by another thread, or there is no memory for it.
  template <typename Make>
  const Value* row(std::size_t example, const Make& make) {
    std::atomic<std::uint8_t>& state = state_[example];
    if (state == kKept) return kept_[example].get();
    std::uint8_t absent = kAbsent;
    if (!budget_->has(row_bytes()) || !state.compare_exchange_strong(absent, kInTheMaking)) {
      return nullptr;
    }
    if (!budget_->take(row_bytes())) {
      state = kAbsent;
      return nullptr;
    }
    const auto give_up = [&] {
      kept_[example].reset();
      budget_->give_back(row_bytes());
      state = kAbsent;
    };
    kept_[example].reset(new (std::nothrow) Value[size()]);
    if (kept_[example] == nullptr) {
      give_up();
      return nullptr;
    }
    try {
      make(kept_[example].get());
    } catch (...) {
      give_up();
      throw;
    }
    taken_ += row_bytes();
    state = kKept;
    return kept_[example].get();
  }

 private:
  enum State : std::uint8_t { kAbsent, kInTheMaking, kKept };

  std::vector<std::unique_ptr<Value[]>> kept_;  // of each example; written by who makes it
  std::vector<std::atomic<std::uint8_t>> state_;
  const std::shared_ptr<RowBudget> budget_;
  std::atomic<std::size_t> taken_{0};  // bytes of it
};

// Places in a row, in the order of some columns.  Those of a training part whose examples stand in
// the order of the data set are few runs, until a solver exchanges variables.
class RowPlaces {
 public:
  RowPlaces() = default;
  explicit RowPlaces(std::vector<std::uint32_t> places);

  const std::vector<std::uint32_t>& all() const { return places_; }

  // out[k - from] = row[place of column k], for from <= k < to.
  void copy(const float* row, std::size_t from, std::size_t to, float* out) const;
  void copy(const double* row, std::size_t from, std::size_t to, double* out) const;

 private:
  // Columns [end of the run before, end) have the places first, first + 1, ...
  struct Run {
    std::size_t end;
    std::uint32_t first;
  };
  template <typename Value>
  void copy_runs(const Value* row, std::size_t from, std::size_t to, Value* out) const;

  std::vector<std::uint32_t> places_;
  std::vector<Run> runs_;  // none where they would be too many
  const Loops* loops_ = &loops(instruction_set());
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_KEPT_ROWS_H_
