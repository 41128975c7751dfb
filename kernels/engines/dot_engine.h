// The base class of engines that compute dot products, and kernel values from these.
#ifndef SVM_KERNELS_ENGINES_DOT_ENGINE_H_
#define SVM_KERNELS_ENGINES_DOT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/precise_sums.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_tail.h"

namespace svm {

class DotEngine : public RowEngine {
 public:
  // Requires regular examples.
  DotEngine(const KernelFunction& kernel, Examples examples)
      : DotEngine(kernel, std::make_shared<Examples>(std::move(examples)), 0, nullptr) {}
  // The same of examples that engines share.  If `precise` is not null, values to float are
  // computed in single precision, `single_rounding` is the estimate of their error (see
  // RowEngine::rounding), and `precise` is the engine in doubles.
  DotEngine(const KernelFunction& kernel, std::shared_ptr<Examples> examples,
            double single_rounding, std::shared_ptr<const RowEngine> precise);

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const final;
  void prefetch(std::size_t example) const override { examples_.prefetch(example); }
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const final;
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const final;
  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width, double* sums) const final;
  std::shared_ptr<const RowEngine> precise() const final { return precise_; }
  double rounding() const final { return is_single() ? rounding_ : RowEngine::rounding(); }
  double largest_error() const final;
  bool has_relative_errors() const final { return !is_single() || kernel_.of_distances(); }
  double diagonal(std::size_t example) const final;
  bool is_exact(std::size_t example) const final {
    return kernel_.type == LINEAR && examples_.has_exact_products(example);
  }
  double largest_value() const final {
    return kernel_.largest_value(examples_.largest_squared_norm());
  }
  double value_cost() const final;
  double value_work() const override;

 protected:
  std::size_t sums_width() const final { return kTile; }

  // Columns at a time: their dots fit into the first-level cache, with room to spare.
  static constexpr std::size_t kTile = 2048;

  struct Columns : PackedColumns {
    std::vector<double> norms;            // squared; for kernels of distances
    std::vector<std::uint32_t> examples;  // if values are computed from rows
  };

  // A derived class may drop the pairs in its constructor, see Examples::drop_pairs().
  const Examples& examples() const { return examples_; }
  void drop_pairs() { shared_examples_->drop_pairs(); }
  const Loops& loops() const { return loops_; }
  const KernelFunction& kernel() const { return kernel_; }
  bool is_single() const { return precise_ != nullptr; }

  // Makes PreciseSums compute the precise sums, instead of dots().  Comes before drop_pairs().
  void use_precise_sums(bool is_exact) {
    if (tail_form(kernel_.type)) precise_sums_.emplace(kernel_, examples_, is_exact);
  }

  virtual std::unique_ptr<Columns> new_columns() const = 0;
  virtual void fill(Columns& columns, const std::uint32_t* examples, std::size_t count) const = 0;

  // sums[k - begin] = dot product of the example and column k, for begin <= k < end.  Both are
  // multiples of kBlockColumns, and end - begin is at most kTile; sums past the last column are not
  // used.
  virtual void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
                    double* sums) const = 0;

  // Cost of one dot, in nanoseconds.
  virtual double dot_cost() const = 0;

 private:
  template <typename Value>
  void compute_values(std::size_t example, const PackedColumns& columns, std::size_t from,
                      std::size_t to, Value* out) const;
  void kernel_values(double norm, const double* norms, std::size_t count, const double* dots,
                     float* out) const;
  void kernel_values(double norm, const double* norms, std::size_t count, const double* dots,
                     double* out) const;

  KernelFunction kernel_;
  const std::shared_ptr<Examples> shared_examples_;
  const Examples& examples_;
  const Loops& loops_;
  ExactTail exact_tail_;
  bool by_rows_;  // values in doubles are computed from rows, see KernelFunction::is_rounded
  SingleTail single_tail_;  // in single precision
  double rounding_;
  std::shared_ptr<const RowEngine> precise_;  // null in double precision
  std::optional<PreciseSums> precise_sums_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_DOT_ENGINE_H_
