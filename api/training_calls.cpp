#include "api/training_calls.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "api/border.h"
#include "training/call.h"

namespace svm {

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
