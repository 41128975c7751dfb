#include "programs/grid/stored_dots.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/threads/primitives.h"
#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/row_places.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

// The cost of a dot product from the store, in nanoseconds.
constexpr double kDotFetchCost = 0.8;

KernelFunction linear() {
  svm_parameter param = {};
  param.kernel_type = LINEAR;
  return KernelFunction(param);
}

class StoredDotsEngine final : public DotEngine {
 public:
  StoredDotsEngine(const KernelFunction& kernel, Examples examples, double single_rounding,
                   std::shared_ptr<StoredDots> dots)
      : DotEngine(kernel, std::move(examples), single_rounding), dots_(std::move(dots)) {
    drop_pairs();
  }

  // An engine of the same dot products.
  std::shared_ptr<const RowEngine> precise() const override {
    if (!is_single()) return nullptr;
    run_once(once_, [this] {
      precise_ = make_stored_dots_engine(kernel(), dots_, Precision::kDouble, nullptr);
    });
    return precise_;
  }

 protected:
  std::unique_ptr<DotEngine::Columns> new_columns() const override {
    return std::make_unique<Columns>();
  }

  void fill(DotEngine::Columns& columns, const std::uint32_t* examples,
            std::size_t count) const override {
    static_cast<Columns&>(columns).places = RowPlaces({examples, examples + count});
  }

  void dots(std::size_t example, const DotEngine::Columns& columns, std::size_t begin,
            std::size_t end, double* sums) const override {
    const RowPlaces& places = static_cast<const Columns&>(columns).places;
    const std::size_t last = std::min(end, places.all().size());
    if (begin < last) places.copy(dots_->row(example), begin, last, sums);
    std::fill(sums + (last - begin), sums + (end - begin), 0.0);
  }

  double dot_cost() const override { return kDotFetchCost; }

 private:
  struct Columns final : DotEngine::Columns {
    RowPlaces places;
  };

  const std::shared_ptr<StoredDots> dots_;
  mutable OnceFlag once_;
  mutable std::shared_ptr<const RowEngine> precise_;
};

}  // namespace

StoredDots::StoredDots(DataRows rows, std::size_t count, const GoOn& go_on)
    : rows_(rows.copy(count)) {
  if (!Examples(rows, count, go_on).is_regular()) return;
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  dots_ = std::make_unique<RowStore<double>>(
      make_row_engine(linear(), rows, count, Precision::kDouble, go_on), order,
      std::make_shared<RowBudget>(count * count * sizeof(double)), true, go_on);
}

std::shared_ptr<const RowEngine> make_stored_dots_engine(const KernelFunction& kernel,
                                                         std::shared_ptr<StoredDots> dots,
                                                         Precision precision, const GoOn& go_on) {
  Examples examples(dots->rows().data(), dots->size(), go_on);
  const bool may_be_single = precision == Precision::kSingle && tail_form(kernel.type);
  double rounding = may_be_single ? columns_rounding(kernel, examples) : 0;
  if (!(rounding <= kMostRounding)) rounding = 0;
  return std::make_shared<StoredDotsEngine>(kernel, std::move(examples), rounding, std::move(dots));
}

}  // namespace svm
