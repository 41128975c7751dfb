// One data set, many trainings on parts of it: class pairs, folds, costs.
#ifndef SVM_KERNELS_ENGINES_SHARED_ROWS_H_
#define SVM_KERNELS_ENGINES_SHARED_ROWS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "kernels/engines/row_engine.h"

namespace svm {

// Memory for kept rows, which several data sets or kernels may share.  Threads can share it.
class RowBudget {
 public:
  explicit RowBudget(std::size_t bytes) : total_(bytes), left_(bytes) {}

  std::size_t total() const { return total_; }
  bool has(std::size_t bytes) const { return left_ >= bytes; }
  bool take(std::size_t bytes);  // false where so much is not left
  void give_back(std::size_t bytes) { left_ += bytes; }

 private:
  const std::size_t total_;
  std::atomic<std::size_t> left_;
};

// The examples are read once, and kernel rows over the whole data set are computed once, as far as
// the memory allows.  Engines over parts of the data pick their values from these rows, and
// compute those that are not kept.  Threads can share it.
class SharedRows {
 public:
  // `engine` is one for all rows.  `bytes` bounds the rows kept.  The rows must outlive this, and
  // this the engines it gives.  Throws Interrupted where `go_on` says so.
  SharedRows(std::shared_ptr<const RowEngine> engine, const svm_node* const* rows,
             std::size_t count, std::size_t bytes, const GoOn& go_on = nullptr);
  SharedRows(std::shared_ptr<const RowEngine> engine, const svm_node* const* rows,
             std::size_t count, std::shared_ptr<RowBudget> budget, const GoOn& go_on = nullptr);
  ~SharedRows();
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  // An engine for some of the rows, told by their addresses.  Throws Interrupted where `go_on` says
  // so.
  std::unique_ptr<RowEngine> engine(const svm_node* const* rows, std::size_t count,
                                    const GoOn& go_on = nullptr);

  // Memory that the rows kept may come to take, those of others with the same budget included.
  std::size_t bytes() const { return keeps_rows_ ? budget_->total() : 0; }

 private:
  class PartEngine;
  struct Columns;

  enum State : std::uint8_t { kAbsent, kInTheMaking, kKept };

  // The row over the whole data set; null where it is not kept, or not yet.
  const float* whole_row(std::uint32_t example);
  void pack_all(const GoOn& go_on);
  std::size_t row_bytes() const { return kept_.size() * sizeof(float); }

  const std::shared_ptr<const RowEngine> engine_;
  std::unordered_map<const svm_node*, std::uint32_t> number_;  // of each row
  std::vector<std::unique_ptr<PackedColumns>> all_columns_;    // in parts of the engine's width
  std::vector<std::unique_ptr<float[]>> kept_;  // of each row; written by who makes it
  std::vector<std::atomic<std::uint8_t>> state_;
  const std::shared_ptr<RowBudget> budget_;
  std::atomic<std::size_t> taken_{0};  // bytes of it
  const bool keeps_rows_;              // else they are cheaper to compute
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SHARED_ROWS_H_
