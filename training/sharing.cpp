#include "training/sharing.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/engines/engines.h"
#include "kernels/engines/row_store.h"
#include "solvers/registry.h"

namespace svm {
namespace {

// Rows over all data are kept from this number of uses on; a class pair uses only a part of each.
constexpr std::size_t kUsesWorthKeeping = 3;
// Copying a kernel value of a class pair takes this many nanoseconds, with what the pair's blocks
// cost beside it; cheaper values are computed by every pair.
constexpr double kCopyCost = 1.2;
// Pairs of classes with so few rows, on average, need nearly all of their values, and a block over
// many classes costs less than a pair's own packing.
constexpr std::size_t kFewRowsOfClass = 16;

std::size_t whole_cache_bytes(const svm_parameter& param) {
  return static_cast<std::size_t>(std::min(cache_bytes(param), 9.0e18));
}

}  // namespace

double cache_bytes(const svm_parameter& param) { return param.cache_size * kMegabyte; }

void share_rows(const DataRows& data, const std::vector<std::uint32_t>& rows,
                const svm_parameter& param, std::size_t uses, Run& run) {
  // The rows of a precomputed kernel exist already, unless a function computes them.  They are
  // checked once, as rows of the whole problem, so that messages have their numbers.
  const bool precomputed = param.kernel_type == PRECOMPUTED && !data.have_kernel();
  if (run.services.shared_rows || uses < (precomputed ? 1 : 2) || works_on_examples(run)) return;
  const bool keep = uses >= kUsesWorthKeeping && !precomputed;
  const GoOn go_on = [&run] { return run.poll(); };
  try {
    const DataRows shared = data.select(rows.data());
    std::shared_ptr<const RowEngine> engine =
        make_row_engine(KernelFunction(param), shared, rows.size(), kernel_precision(run.options),
                        {go_on, *run.services.pool});
    run.services.shared_rows =
        make_shared_rows(std::move(engine), rows, keep ? whole_cache_bytes(param) / 2 : 0, go_on);
    if (param.kernel_type != PRECOMPUTED && !solver_of(run.options).follows_libsvm) {
      run.services.shared_rows->set_extent(RowExtent(shared, rows.size()));
    }
  } catch (const Interrupted&) {  // the trainings poll the run as well
  }
}

std::shared_ptr<const RowEngine> problem_engine(const Problem& problem, const svm_parameter& param,
                                                Run& run) {
  const std::size_t rows = problem.size();
  const GoOn go_on = [&run] { return run.poll(); };
  try {
    if (run.services.shared_rows) {
      return make_part_engine(*run.services.shared_rows, problem.x.numbers(rows));
    }
    return make_row_engine(KernelFunction(param), problem.x, rows, kernel_precision(run.options),
                           {go_on, *run.services.pool});
  } catch (const Interrupted&) {
    static constexpr svm_node kEnd = {-1, 0};
    const std::vector<DataRow> empty(rows, &kEnd);
    return make_plain_engine(KernelFunction(param), Examples(empty.data(), rows));
  }
}

std::unique_ptr<PairRows> share_pairs(const Problem& problem, const Classes& classes,
                                      const svm_parameter& param, const Run& run) {
  const RowStore* const store = run.services.shared_rows.get();
  if (store == nullptr || classes.size() < 3 || param.kernel_type == PRECOMPUTED) return nullptr;
  const bool is_dear = kernel_precision(run.options) == Precision::kSingle &&
                       store->engine().value_cost() > kCopyCost;
  if (!is_dear && problem.size() > kFewRowsOfClass * classes.size()) return nullptr;
  std::vector<std::uint32_t> order;
  order.reserve(classes.order.size());
  for (const std::size_t t : classes.order) order.push_back(store->example(problem.x.number(t)));
  std::vector<std::size_t> start = classes.start;
  start.push_back(order.size());
  auto rows = std::make_unique<PairRows>(store->engine(), std::move(order), std::move(start));
  const std::size_t memory = memory_left(param, run) / std::min(run.services.parts, kMostParts);
  return rows->bytes() <= memory / 4 * 3 ? std::move(rows) : nullptr;
}

std::size_t memory_left(const svm_parameter& param, const Run& run) {
  return whole_cache_bytes(param) -
         (run.services.shared_rows ? run.services.shared_rows->budget().total() : 0);
}

}  // namespace svm
