#include <cstddef>
#include <stdexcept>
#include <utility>

#include "api/forests.h"
#include "api/training_calls.h"
#include "training/check.h"
#include "training/forest/train_forest.h"

namespace svm {
namespace {

ForestPlan plan_of(const svm_forest_plan* given) {
  ForestPlan plan;
  if (given == nullptr) return plan;
  if (given->size != sizeof(*given)) throw std::invalid_argument("svm_forest_plan: wrong size");
  if (given->cell == 1) throw std::invalid_argument("a cell has 2 rows or more");
  if (given->cell != 0) plan.cell = given->cell;
  if (given->trees != 0) plan.trees = given->trees;
  if (given->shares != 0) plan.shares = given->shares;
  plan.share = given->share;
  if (plan.share >= plan.shares) throw std::invalid_argument("share >= shares");
  for (std::size_t k = 0; given->trained != nullptr && k < plan.shares; ++k) {
    ForestHandle& share = handle_of(given->trained[k]);
    share.predictor.reset();
    plan.trained.push_back(&share.forest);
  }
  return plan;
}

}  // namespace
}  // namespace svm

svm_forest* svm_train_forest(const svm_rows* rows, const double* y, const svm_parameter* param,
                             const svm_options* options, const svm_forest_plan* plan,
                             svm_result* result) {
  return svm::guarded<svm_forest*>("svm_train_forest", nullptr, [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    svm::CallRun run(*param, options, result);
    run.use_threads_of(checked.rows());
    svm::RowSource source(svm::with_weights(checked.problem(), *param, run.options.row_weights));
    svm::Forest forest = svm::train_forest(source, *param, svm::plan_of(plan), run);
    if (forest.trees.empty()) throw std::runtime_error("the call ended before a tree was finished");
    run.report();
    return svm::new_handle(std::move(forest));
  });
}
