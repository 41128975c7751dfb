#include "programs/grid/gamma_kernels.h"

#include <algorithm>
#include <utility>

#include "base/platform/float_chars.h"
#include "base/platform/index_range.h"
#include "base/platform/numbers.h"
#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/row_places.h"
#include "kernels/engines/single_error.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "solvers/run/messages.h"
#include "training/sharing.h"

namespace svm::grid {
namespace {

// Kernel values that cost fewer nanoseconds than this are computed again for each gamma. The limit
// is higher for values with LIBSVM's bits, which need more work beyond the dot products.
constexpr double kExpensiveValue = 4, kExpensiveSingleValue = 2;
// They are computed for this number of gammas or more.  A dot product in doubles takes as long as
// several values in single precision.
constexpr std::size_t kLeastGammas = 2, kLeastGammasSingle = 6;
// From this cost on, missing memory is worth a message.
constexpr double kVeryExpensiveValue = 10;
// The cost of a dot product from the store, in nanoseconds, and its work.
constexpr double kDotFetchCost = 0.8, kDotFetchWork = 40;

class StoredDotsEngine final : public DotEngine {
 public:
  StoredDotsEngine(const KernelFunction& kernel, std::shared_ptr<Examples> examples,
                   double single_rounding, std::shared_ptr<const RowEngine> precise,
                   std::shared_ptr<StoredDots> dots)
      : DotEngine(kernel, std::move(examples), single_rounding, std::move(precise)),
        dots_(std::move(dots)) {}
  double value_work() const override { return Work::kFunction + kDotFetchWork; }

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
};

}  // namespace

// Computes the products of each row with those up to itself, and copies them to the other half.
StoredDots::StoredDots(DataRows rows, std::size_t count, ThreadPool& pool, const GoOn& go_on)
    : rows_(rows.copy(count)) {
  if (!Examples(rows, count, go_on).is_regular()) return;
  svm_parameter param = {};
  param.kernel_type = LINEAR;
  const std::unique_ptr<RowEngine> engine =
      make_row_engine(KernelFunction(param), rows, count, Precision::kDouble, go_on);
  dots_.reset(new double[count * count]);
  const auto all = index_range<std::uint32_t>(0, count);
  const SharedGoOn shared(go_on);
  for (std::size_t first = 0; first < count; first += engine->pack_width()) {
    const std::size_t width = std::min(engine->pack_width(), count - first);
    const std::unique_ptr<PackedColumns> columns = engine->pack(&all[first], width, nullptr);
    pool.for_chunks(count - first, 1, [&](std::size_t begin, std::size_t) {
      const std::size_t example = first + begin;
      const std::size_t known = std::min(width, begin + 1);
      if (!shared()) return;
      double* const values = dots_.get() + example * count + first;
      engine->compute(example, *columns, 0, known, values);
      for (std::size_t k = 0; k < known; ++k) dots_[(first + k) * count + example] = values[k];
    });
  }
  if (shared.is_stopped()) throw Interrupted();
}

std::shared_ptr<const RowEngine> make_stored_dots_engine(const KernelFunction& kernel,
                                                         const std::shared_ptr<StoredDots>& dots,
                                                         Precision precision, const GoOn& go_on) {
  const auto examples = std::make_shared<Examples>(dots->rows().data(), dots->size(), go_on);
  const bool may_be_single = precision == Precision::kSingle && tail_form(kernel.type);
  const double rounding = may_be_single ? columns_rounding(kernel, *examples) : kInfinity;
  examples->drop_pairs();
  auto exact = std::make_shared<StoredDotsEngine>(kernel, examples, 0, nullptr, dots);
  if (!(rounding <= kMostRounding)) return exact;
  return std::make_shared<StoredDotsEngine>(kernel, examples, rounding, std::move(exact), dots);
}

GammaKernels::GammaKernels(const DataRows& data, std::vector<std::uint32_t> order,
                           std::size_t gammas, double bytes)
    : order_(std::move(order)), rows_(data.select(order_.data())), gammas_(gammas), bytes_(bytes) {}

std::shared_ptr<const RowEngine> GammaKernels::engine(const svm_parameter& param, Run& run,
                                                      const GoOn& go_on) {
  const KernelFunction kernel(param);
  const Precision precision = kernel_precision(run.options);
  if (dots_ != nullptr) return make_stored_dots_engine(kernel, dots_, precision, go_on);
  std::shared_ptr<const RowEngine> engine =
      make_row_engine(kernel, rows_, order_.size(), precision, go_on);
  if (budget_ != nullptr) return engine;
  if (param.kernel_type != PRECOMPUTED) extent_.emplace(rows_, order_.size());
  std::shared_ptr<StoredDots> dots = choose_dots(param, *engine, run, go_on);
  if (dots != nullptr) engine = make_stored_dots_engine(kernel, dots, precision, go_on);
  // Keeps the rows of two gammas at a time. Those of a precomputed kernel exist already.
  const double count = static_cast<double>(order_.size());
  const bool keeps = are_worth_keeping(*engine) && param.kernel_type != PRECOMPUTED;
  const double wanted = keeps ? 2 * count * count * sizeof(float) : 0;
  const double taken = dots != nullptr ? StoredDots::bytes(order_.size()) : 0;
  const double total = std::min({std::max(bytes_, taken), wanted + taken, 4.0e18});
  budget_ =
      std::make_shared<RowBudget>(static_cast<std::size_t>(total), static_cast<std::size_t>(taken));
  dots_ = std::move(dots);
  return engine;
}

// Returns null if dot products are not to be stored.
std::shared_ptr<StoredDots> GammaKernels::choose_dots(const svm_parameter& param,
                                                      const RowEngine& engine, Run& run,
                                                      const GoOn& go_on) const {
  const bool is_single = kernel_precision(run.options) == Precision::kSingle;
  const double limit = is_single ? kExpensiveSingleValue : kExpensiveValue;
  const std::size_t least = is_single ? kLeastGammasSingle : kLeastGammas;
  if (gammas_ < least || !has_gamma(param.kernel_type) || engine.value_cost() <= limit) {
    return nullptr;
  }
  const double needed = StoredDots::bytes(order_.size());
  if (needed <= bytes_) {
    auto dots = std::make_shared<StoredDots>(rows_, order_.size(), *run.services.pool, go_on);
    return dots->is_regular() ? dots : nullptr;
  }
  if (engine.value_cost() > kVeryExpensiveValue) {
    run.services.messages.warn("NOTE: the dot products of " + std::to_string(order_.size()) +
                               " rows, to be computed once for all gammas, take " +
                               fixed_text(needed / kMegabyte, 0) +
                               " MB; three quarters of -m have no room for that\n");
  }
  return nullptr;
}

}  // namespace svm::grid
