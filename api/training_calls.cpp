#include "api/training_calls.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "api/border.h"
#include "solvers/run/run.h"
#include "training/call.h"
#include "training/cross_validation.h"
#include "training/train.h"

namespace svm {
namespace {

// Calls `work` with a run made from the options, and stores the run's report in the result.
template <typename Work>
auto run_with_options(const svm_parameter& param, const svm_options* options, svm_result* result,
                      Work work) {
  if (const char* fault = check_result(result)) throw std::invalid_argument(fault);
  Run run(process_messages());
  run.services.draw = process_draws();
  configure(run, param, options);
  auto outcome = work(run);
  store_record(run.record, result);
  return outcome;
}

}  // namespace

ModelPtr train_by_options(const Problem& problem, const svm_parameter& param,
                          const svm_options* options, svm_result* result, bool sorted_classes) {
  return run_with_options(param, options, result, [&](Run& run) {
    run.options.sorted_classes = sorted_classes;
    return train(problem, param, run);
  });
}

std::vector<double> cross_validate_by_options(const Problem& problem, const svm_parameter& param,
                                              int folds, const svm_options* options,
                                              svm_result* result) {
  return run_with_options(param, options, result,
                          [&](Run& run) { return cross_validate(problem, param, folds, run); });
}

Targets::~Targets() { std::fill_n(target_, count_, std::numeric_limits<double>::quiet_NaN()); }

void Targets::write(const std::vector<double>& predictions) {
  std::copy(predictions.begin(), predictions.end(), target_);
  count_ = 0;
}

}  // namespace svm
