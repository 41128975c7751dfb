#include "programs/grid/gamma_kernels.h"

#include <algorithm>
#include <utility>

#include "base/platform/float_chars.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "solvers/run/messages.h"

namespace svm::grid {
namespace {

// Kernel values that cost fewer nanoseconds than this are computed again for each gamma. The limit
// is higher for values with LIBSVM's bits, which need more work beyond the dot products.
constexpr double kExpensiveValue = 4, kExpensiveSingleValue = 2;
// From this cost on, missing memory is worth a message.
constexpr double kVeryExpensiveValue = 10;
constexpr double kMegabyte = 1048576;

}  // namespace

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
  if (gammas_ < 2 || !has_gamma(param.kernel_type) || engine.value_cost() <= limit) return nullptr;
  const double needed = StoredDots::bytes(order_.size());
  if (needed <= bytes_) {
    auto dots = std::make_shared<StoredDots>(rows_, order_.size(), go_on);
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
