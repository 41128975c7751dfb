// The kernel matrix over the variables of a dual problem: rows on demand, cached, in the solver's
// order of the variables.  Values carry no label signs.
#ifndef SVM_KERNELS_MATRIX_KERNEL_MATRIX_H_
#define SVM_KERNELS_MATRIX_KERNEL_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/matrix/column_sums.h"
#include "kernels/matrix/row_cache.h"
#include "simd/loops.h"
#include "threads/go_on.h"
#include "threads/pool.h"

namespace svm {

class KernelMatrix {
 public:
  enum class Precision { kSingle, kDouble };

  // With `copies` 2, variables t and t + examples both stand for example t (regression); with 1,
  // variable t is example t.  `cache_bytes` bounds the rows kept, which changes no result.
  // `workspace_bytes`, at most half of it, bounds what the solver may take of that, and solvers
  // decide by it: it must not depend on the number of threads.  Other matrices may have the same
  // engine.  `pool` must outlive the matrix.
  KernelMatrix(std::shared_ptr<const RowEngine> engine, std::size_t examples, std::size_t copies,
               std::size_t cache_bytes, std::size_t workspace_bytes, ThreadPool& pool);
  // The same where variable t stands for example[t]; two variables at most for one example.
  KernelMatrix(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> example,
               std::size_t cache_bytes, std::size_t workspace_bytes, ThreadPool& pool);

  // A matrix over these variables, with as much memory, the same poll function and the same
  // precision.  It keeps all of its rows if they fit into that memory as floats.
  std::unique_ptr<KernelMatrix> part(const std::vector<std::size_t>& variables) const;

  // From now on values are doubles, not rounded to float, of the engine that has all bits.  Drops
  // what is cached.
  void use_doubles();
  bool in_doubles() const { return cache_.index() == 1; }
  Precision precision() const { return in_doubles() ? Precision::kDouble : Precision::kSingle; }

  // Asked now and then while rows are computed, on the thread that wants them.  False ends
  // visit_blocks(); a single row is finished whatever the answer.  Null, as at first: never.
  void set_poll(GoOn poll) { poll_ = std::move(poll); }

  // The most variables of an example: 1 or 2.
  std::size_t copies() const { return copies_; }
  std::size_t example(std::size_t i) const { return example_[i]; }

  // Number of variables.
  std::size_t size() const { return example_.size(); }

  // Values of row i for the variables in play.  Valid until the next but one call.
  KernelRow row(std::size_t i);

  // Value (i, i) in double.
  double diagonal(std::size_t i) const { return engine_->diagonal(example_[i]); }

  // Are no values changed by rounding them to float?
  bool is_exact() const { return is_exact_; }

  // Of an engine; found when it is first asked for.
  double largest_value() const;

  // Is value (i, j) always value (j, i)?
  bool is_symmetric() const { return engine_->is_symmetric(); }

  // Exchanges variables i and j.  To be followed by set_in_play before a row is asked for.
  void swap(std::size_t i, std::size_t j) {  // NOLINT(bugprone-exception-escape): not of matrices
    std::swap(example_[i], example_[j]);
    if (auto* floats = std::get_if<RowCache<float>>(&cache_)) floats->swap(i, j);
    if (auto* doubles = std::get_if<RowCache<double>>(&cache_)) doubles->swap(i, j);
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
    KernelRow values;        // of slices[slice][r] and columns[begin + k], at r * stride + k
    std::size_t stride;
  };
  using Rows = std::vector<std::size_t>;
  using Visit = std::function<void(const Block&)>;
  // False where the poll function said so before all was visited.
  bool visit_blocks(const std::vector<Rows>& slices, const std::vector<std::size_t>& columns,
                    const Visit& visit);

  // sums[k] += sum over r of factors[r] K(rows[r], columns[k]), by RowEngine::add_sums or, in
  // doubles, add_precise_sums: values are not kept, and terms of a sum are added in an order that
  // is none of LIBSVM's.  False where the poll function said so before all was added.
  bool add_sums(const Rows& rows, const std::vector<double>& factors,
                const std::vector<std::size_t>& columns, Precision precision, double* sums);
  bool add_sums(const Rows& rows, const std::vector<double>& factors,
                const std::vector<std::size_t>& columns, double* sums) {
    return add_sums(rows, factors, columns, precision(), sums);
  }
  // The same over all rows, in their order, with a weight for each variable; 0 costs nothing.
  bool add_sums(const std::vector<double>& weights, const std::vector<std::size_t>& columns,
                Precision precision, double* sums);

  // The same over columns that are kept from sum to sum, for rows told as examples.
  bool add_sums(const std::vector<std::uint32_t>& rows, const std::vector<double>& factors,
                ColumnSums& columns, double* sums);

  // The engine behind the values.
  const RowEngine& engine() const { return in_doubles() ? precise_engine() : *engine_; }
  const RowEngine& precise_engine() const;

  // Variables of a part whose rows all fit into twice the workspace.  Solvers may decide by it.
  std::size_t most_kept() const;

  // Takes so many bytes of the cache's memory for the solver's own use, instead of what it took
  // before.  False, and nothing changes, where that is more than `workspace_bytes`.
  bool reserve_workspace(std::size_t bytes);

  // See RowEngine.
  double rounding() const { return engine_->rounding(); }
  double value_cost() const { return engine_->value_cost(); }

  // Rows computed so far, whole or in part, and the time that took.
  long long rows_computed() const { return rows_computed_; }
  double seconds() const { return seconds_; }

 private:
  template <typename Value>
  const Value* row_of(std::size_t i);
  template <typename Value>
  void compute(std::size_t example, const typename RowCache<Value>::Row& row);
  template <typename Value>
  bool visit_blocks_of(const std::vector<Rows>& slices, const std::vector<std::size_t>& columns,
                       const Visit& visit);
  void pack_in_play();
  void pack(const std::uint32_t* examples, std::size_t count);

  const std::shared_ptr<const RowEngine> engine_;
  mutable std::shared_ptr<const RowEngine> precise_;  // made when first needed; may be engine_
  std::size_t cache_bytes_;
  const std::size_t workspace_bytes_;
  std::vector<std::uint32_t> example_;  // of each variable
  std::size_t examples_ = 0;            // one more than the largest of them
  std::size_t copies_ = 1;
  bool is_exact_ = true;
  mutable double largest_value_ = -1;  // not known yet
  std::variant<RowCache<float>, RowCache<double>> cache_;
  ThreadPool& pool_;
  GoOn poll_;
  std::size_t in_play_;
  // Examples in play, each once, packed as columns for the engine: in parts of its pack_width().
  std::vector<std::unique_ptr<PackedColumns>> packed_;
  std::size_t packed_examples_ = 0;
  bool packing_is_stale_ = true;
  std::vector<std::uint32_t> place_;  // of each variable's example; empty where it is its own
  // Of a row, before they are spread over the variables.
  std::tuple<std::vector<float>, std::vector<double>> distinct_values_;

  long long rows_computed_ = 0;
  double seconds_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_MATRIX_KERNEL_MATRIX_H_
