// The common part of the engines of single precision; engine_choice.cpp chooses among them.
#ifndef SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_
#define SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "simd/loops.h"
#include "threads/primitives.h"

namespace svm {

// The facts about its examples that an engine of single precision keeps: their rows, for the
// precise engine, which is made when it is first needed, and what the diagonal depends on.
class SingleExamples {
 public:
  SingleExamples(const KernelFunction& kernel, const Examples& examples);

  const KernelFunction& kernel() const { return kernel_; }
  std::shared_ptr<const RowEngine> precise() const;
  double diagonal(std::size_t example) const;
  bool is_exact(std::size_t example) const {
    return kernel_.type == LINEAR && exact_[example] != 0;
  }
  double largest_value() const { return largest_value_; }

 private:
  KernelFunction kernel_;
  std::vector<DataRow> rows_;
  std::vector<double> norms_;  // squared; none for kernels of distances
  std::vector<char> exact_;    // for LINEAR
  double largest_value_;
  mutable OnceFlag once_;
  mutable std::shared_ptr<const RowEngine> precise_;
};

// Columns are packed in blocks of kBlockColumns; the last column is repeated to fill its block.
class SingleEngine : public RowEngine {
 public:
  SingleEngine(const KernelFunction& kernel, const Examples& examples, double rounding)
      : known_(kernel, examples), rounding_(rounding), loops_(svm::loops(instruction_set())) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const final;
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const final;
  // Gives the same values; the precise engine has better ones.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const final;
  void compute_rows(const std::uint32_t* examples, std::size_t count, const PackedColumns& columns,
                    std::size_t to, float* const* out) const final;
  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const final;
  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width, double* sums) const final {
    known_.precise()->add_precise_sums(examples, factors, count, columns, width, sums);
  }
  // Rows one by one are read from distant memory if they have many features.
  bool gains_by_groups() const final {
    constexpr double kManyFeatures = 2;  // nanoseconds per value
    return value_cost() > kManyFeatures;
  }
  std::shared_ptr<const RowEngine> precise() const final { return known_.precise(); }
  double rounding() const final { return rounding_; }
  bool has_relative_errors() const final { return known_.kernel().of_distances(); }
  double diagonal(std::size_t example) const final { return known_.diagonal(example); }
  bool is_exact(std::size_t example) const final { return known_.is_exact(example); }
  double largest_value() const final { return known_.largest_value(); }

 protected:
  // Rows that were packed to pass over columns together.
  struct Panel {
    virtual ~Panel() = default;
  };

  const Loops& loops() const { return loops_; }

  virtual std::unique_ptr<PackedColumns> new_columns() const = 0;
  // Makes room for so many blocks, with any contents.
  virtual void resize(PackedColumns& columns, std::size_t blocks) const = 0;
  virtual void set_column(PackedColumns& columns, std::size_t block, std::size_t shift,
                          std::size_t example) const = 0;
  // The number of rows in a panel, a multiple of kSingleRows.
  virtual std::size_t panel_rows() const = 0;
  virtual std::unique_ptr<Panel> new_panel() const = 0;
  virtual void fill(Panel& panel, const std::uint32_t* examples, std::size_t count) const = 0;
  // Adds the panel's rows, times their factors, to the sums over `count` blocks from block `first`
  // on.
  virtual void add_blocks(const Panel& panel, const double* factors, std::size_t rows,
                          const PackedColumns& columns, std::size_t first, std::size_t count,
                          double* sums) const = 0;
  // out[r][k - first * kBlockColumns] = the value of the panel's row r and column k, for the
  // columns of `count` blocks from block `first` on.
  virtual void panel_values(const Panel& panel, std::size_t rows, const PackedColumns& columns,
                            std::size_t first, std::size_t count, float* const* out) const = 0;
  // The same for the row of one example.
  virtual void block_values(std::size_t example, const PackedColumns& columns, std::size_t first,
                            std::size_t count, float* out) const = 0;

 private:
  SingleExamples known_;
  double rounding_;
  const Loops& loops_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_
