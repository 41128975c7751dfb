#include "kernels/dense_engine.h"

#include <utility>

#include "kernels/aligned_vector.h"
#include "kernels/dot_engine.h"

namespace svm {
namespace {

// A pass goes over the features of the row's example only.  Where a column lacks one of them, it
// adds a zero to a sum that began at +0, which leaves it as it is.
template <class Value>
class DenseEngine final : public DotEngine {
 public:
  using DotEngine::DotEngine;

 private:
  struct Blocks final : Columns {
    AlignedVector<Value> values;  // (block, feature, column of the block)
  };

  std::size_t block_size() const { return examples().dimension() * kBlockColumns; }

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Blocks>(); }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& values = static_cast<Blocks&>(columns).values;
    const std::size_t blocks = (count + kBlockColumns - 1) / kBlockColumns;
    values.assign(blocks * block_size(), Value(0));
    for (std::size_t k = 0; k < count; ++k) {
      Value* column = values.data() + k / kBlockColumns * block_size() + k % kBlockColumns;
      for (std::size_t p = examples().begin(packed[k]); p < examples().end(packed[k]); ++p) {
        column[examples().features()[p] * kBlockColumns] =
            static_cast<Value>(examples().values()[p]);
      }
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const std::size_t first = examples().begin(example);
    const std::size_t nonzeros = examples().end(example) - first;
    const Value* blocks = static_cast<const Blocks&>(columns).values.data();
    add_up(blocks + begin / kBlockColumns * block_size(), (end - begin) / kBlockColumns,
           examples().features() + first, examples().values() + first, nonzeros, sums);
  }

  void add_up(const double* blocks, std::size_t count, const std::uint32_t* features,
              const double* values, std::size_t nonzeros, double* sums) const {
    loops().block_dots_double(blocks, examples().dimension(), count, features, values, nonzeros,
                              sums);
  }
  void add_up(const float* blocks, std::size_t count, const std::uint32_t* features,
              const double* values, std::size_t nonzeros, double* sums) const {
    loops().block_dots_float(blocks, examples().dimension(), count, features, values, nonzeros,
                             sums);
  }

  double dot_cost() const override {
    const double rows = static_cast<double>(examples().size() + 1);
    return 0.2 * static_cast<double>(examples().nonzeros()) / rows;
  }
};

}  // namespace

std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             bool all_floats) {
  if (all_floats) return std::make_unique<DenseEngine<float>>(kernel, std::move(examples));
  return std::make_unique<DenseEngine<double>>(kernel, std::move(examples));
}

}  // namespace svm
