// Computes kernel values between training examples.  KernelMatrix caches rows and permutes them.
#ifndef SVM_KERNELS_ENGINES_ROW_ENGINE_H_
#define SVM_KERNELS_ENGINES_ROW_ENGINE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "base/threads/primitives.h"
#include "kernels/data_row.h"
#include "kernels/kernel_function.h"
#include "kernels/row_passes.h"
#include "svm.h"

namespace svm {

// The arithmetic of kernel values: floats, or doubles.
enum class Precision { kSingle, kDouble };

// Examples in some order, packed for the passes of one engine by RowEngine::pack.
class PackedColumns {
 public:
  virtual ~PackedColumns() = default;
};

// Gives kernel values of the examples 0 ... count-1.  All engines that are not of single precision
// give the same floats: those of sums that run over features in index order, multiply then add.
// Their doubles may differ in the last bits.  An engine does not change, so that threads can share
// it.
class RowEngine {
 public:
  virtual ~RowEngine() = default;

  // Packs examples[0, count) as columns 0 ... count-1.  `old` may be null, or columns of this
  // engine that are not needed any more, whose memory is used again.
  virtual std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                              std::unique_ptr<PackedColumns> old) const = 0;

  // The largest number of columns that are packed together; callers pack more in parts.
  virtual std::size_t pack_width() const { return std::size_t{1} << 16; }

  // Asks the memory for this example, of which a row will be computed soon.
  virtual void prefetch(std::size_t /*example*/) const {}

  // out[k - from] = K(example, column k) rounded to float, for from <= k < to.
  virtual void compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                       std::size_t to, float* out) const = 0;

  // The same in doubles; an engine of single precision may give floats (see precise()).
  virtual void compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                       std::size_t to, double* out) const = 0;

  // out[r][k] = K(examples[r], column k) rounded to float, for r < count and k < to.  Costs less
  // than one row after the other.
  virtual void compute_rows(const std::uint32_t* examples, std::size_t count,
                            const PackedColumns& columns, std::size_t to, float* const* out) const;

  // True if compute_rows() of many rows takes much less time than one row after the other.
  virtual bool gains_by_groups() const { return false; }

  // Fused sums: sums[k - from] += sum over r < count of factors[r] K(examples[r], column k), for
  // from <= k < to.  Values have the bits of compute() to float; factors and sums are doubles, and
  // terms are added by Loops::add_float_rows, in the order of r.  So it makes no difference to the
  // sums whether a value is computed for them or was kept.  `from` is a multiple of kBlockColumns.
  virtual void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const PackedColumns& columns, std::size_t from, std::size_t to,
                        double* sums) const;

  // Tells that fused sums of these rows over `columns` columns will be computed, perhaps by several
  // threads.  An engine that keeps rows computes those that it lacks if there is memory for them
  // and they pay.
  virtual void prepare_sums(const std::uint32_t* /*examples*/, std::size_t /*count*/,
                            std::size_t /*columns*/) const {}

  // Fused sums with values in doubles, over up to kMostPreciseColumns columns, which are numbers of
  // examples: sums[k] += sum over r < count of factors[r] K(examples[r], columns[k]), k < width.
  static constexpr std::size_t kMostPreciseColumns = 512;
  virtual void add_precise_sums(const std::uint32_t* examples, const double* factors,
                                std::size_t count, const std::uint32_t* columns, std::size_t width,
                                double* sums) const;

  // If values are in single precision, the engine for the same examples that gives them in doubles;
  // else null.
  virtual std::shared_ptr<const RowEngine> precise() const { return nullptr; }

  // Estimates the error of a value rounded to float, relative to the root of the diagonal values of
  // its row and column.
  virtual double rounding() const { return 0x1p-23; }
  // The largest error of a value, relative to the same: no value was seen to be off by more.
  static constexpr double kLargestError = 4;        // times rounding()
  static constexpr double kExactError = 0x1.1p-24;  // of a double rounded to float
  virtual double largest_error() const { return kLargestError * rounding(); }

  // True if the error of a value is in proportion to the value itself.
  virtual bool has_relative_errors() const { return true; }

  // K(example, example) in double.
  virtual double diagonal(std::size_t example) const = 0;

  // True if K(example, e) is exactly a float for every e for which this returns true.  All engines
  // for the same rows agree on it.
  virtual bool is_exact(std::size_t /*example*/) const { return false; }

  // True if K(s, t) is always K(t, s).
  virtual bool is_symmetric() const { return true; }

  // An upper bound of abs(K(s, t)), or 0 if only diagonals bound it, by the inequality of Cauchy
  // and Schwarz.  They do not if the kernel may be indefinite.  May be a pass over all values.
  virtual double largest_value() const { return 0; }

  // A rough estimate of the time for one value, in nanoseconds; above 0.  Callers divide their work
  // by it and decide what to keep, which changes no result.
  virtual double value_cost() const = 0;

  // The work of one value: the nonzero features of a row, on average, and the kernel function.  The
  // unit is a feature that is read as a float.  Solvers may decide by it, as it is counted and not
  // measured: it does not change when an engine becomes faster.
  virtual double value_work() const = 0;
  struct Work {
    static constexpr double kBit = 0.25, kByte = 0.5;           // of a feature
    static constexpr double kListed = 2;                        // if it has a list of rows
    static constexpr double kExact = 10, kExactFunction = 150;  // in LIBSVM's arithmetic
    static constexpr double kFunction = 6.5;
    static constexpr double kOneByOne = 1000;  // of a value that is looked up or asked for
  };

 protected:
  // The number of columns, up to kMostSumsWidth, over which add_sums() computes a row at a time.
  static constexpr std::size_t kMostSumsWidth = 2048;
  virtual std::size_t sums_width() const { return 512; }
};

// Makes the engine for `count` rows, chosen by what the rows hold, or by the environment variable
// SVM_ENGINE (see docs/performance.md and engine_choice.cpp).  For Precision::kDouble, values are
// LIBSVM's.  For Precision::kSingle, they are computed in single precision if the rows suit that.
// What `rows` points to must outlive the engine.  Throws PrecomputedRowError if
// a precomputed row is too short for the serial numbers in use, and Interrupted if `passes` does.
std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel, DataRows rows,
                                           std::size_t count,
                                           Precision precision = Precision::kDouble,
                                           const RowPasses& passes = {});

// What is wrong with the value of SVM_ENGINE, which is then ignored; empty if nothing is.
std::string engine_fault();

// All values of some examples with each other --------------------------------------------------

// The number of rows that are computed together.
constexpr std::size_t kSquareRows = 64;

// Sets rows[i][j] = K(examples[i], examples[j]) rounded to float, with the bits of
// RowEngine::compute().  Requires a symmetric engine, and at most pack_width() examples.  Only the
// half of the values with j <= i is computed, many rows at a time, and copied to the other half.
// Returns false if `poll` ended it early; some rows are then not set.
bool compute_square(const RowEngine& engine, const std::vector<std::uint32_t>& examples,
                    ThreadPool& pool, const GoOn& poll, float* const* rows);

// The part of compute_square() that belongs to rows [begin, end), which are at most kSquareRows,
// from a multiple of kSquareRows on.  `columns` are all examples.  Parts may be computed in any
// order and by several threads.
void compute_part_of_square(const RowEngine& engine, const std::uint32_t* examples,
                            const PackedColumns& columns, std::size_t begin, std::size_t end,
                            float* const* rows);

// A loop over rows that every thread joins when it wants the result.
class JoinedLoop {
 public:
  // Calls compute(begin, end) for the rows of [0, count) that no thread has claimed, kSquareRows at
  // a time, and waits for those that others compute.  Returns false if `poll` ended it early.  If
  // compute() throws, the others throw std::bad_alloc.
  template <typename Compute>
  bool complete(std::size_t count, const GoOn& poll, const Compute& compute) {
    while (done_ < count) {
      if (poll && !poll()) return false;
      if (failed_) throw std::bad_alloc();
      const std::size_t begin = claimed_.fetch_add(kSquareRows);
      if (begin >= count) {
        yield();
        continue;
      }
      const std::size_t end = std::min(count, begin + kSquareRows);
      try {
        compute(begin, end);
      } catch (...) {
        failed_ = true;
        throw;
      }
      done_ += end - begin;
    }
    return true;
  }

 private:
  std::atomic<std::size_t> claimed_{0}, done_{0};  // rows
  std::atomic<bool> failed_{false};
};

// to[c][r] = from[r][c], for r < rows and c < columns.
void transpose(const float* const* from, std::size_t rows, std::size_t columns, float* const* to);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ROW_ENGINE_H_
