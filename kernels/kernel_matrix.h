// The kernel matrix over the variables of a dual problem: rows on demand, cached, in the solver's
// order of the variables.  Values carry no label signs.
#ifndef SVM_KERNELS_KERNEL_MATRIX_H_
#define SVM_KERNELS_KERNEL_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/row_cache.h"
#include "kernels/row_engine.h"
#include "threads/pool.h"

namespace svm {

class KernelMatrix {
 public:
  // With `copies` 2, variables t and t + examples both stand for example t (regression); with 1,
  // variable t is example t.  `cache_bytes` bounds the rows kept; `aside_bytes`, at most half of
  // it, what the solver may take of that.  Other matrices may have the same engine.  `pool` must
  // outlive the matrix.
  KernelMatrix(std::shared_ptr<const RowEngine> engine, std::size_t examples, std::size_t copies,
               std::size_t cache_bytes, std::size_t aside_bytes, ThreadPool& pool);

  std::size_t copies() const { return copies_; }
  std::size_t example(std::size_t i) const { return example_[i]; }

  // Number of variables.
  std::size_t size() const { return example_.size(); }

  // Values of row i for the variables in play.  Valid until the next but one call.
  const float* row(std::size_t i);

  // Value (i, i) in double.
  double diagonal(std::size_t i) const { return engine_->diagonal(example_[i]); }

  // Is value (i, j) always value (j, i)?
  bool is_symmetric() const { return engine_->is_symmetric(); }

  // Exchanges variables i and j.  To be followed by set_in_play before a row is asked for.
  void swap(std::size_t i, std::size_t j) {
    std::swap(example_[i], example_[j]);
    cache_.swap(i, j);
  }

  // From now on variables [0, count) are in play; at first all are.
  void set_in_play(std::size_t count);

  // Values of many rows at many columns, beside the cache but with the help of what it knows.
  // The columns are cut into blocks, which several threads visit at once; each block goes through
  // the slices, which are lists of rows, in their order.  Rows and columns are variables; a slice
  // and `columns` have no repetitions.
  struct Block {
    std::size_t slice;
    std::size_t begin, end;  // the block is columns[begin, end)
    const float* values;     // of slices[slice][r] and columns[begin + k], at r * stride + k
    std::size_t stride;
  };
  using Rows = std::vector<std::size_t>;
  void visit_blocks(const std::vector<Rows>& slices, const std::vector<std::size_t>& columns,
                    const std::function<void(const Block&)>& visit);

  // Takes so many bytes of the cache's memory for the solver's own use, instead of what it took
  // before.  False, and nothing changes, where that is more than `aside_bytes`.
  bool set_aside(std::size_t bytes);

  // Rows computed so far, whole or in part, and the time that took.
  long long rows_computed() const { return rows_computed_; }
  double seconds() const { return seconds_; }

 private:
  void compute(std::size_t example, const RowCache::Row& row);
  void pack_in_play();

  const std::shared_ptr<const RowEngine> engine_;
  const std::size_t aside_bytes_;
  RowCache cache_;
  ThreadPool& pool_;
  const std::size_t copies_;
  std::vector<std::uint32_t> example_;  // of each variable
  std::size_t in_play_;
  // Examples in play, each once, packed as columns for the engine.
  std::unique_ptr<PackedColumns> packed_;
  std::size_t packed_examples_ = 0;
  bool packing_is_stale_ = true;
  std::vector<std::uint32_t> place_;    // of each variable's example; empty where it is its own
  std::vector<float> distinct_values_;  // of a row, before they are spread over the variables

  long long rows_computed_ = 0;
  double seconds_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_MATRIX_H_
