// The common part of the engines of single precision; engine_choice.cpp chooses among them.
#ifndef SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_
#define SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/simd/loops.h"
#include "base/threads/primitives.h"
#include "kernels/engines/precise_sums.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

// Columns are packed in blocks of kBlockColumns; the last column is repeated to fill its block.
class SingleEngine : public RowEngine {
 public:
  // Takes regular examples, for a kernel that has a tail_form().
  SingleEngine(const KernelFunction& kernel, Examples examples, double rounding);

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
    precise_sums_.add(examples, factors, count, columns, width, sums);
  }
  // Rows one by one are read from distant memory if they have many features.
  bool gains_by_groups() const final {
    constexpr double kManyFeatures = 0.7;  // nanoseconds per value
    return value_cost() > kManyFeatures;
  }
  std::shared_ptr<const RowEngine> precise() const final;
  double rounding() const final { return rounding_; }
  bool has_relative_errors() const final { return kernel_.of_distances(); }
  double value_work() const override { return Work::kFunction + examples_.nonzeros_per_row(); }
  double diagonal(std::size_t example) const final {
    return kernel_.of_inner(kernel_.of_distances() ? 0 : examples_.squared_norm(example));
  }
  bool is_exact(std::size_t example) const final {
    return kernel_.type == LINEAR && examples_.has_exact_products(example);
  }
  double largest_value() const final { return largest_value_; }

 protected:
  // Rows that were packed to pass over columns together.
  struct Panel {
    virtual ~Panel() = default;
  };

  // A derived class drops the pairs at the end of its constructor, see Examples::drop_pairs().
  const Examples& examples() const { return examples_; }
  void drop_pairs() { examples_.drop_pairs(); }
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

 private:
  KernelFunction kernel_;
  Examples examples_;
  double rounding_;
  double largest_value_;
  PreciseSums precise_sums_;
  mutable OnceFlag once_;
  mutable std::shared_ptr<const RowEngine> precise_;  // made when first needed
  const Loops& loops_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SINGLE_ENGINE_H_
