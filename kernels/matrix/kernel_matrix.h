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

#include "base/simd/loops.h"
#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_places.h"
#include "kernels/matrix/column_sums.h"
#include "kernels/matrix/row_cache.h"

namespace svm {

class KernelMatrix {
 public:
  // With `copies` 2, variables t and t + examples both stand for example t (regression); with 1,
  // variable t is example t.  `cache_bytes` bounds the rows kept, which changes no result.
  // `workspace_bytes`, at most half of it, bounds what the solver may take of that memory; solvers
  // decide by it, so it must not depend on the number of threads.  Matrices may share an engine.
  // `pool` must outlive the matrix.
  KernelMatrix(std::shared_ptr<const RowEngine> engine, std::size_t examples, std::size_t copies,
               std::size_t cache_bytes, std::size_t workspace_bytes, ThreadPool& pool);
  // The same with variable t standing for example[t].  An example has two variables at most.
  KernelMatrix(std::shared_ptr<const RowEngine> engine, std::vector<std::uint32_t> example,
               std::size_t cache_bytes, std::size_t workspace_bytes, ThreadPool& pool);

  // A matrix over these variables, with the same limits of memory, poll function and precision.  It
  // keeps all of its rows if they fit into `cache_bytes` as floats.
  // The memory of these rows is kept for the next part.
  std::unique_ptr<KernelMatrix> part(const std::vector<std::size_t>& variables) const;
  void free_part_memory() { part_memory_.reset(); }

  // Switches to values in doubles, of the precise engine, and drops all cached rows.
  void use_doubles();
  bool in_doubles() const { return cache_.index() == 1; }
  Precision precision() const { return in_doubles() ? Precision::kDouble : Precision::kSingle; }

  // Sets a function that is called now and then while rows are computed, on the thread that wants
  // them.  If it returns false, visit_blocks() and add_sums() end early; a single row is always
  // finished.  Initially null: no calls.
  void set_poll(GoOn poll) { poll_ = std::move(poll); }

  // Offers a function that computes all rows at once, which sets rows[i][k] to the value of
  // examples[i] and examples[k], and returns false if the poll function ended it early.  It is used
  // for the first row that is wanted, unless examples have two variables, or the cache has no room
  // for all rows.  To be called before the first row().
  using FillRows =
      std::function<bool(const std::vector<std::uint32_t>& examples, float* const* rows)>;
  void offer_rows(FillRows fill);
  // Offers to compute them by the engine, many rows at a time, if nothing was offered, and if that
  // costs less than many rows one by one.
  void offer_rows_of_engine();
  // Puts offers off until some part of the rows have been wanted, which take as long as all at
  // once: easy problems need few.  To be called before anything is offered.
  void put_off_offers() { at_once_ = false; }
  // True if all rows were computed at once, or will be when one is wanted.
  bool has_all_rows() const { return has_all_rows_ || (offered_ && at_once_); }

  // The largest number of variables of an example: 1 or 2.
  std::size_t copies() const { return copies_; }
  std::size_t examples() const { return examples_; }  // the largest example + 1
  std::size_t example(std::size_t i) const { return example_[i]; }

  // Number of variables.
  std::size_t size() const { return example_.size(); }

  // Values of row i for the variables in play.  Valid until the second call after this one.
  KernelRow row(std::size_t i);

  // Value (i, i) in double.
  double diagonal(std::size_t i) const { return engine_->diagonal(example_[i]); }

  // True if rounding to float changes no value.
  bool is_exact() const { return is_exact_; }

  // RowEngine::largest_value(), computed on first use.
  double largest_value() const;

  // The part of sum over t of w_t^2 K(t, t) that counts in the squared error of sums of the terms
  // w_t K(s, t), whose errors are in proportion to these values: the mean of K(s, t)^2 over t,
  // relative to K(s, s) K(t, t), estimated by some rows s.  1 if errors are not in proportion, if
  // the matrix is small, or if diagonals do not bound values.
  double spread_of_errors() const;

  // True if value (i, j) is always value (j, i).
  bool is_symmetric() const { return engine_->is_symmetric(); }

  // Exchanges variables i and j.  Call set_in_play() before the next row().
  void swap(std::size_t i, std::size_t j) {  // NOLINT(bugprone-exception-escape): not of matrices
    std::swap(example_[i], example_[j]);
    if (auto* floats = std::get_if<RowCache<float>>(&cache_)) floats->swap(i, j);
    if (auto* doubles = std::get_if<RowCache<double>>(&cache_)) doubles->swap(i, j);
  }

  // Puts variables [0, count) in play.  Initially all are.
  void set_in_play(std::size_t count);

  // Visits the values of many rows at many columns.  Uses the cached rows but caches none.  The
  // columns are cut into blocks, which several threads visit at once; each block goes through the
  // slices, which are lists of rows, in their order.  Rows and columns are variables; no slice has
  // a row twice, and columns are distinct.
  struct Block {
    std::size_t slice;
    std::size_t begin, end;  // the block is columns[begin, end)
    KernelRow values;        // K(slices[slice][r], columns[begin + k]) at r * stride + k
    std::size_t stride;
  };
  using Rows = std::vector<std::size_t>;
  using Visit = std::function<void(const Block&)>;
  // Returns false if the poll function ended it early.
  bool visit_blocks(const std::vector<Rows>& slices, const std::vector<std::size_t>& columns,
                    const Visit& visit);

  // Adds the sum over r of factors[r] K(rows[r], columns[k]) to sums[k], by RowEngine::add_sums or,
  // in doubles, add_precise_sums.  This matrix keeps no values, though an engine may; the order of
  // the terms is not LIBSVM's. Returns false if the poll function ended it early.
  bool add_sums(const Rows& rows, const std::vector<double>& factors,
                const std::vector<std::size_t>& columns, Precision precision, double* sums);
  bool add_sums(const Rows& rows, const std::vector<double>& factors,
                const std::vector<std::size_t>& columns, double* sums) {
    return add_sums(rows, factors, columns, precision(), sums);
  }
  // The same over all rows, in their order, with a weight for each variable.  Weights of 0 cost
  // nothing.
  bool add_sums(const std::vector<double>& weights, const std::vector<std::size_t>& columns,
                Precision precision, double* sums);

  // The same over columns that are packed once for several sums.  `rows` are examples.
  bool add_sums_of_examples(const std::vector<std::uint32_t>& rows,
                            const std::vector<double>& factors, ColumnSums& columns, double* sums);

  // The engine that computes the values.
  const RowEngine& engine() const { return in_doubles() ? precise_engine() : *engine_; }
  const RowEngine& precise_engine() const;

  // The largest number of variables of a part() whose rows, as floats, fit into twice the
  // workspace.  Depends on data and options alone, so that solvers may decide by it.
  std::size_t most_kept() const;

  // Reserves `bytes` of the cache's memory for the solver, instead of what it had reserved before.
  // Returns false, and changes nothing, if that is more than `workspace_bytes`.
  bool reserve_workspace(std::size_t bytes);

  // See RowEngine.
  double rounding() const { return engine_->rounding(); }
  double largest_error() const { return engine_->largest_error(); }
  double value_cost() const { return engine_->value_cost(); }
  double value_work() const { return engine_->value_work(); }

  // Number of rows computed so far, whole or in part, and the seconds that took.
  long long rows_computed() const { return rows_computed_; }
  double seconds() const { return seconds_; }

 private:
  template <typename Value>
  const Value* row_of(std::size_t i);
  template <typename Value>
  void compute(std::size_t example, const typename RowCache<Value>::Row& row);
  std::vector<char> find_cached(const Rows& rows, std::size_t last_column);
  void add_cached_sums(const std::vector<std::uint32_t>& examples, const double* factors,
                       const RowPlaces& columns, double* sums);
  template <typename Value>
  bool visit_blocks_of(const std::vector<Rows>& slices, const std::vector<std::size_t>& columns,
                       const Visit& visit);
  void keep_all_rows(std::shared_ptr<RowMemory<float>> memory);
  std::size_t rows_at_once() const;
  void fill_rows();
  void pack_in_play();
  void pack(const std::uint32_t* examples, std::size_t count);

  const std::shared_ptr<const RowEngine> engine_;
  mutable std::shared_ptr<const RowEngine> precise_;  // made when first needed; may be engine_
  std::size_t cache_bytes_;
  const std::size_t workspace_bytes_;
  std::vector<std::uint32_t> example_;  // example of each variable
  const std::size_t examples_;          // largest example + 1
  const std::size_t copies_;
  bool is_exact_ = true;
  mutable double largest_value_ = -1;             // -1: not computed yet
  mutable double spread_of_errors_ = -1;          // likewise
  std::shared_ptr<RowMemory<float>> row_memory_;  // of cache_; may be null
  std::variant<RowCache<float>, RowCache<double>> cache_;
  // Memory of the rows that one part() after another keeps.
  mutable std::shared_ptr<RowMemory<float>> part_memory_;
  ThreadPool& pool_;
  GoOn poll_;
  std::size_t in_play_;
  // The examples in play, each once, packed for the engine in parts of pack_width() columns.
  std::vector<std::unique_ptr<PackedColumns>> packed_;
  std::size_t packed_examples_ = 0;
  bool packing_is_stale_ = true;
  FillRows offered_;  // null if nothing is offered, or no longer
  bool at_once_ = true;
  std::size_t wanted_rows_ = 0;
  std::unique_ptr<RowCache<float>> retired_;  // after an interruption: a row of it may be in use
  bool has_all_rows_ = false;
  std::vector<std::uint32_t> place_;  // place of each variable's example in packed_; empty if that
                                      // is the variable's number
  // Values of a row by example, before they are spread over the variables.
  std::tuple<std::vector<float>, std::vector<double>> distinct_values_;

  long long rows_computed_ = 0;
  double seconds_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_MATRIX_KERNEL_MATRIX_H_
