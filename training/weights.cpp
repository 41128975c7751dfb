#include "training/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/check.h"
#include "training/classes.h"

namespace svm {

double Costs::sum_of_weights(std::size_t rows) const {
  if (weights == nullptr) return static_cast<double>(rows);
  return std::accumulate(weights, weights + rows, 0.0);
}

double Costs::bound(double of_weight_1, std::size_t t) const {
  if (weights == nullptr || !(of_weight_1 > 0 && weights[t] > 0)) return of_weight_1 * weight(t);
  return std::max(of_weight_1 * weights[t], std::numeric_limits<double>::min());
}

const double* checked_weights(const Problem& problem, const svm_parameter& param,
                              const double* weights) {
  if (weights == nullptr) return nullptr;
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  const double* const end = weights + rows;
  for (const double* each = weights; each != end; ++each) {
    if (*each >= 0 && std::isfinite(*each)) continue;
    const auto row = static_cast<long long>(each - weights) + 1;
    throw std::invalid_argument(
        format("the weight of row %lld is not a finite number >= 0: %g", row, *each));
  }
  if (std::all_of(weights, end, [](double weight) { return weight == 1; })) return nullptr;
  if (!std::isfinite(std::accumulate(weights, end, 0.0))) {
    throw std::invalid_argument("the weights of the rows add up to more than the largest number");
  }
  if (has_zero(weights, rows)) {
    PositiveRows positive(problem, weights);
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

bool has_zero(const double* weights, std::size_t rows) {
  return weights != nullptr && std::find(weights, weights + rows, 0.0) != weights + rows;
}

PositiveRows::PositiveRows(const Problem& problem, const double* weights) {
  for (std::size_t t = 0; t < static_cast<std::size_t>(problem.l); ++t) {
    if (weights != nullptr && weights[t] == 0) continue;
    rows_.add(problem.x[t], problem.y[t]);
    rows_.add_weight_of(weights, t);
    numbers_.push_back(t);
  }
}

std::vector<std::size_t> PositiveRows::of_these(const std::vector<std::size_t>& of_all) const {
  std::vector<std::size_t> picked;
  picked.reserve(numbers_.size());
  for (const std::size_t t : numbers_) picked.push_back(of_all[t]);
  return picked;
}

void PositiveRows::count_all(int* numbers, std::size_t count) const {
  for (std::size_t k = 0; k < count; ++k) {
    numbers[k] = static_cast<int>(numbers_[static_cast<std::size_t>(numbers[k]) - 1]) + 1;
  }
}

}  // namespace svm
