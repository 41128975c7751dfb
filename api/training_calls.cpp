#include "api/training_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "api/border.h"
#include "base/threads/primitives.h"
#include "model/compact.h"
#include "training/call.h"
#include "training/cross_validation.h"
#include "training/random.h"
#include "training/train.h"

namespace svm {
namespace {

// At most one of the functions is set.
struct ProcessDraws {
  int (*random)() = nullptr;
  int (*random_below)(int n, void* user) = nullptr;
  void* user = nullptr;
};
ProcessDraws process_draw_functions;
Mutex draws_mutex;  // guards it

void set_process_draws(const ProcessDraws& draws) {
  const std::lock_guard<Mutex> lock(draws_mutex);
  process_draw_functions = draws;
}

// Draws by the function that is set for the process; empty if none is.
Draw process_draws() {
  const std::lock_guard<Mutex> lock(draws_mutex);
  const ProcessDraws draws = process_draw_functions;
  if (draws.random_below != nullptr) return draws_below(draws.random_below, draws.user);
  if (draws.random == nullptr) return nullptr;
  return draws_of_caller([random = draws.random](std::uint32_t) { return random(); });
}

}  // namespace

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

void svm_set_random_function(int (*random_func)()) { svm::set_process_draws({random_func}); }

void svm_set_random_below_function(int (*random_below)(int n, void* user), void* user) {
  svm::set_process_draws({nullptr, random_below, user});
}

svm_model* svm_train_ex(const svm_problem* prob, const svm_parameter* param,
                        const svm_options* options, svm_result* result) {
  return svm::guarded<svm_model*>("svm_train_ex", nullptr, [&] {
    svm::CallRun run(*param, options, result);
    svm::ModelPtr model = svm::train(*prob, *param, run);
    run.report();
    return model.release();
  });
}

int svm_cross_validation_ex(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                            const svm_options* options, double* target, svm_result* result) {
  svm::Targets targets(target, static_cast<std::size_t>(std::max(prob->l, 0)));
  return svm::guarded("svm_cross_validation_ex", -1, [&] {
    svm::CallRun run(*param, options, result);
    targets.cross_validate(*prob, *param, nr_fold, run);
    return 0;
  });
}

void svm_init_options(svm_options* options, size_t size) { svm::init_options(options, size); }

// The function sets no more members because its callers were compiled before there were more.
void(svm_default_options)(svm_options* options) {
  svm::init_options(options, offsetof(svm_options, reserved) + sizeof(options->reserved));
}

const char* svm_check_options(const svm_parameter* param, const svm_options* options) {
  return svm::guarded<const char*>("svm_check_options", "out of memory",
                                   [&] { return svm::check_options(param, options); });
}

const char* svm_list_solvers(void) {
  return svm::guarded<const char*>("svm_list_solvers", "", [] { return svm::solver_list(); });
}

svm_model* svm_compact_model(const svm_model* model) {
  return svm::guarded<svm_model*>("svm_compact_model", nullptr,
                                  [&] { return svm::compact_model(*model).release(); });
}
