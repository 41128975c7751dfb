#include "api/training_calls.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "api/border.h"
#include "threads/primitives.h"
#include "training/call.h"
#include "training/random.h"

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

void Targets::write(const std::vector<double>& predictions) {
  std::copy(predictions.begin(), predictions.end(), target_);
  count_ = 0;
}

}  // namespace svm

void svm_set_random_function(int (*random_func)()) { svm::set_process_draws({random_func}); }

void svm_set_random_below_function(int (*random_below)(int n, void* user), void* user) {
  svm::set_process_draws({nullptr, random_below, user});
}
