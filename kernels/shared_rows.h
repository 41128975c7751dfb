// One data set, many trainings on parts of it: class pairs, folds, costs.
#ifndef SVM_KERNELS_SHARED_ROWS_H_
#define SVM_KERNELS_SHARED_ROWS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "kernels/row_engine.h"

namespace svm {

// The examples are read once, and kernel rows over the whole data set are computed once, as far as
// the memory allows.  Engines over parts of the data pick their values from these rows, and
// compute those that are not kept.  Threads can share it.
class SharedRows {
 public:
  // `engine` is one for all rows.  `bytes` bounds the rows kept.  The rows must outlive this, and
  // this the engines it gives.
  SharedRows(std::unique_ptr<RowEngine> engine, const svm_node* const* rows, std::size_t count,
             std::size_t bytes);
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  // An engine for some of the rows, told by their addresses.
  std::unique_ptr<RowEngine> engine(const svm_node* const* rows, std::size_t count);

  // Memory that the rows kept may come to take.
  std::size_t bytes() const { return bytes_; }

 private:
  class PartEngine;
  struct Columns;

  enum State : std::uint8_t { kAbsent, kInTheMaking, kKept };

  // The row over the whole data set; null where it is not kept, or not yet.
  const float* whole_row(std::uint32_t example);
  bool take_room();

  const std::unique_ptr<RowEngine> engine_;
  std::unordered_map<const svm_node*, std::uint32_t> number_;  // of each row
  std::once_flag packed_once_;
  std::unique_ptr<PackedColumns> all_columns_;
  std::vector<std::unique_ptr<float[]>> kept_;  // of each row; written by who makes it
  std::vector<std::atomic<std::uint8_t>> state_;
  std::atomic<std::size_t> rows_left_{0};  // that may still be kept
  std::size_t bytes_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_SHARED_ROWS_H_
