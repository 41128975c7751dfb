#include "training/check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "model/pairs.h"
#include "model/svm_type.h"
#include "training/classes.h"
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

}  // namespace svm
