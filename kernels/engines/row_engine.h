// Computes kernel values between training examples.  The layer above caches and permutes rows; the
// solvers see neither.
#ifndef SVM_KERNELS_ENGINES_ROW_ENGINE_H_
#define SVM_KERNELS_ENGINES_ROW_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/data_row.h"
#include "kernels/kernel_function.h"
#include "svm.h"
#include "threads/go_on.h"

namespace svm {

// Examples in an order of their own, packed for the passes of one engine.  Made by
// RowEngine::pack, constant afterwards.
class PackedColumns {
 public:
  virtual ~PackedColumns() = default;
};

// All engines of make_row_engine() give the same floats: sums run over features in index order,
// multiply then add.  In doubles their values may differ in the last bits.  Constant, so that
// threads can share it.
class RowEngine {
 public:
  virtual ~RowEngine() = default;

  // Packs examples[0, count) as columns 0 ... count-1.  `old` may be null, or columns of this
  // engine that are not needed any more, whose memory is used again.
  virtual std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                              std::unique_ptr<PackedColumns> old) const = 0;

  // Columns that are packed together, at most; more are packed in parts.
  virtual std::size_t pack_width() const { return std::size_t{1} << 16; }

  // The same for a few columns that many rows will be computed over.
  virtual std::unique_ptr<PackedColumns> pack_block(const std::uint32_t* examples,
                                                    std::size_t count) const {
    return pack(examples, count, nullptr);
  }

  // A row of this example will be asked for soon.
  virtual void prefetch(std::size_t /*example*/) const {}

  // out[k - from] = K(example, column k) rounded to float, for from <= k < to.
  virtual void compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                       std::size_t to, float* out) const = 0;

  // The same without the rounding to float.
  virtual void compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                       std::size_t to, double* out) const = 0;

  // The same for `count` rows and the columns from 0 on, which costs less than one by one:
  // out[r][k] = K(examples[r], column k) rounded to float, for k < to.
  virtual void compute_rows(const std::uint32_t* examples, std::size_t count,
                            const PackedColumns& columns, std::size_t to, float* const* out) const;

  // Fused sums: sums[k - from] += sum over r < count of factors[r] K(examples[r], column k), for
  // from <= k < to.  Values have the bits of compute() to float; factors and sums are doubles, and
  // terms are added by Loops::add_float_rows, in the order of r.  So it makes no difference to the
  // sums whether a value is computed for them or was kept.  `from` is a multiple of kBlockColumns.
  virtual void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const PackedColumns& columns, std::size_t from, std::size_t to,
                        double* sums) const;

  // Fused sums of these rows over `columns` columns will be asked for, perhaps by several threads.
  // An engine that keeps rows computes those that it lacks, if there is memory and they pay.
  virtual void prepare_sums(const std::uint32_t* /*examples*/, std::size_t /*count*/,
                            std::size_t /*columns*/) const {}

  // Fused sums with values in doubles, over a few columns (up to kMostPreciseColumns) that are told
  // as examples: sums[k] += sum over r of factors[r] K(examples[r], columns[k]).
  static constexpr std::size_t kMostPreciseColumns = 512;
  virtual void add_precise_sums(const std::uint32_t* examples, const double* factors,
                                std::size_t count, const std::uint32_t* columns, std::size_t width,
                                double* sums) const;

  // The engine for the same examples that has all bits, where this one has not; null where it has.
  virtual std::shared_ptr<const RowEngine> precise() const { return nullptr; }

  // What a value's error may be, relative to the root of the diagonal values of row and column, of
  // floats; an estimate.
  virtual double rounding() const { return 0x1p-23; }

  // K(example, example) in double.
  virtual double diagonal(std::size_t example) const = 0;

  // Are values of this example with all others of the kind floats, so that rounding changes none?
  // All engines for the same rows agree on it.
  virtual bool is_exact(std::size_t /*example*/) const { return false; }

  // Is K(s, t) always K(t, s)?
  virtual bool is_symmetric() const { return true; }

  // What no value is larger than, where the matrix may be indefinite, so that diagonals do not tell
  // that; 0 where it is not.  May take time.
  virtual double largest_value() const { return 0; }

  // A rough estimate of what one value costs, in nanoseconds; above 0.  Callers cut their work by
  // it, and csmo decides by it between one level and two, which its results depend on.  So it is a
  // function of the kernel and the rows, and of SVM_ENGINE, alone: it is the same for every
  // processor, instruction set and number of threads.
  virtual double value_cost() const = 0;

 protected:
  // Columns over which add_sums() asks for a row at a time, kMostSumsWidth at most.
  static constexpr std::size_t kMostSumsWidth = 2048;
  virtual std::size_t sums_width() const { return 512; }
};

// The engine for `count` rows, chosen by what the rows hold, or by the environment variable
// SVM_ENGINE (see docs/performance.md).  The rows must outlive the engine; the array of pointers
// need not.  Throws PrecomputedRowError where a precomputed row is too short for the serial numbers
// in use, std::invalid_argument where the variable names no engine, and Interrupted where `go_on`
// says so.
std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel, DataRows rows,
                                           std::size_t count, const GoOn& go_on = nullptr);

// An engine for solvers that are free of LIBSVM's bits: of faster arithmetic in single precision
// where the rows suit it, see single_engine.cpp; else that of make_row_engine().  Throws as that.
std::shared_ptr<const RowEngine> make_single_engine(const KernelFunction& kernel, DataRows rows,
                                                    std::size_t count, const GoOn& go_on = nullptr);

// In the place of an engine whose making was interrupted: all values are 0.
std::unique_ptr<RowEngine> make_zero_engine();

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ROW_ENGINE_H_
