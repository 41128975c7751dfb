#include "training/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "model/pairs.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/machines.h"

namespace svm {
namespace {

// Calls visit(n_a, n_b) for all pairs of classes with the sums of their rows' weights.  Skips
// classes whose rows all have weight 0.
template <typename Visit>
void for_each_pair_of_sizes(const Problem& problem, const double* weights, Visit visit) {
  const Classes classes = group_classes(problem);
  std::vector<double> sizes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    double size = 0;
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      size += weights == nullptr ? 1 : weights[classes.order[classes.start[c] + k]];
    }
    if (size > 0) sizes.push_back(size);
  }
  for_each_pair(sizes.size(),
                [&](std::size_t, std::size_t a, std::size_t b) { visit(sizes[a], sizes[b]); });
}

}  // namespace

const char* cost_fault(const std::vector<double>& costs) {
  for (const double cost : costs) {
    if (!(cost >= 0)) return cost < 0 ? "weight of a class < 0" : "weight of a class is NaN";
  }
  return nullptr;
}

bool nu_is_feasible(const Problem& problem, double nu, const double* weights) {
  // The relative rounding error of a sum of fractions.
  const double rounding = weights == nullptr ? 0 : 1e-12 + problem.l * 0x1p-52;
  bool feasible = true;
  for_each_pair_of_sizes(problem, weights, [&](double a, double b) {
    if (nu * (a + b) / 2 > std::min(a, b) * (1 + rounding)) feasible = false;
  });
  return feasible;
}

double largest_feasible_nu(const Problem& problem, const double* weights) {
  double largest = 1;
  for_each_pair_of_sizes(problem, weights, [&](double a, double b) {
    largest = std::min(largest, 2 * std::min(a, b) / (a + b));
  });
  return largest;
}

const char* check_parameters(const Problem& problem, const svm_parameter& param,
                             const double* weights) {
  const int type = param.svm_type;
  const int kernel = param.kernel_type;
  if (type < C_SVC || type > NU_SVR) return "unknown svm type";
  if (!is_kernel_type(kernel)) return "unknown kernel type";
  const bool uses_cost = type == C_SVC || type == EPSILON_SVR || type == NU_SVR;
  const bool uses_nu = type == NU_SVC || type == ONE_CLASS || type == NU_SVR;
  // The comparisons are written so that NaN fails.
  if (has_gamma(kernel) && !(param.gamma >= 0)) return "gamma < 0";
  if (has_degree(kernel) && param.degree < 0) return "degree of polynomial kernel < 0";
  if (!(param.cache_size > 0)) return "cache_size <= 0";
  if (!(param.eps > 0)) return "eps <= 0";
  if (uses_cost && !(param.C > 0)) return "C <= 0";
  if (uses_nu && !(param.nu > 0 && param.nu <= 1)) return "nu <= 0 or nu > 1";
  if (type == EPSILON_SVR && !(param.p >= 0)) return "p < 0";
  if (param.shrinking != 0 && param.shrinking != 1) return "shrinking != 0 and shrinking != 1";
  if (param.probability != 0 && param.probability != 1) {
    return "probability != 0 and probability != 1";
  }
  if (type == NU_SVR && std::isinf(param.C)) return "C is infinite";
  if (type == C_SVC && param.nr_weight > 0) {
    const char* const fault =
        cost_fault(class_costs(group_classes(problem), param, Messages(nullptr)));
    if (fault != nullptr) return fault;
  }
  if (type == NU_SVC && !nu_is_feasible(problem, param.nu, weights))
    return "specified nu is infeasible";
  return nullptr;
}

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
