#include "api/training_calls.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/border.h"
#include "base/platform/index_range.h"
#include "base/threads/primitives.h"
#include "model/compact.h"
#include "model/model_view.h"
#include "model/svm_type.h"
#include "training/call.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/forest/train_forest.h"
#include "training/metric/learn_metric.h"
#include "training/random.h"
#include "training/train.h"

namespace svm {
namespace {

// The function of svm_set_random_function(), or null.
struct ProcessDraws {
  int (*random)(int n, void* user) = nullptr;
  void* user = nullptr;
};
ProcessDraws process_draw_function;
Mutex draws_mutex;  // guards it

// Draws by the function that is set for the process; empty if none is.
Draw process_draws() {
  const std::lock_guard<Mutex> lock(draws_mutex);
  const ProcessDraws draws = process_draw_function;
  return draws.random == nullptr ? Draw() : draws_of_caller(draws.random, draws.user);
}

// Checks that LIBSVM's svm_check_parameter lacks.
const char* check_numbers(const svm_parameter& param) {
  const int kernel = param.kernel_type;
  if (has_gamma(kernel) && !std::isfinite(param.gamma)) return "gamma is not finite";
  if (has_coef0(kernel) && !std::isfinite(param.coef0)) return "coef0 is not finite";
  if (param.nr_weight < 0) return "nr_weight < 0";
  return nullptr;
}

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
    plan.trained.push_back(&take_forest(given->trained[k]));
  }
  plan.learns_metric = given->no_metric == 0;
  if (given->weights == nullptr || given->features == 0) return plan;
  if (given->features > INT_MAX) throw std::invalid_argument("svm_forest_plan: features > INT_MAX");
  std::vector<double> weights(given->weights, given->weights + given->features);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] >= 0 && std::isfinite(weights[j])) continue;
    throw std::invalid_argument("svm_forest_plan: weights[" + std::to_string(j) +
                                "] is negative or not finite");
  }
  plan.weights = {index_range<int>(1, given->features + 1), std::move(weights)};
  return plan;
}

}  // namespace

RowsProblem::RowsProblem(const svm_rows& rows, const double* y, const svm_parameter& param,
                         const svm_options* options)
    : rows_(rows, param.kernel_type), problem_(static_cast<int>(rows_.size()), y, rows_.rows()) {
  if (rows_.size() == 0) throw std::invalid_argument("there are no rows to train on");
  if (y == nullptr) throw std::invalid_argument("y is null");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (std::isfinite(y[i])) continue;
    throw std::invalid_argument("y[" + std::to_string(i) + "] is not finite");
  }
  const double* const weights = checked_weights(problem_, param, row_weights_of(options));
  const char* fault = check_parameters(problem_, param, weights);
  if (fault == nullptr) fault = check_numbers(param);
  if (fault != nullptr) throw std::invalid_argument(fault);
}

CallRun::CallRun(const svm_parameter& param, const svm_options* given, svm_result* result)
    : Run(process_messages()), given_(given), result_(result) {
  if (const char* fault = check_result(result)) throw std::invalid_argument(fault);
  services.draw = process_draws();
  configure(*this, param, given);
}

CallRun::CallRun(const svm_parameter& param) : Run(process_messages()) {
  services.draw = process_draws();
  configure(*this, param, nullptr, BadVariables::kIgnore);
}

void CallRun::use_threads_of(const CallerRows& rows) {
  const unsigned threads = services.pool->threads();
  if (rows.threads(threads) < threads) services.pool = std::make_shared<ThreadPool>(1);
}

ModelPtr CallRun::train(const Problem& problem, const svm_parameter& param) {
  ModelPtr model = svm::train(problem, param, *this);
  report();
  return model;
}

ModelPtr CallRun::train_rows(const RowsProblem& rows, const svm_parameter& param) {
  use_threads_of(rows.rows());
  ModelPtr model = train(rows.problem(), param);
  drop_class_weights(*model);
  own_vectors(*model);
  return model;
}

void CallRun::report() const {
  store_record(record, result_);
  store_machines(machines, given_);
}

Targets::~Targets() { std::fill_n(target_, count_, std::numeric_limits<double>::quiet_NaN()); }

void Targets::cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                             CallRun& run) {
  const std::vector<double> predictions = svm::cross_validate(problem, param, folds, run);
  run.report();
  std::copy(predictions.begin(), predictions.end(), target_);
  count_ = 0;
}

}  // namespace svm

void svm_set_random_function(int (*random)(int n, void* user), void* user) {
  const std::lock_guard<svm::Mutex> lock(svm::draws_mutex);
  svm::process_draw_function = {random, user};
}

svm_model* svm_train_rows(const svm_rows* rows, const double* y, const svm_parameter* param,
                          const svm_options* options, svm_result* result) {
  return svm::guarded_model("svm_train_rows", [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    return svm::CallRun(*param, options, result).train_rows(checked, *param);
  });
}

int svm_cross_validate_rows(const svm_rows* rows, const double* y, const svm_parameter* param,
                            int nr_fold, const svm_options* options, double* target,
                            svm_result* result) {
  const bool rows_are_known = rows->size == sizeof(*rows) && rows->rows <= INT_MAX;
  svm::Targets targets(target, rows_are_known ? rows->rows : 0);
  return svm::guarded("svm_cross_validate_rows", -1, [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    svm::CallRun run(*param, options, result);
    run.use_threads_of(checked.rows());
    targets.cross_validate(checked.problem(), *param, nr_fold, run);
    return 0;
  });
}

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
    return svm::new_forest(std::move(forest));
  });
}

int svm_learn_metric(const svm_rows* rows, const double* y, const svm_parameter* param,
                     const svm_options* options, const svm_forest_plan* plan, size_t features,
                     double* weights) {
  return svm::guarded("svm_learn_metric", -1, [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    svm::CallRun run(*param, options, nullptr);
    run.use_threads_of(checked.rows());
    svm::RowSource source(svm::with_weights(checked.problem(), *param, run.options.row_weights));
    const svm::Metric metric = plan == nullptr
                                   ? svm::machine_metric(source.problem(), *param, run)
                                   : svm::forest_metric(source, *param, svm::plan_of(plan), run);
    if (run.interrupted()) throw std::runtime_error("the call ended before a metric was learned");
    const std::vector<int>& indices = metric.weights.indices();
    if (!indices.empty() &&
        (indices.front() < 1 || static_cast<size_t>(indices.back()) > features)) {
      throw std::invalid_argument("a row has a feature beyond those that are to get weights");
    }
    for (size_t j = 0; j < features; ++j) weights[j] = metric.weights.of(static_cast<int>(j) + 1);
    return indices.empty() ? 0 : 1;
  });
}

void svm_init_options(svm_options* options, size_t size) { svm::init_options(options, size); }

const char* svm_check_options(const svm_parameter* param, const svm_options* options) {
  return svm::guarded<const char*>("svm_check_options", "out of memory",
                                   [&] { return svm::check_options(param, options); });
}

const char* svm_list_solvers(void) {
  return svm::guarded<const char*>("svm_list_solvers", "", [] { return svm::solver_list(); });
}

svm_model* svm_compact_model(const svm_model* model) {
  return svm::guarded_model("svm_compact_model", [&] { return svm::compact_model(*model); });
}
