#include "training/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/check.h"
#include "training/classes.h"

namespace svm {

double sum_of_weights(const Problem& problem) {
  if (problem.weights == nullptr) return static_cast<double>(problem.size());
  return std::accumulate(problem.weights, problem.weights + problem.size(), 0.0);
}

double weighted_bound(const Problem& problem, double of_weight_1, std::size_t t) {
  const double bound = of_weight_1 * problem.weight(t);
  if (problem.weights == nullptr || !(of_weight_1 > 0 && problem.weight(t) > 0)) return bound;
  return std::max(bound, std::numeric_limits<double>::min());
}

const double* checked_weights(const Problem& problem, const svm_parameter& param,
                              const double* weights) {
  if (weights == nullptr) return nullptr;
  const double* const end = weights + problem.size();
  for (const double* each = weights; each != end; ++each) {
    if (*each >= 0 && std::isfinite(*each)) continue;
    const auto row = static_cast<long long>(each - weights) + 1;
    throw std::invalid_argument(joined({"the weight of row ", std::to_string(row),
                                        " is not a finite number >= 0: ", general_text(*each)}));
  }
  if (std::all_of(weights, end, [](double weight) { return weight == 1; })) return nullptr;
  if (!std::isfinite(std::accumulate(weights, end, 0.0))) {
    throw std::invalid_argument("the weights of the rows add up to more than the largest number");
  }
  const Problem weighted(problem.l, problem.y, problem.x, weights);
  if (has_zero_weight(weighted)) {
    const Subset positive = positive_rows(weighted);
    const Problem counted = positive.problem();
    if (counted.l == 0) throw std::invalid_argument("no row has a weight above 0");
    if (is_classification(param.svm_type) && group_classes(counted).size() == 1 &&
        group_classes(problem).size() > 1) {
      throw std::invalid_argument("the rows with a weight above 0 are all of one class");
    }
  }
  if (param.svm_type == NU_SVC && !nu_is_feasible(problem, param.nu, weights)) {
    throw std::invalid_argument("specified nu is infeasible with these weights of the rows");
  }
  return weights;
}

Problem with_weights(const Problem& problem, const svm_parameter& param, const double* weights) {
  return {problem.l, problem.y, problem.x, checked_weights(problem, param, weights)};
}

bool has_zero_weight(const Problem& problem) {
  if (problem.weights == nullptr) return false;
  const double* const end = problem.weights + problem.size();
  return std::find(problem.weights, end, 0.0) != end;
}

Subset positive_rows(const Problem& problem) {
  Subset rows(problem);
  for (std::size_t t = 0; t < problem.size(); ++t) {
    if (problem.weights == nullptr || problem.weights[t] > 0) rows.add(t);
  }
  return rows;
}

}  // namespace svm
