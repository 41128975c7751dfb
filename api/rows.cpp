#include "api/rows.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "model/svm_type.h"
#include "training/call.h"
#include "training/check.h"
#include "training/weights.h"

namespace svm {
namespace {

// Checks that LIBSVM's svm_check_parameter lacks.
const char* check_numbers(const svm_parameter& param) {
  const int kernel = param.kernel_type;
  if (has_gamma(kernel) && !std::isfinite(param.gamma)) return "gamma is not finite";
  if (has_coef0(kernel) && !std::isfinite(param.coef0)) return "coef0 is not finite";
  if (param.nr_weight < 0) return "nr_weight < 0";
  return nullptr;
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

}  // namespace svm
