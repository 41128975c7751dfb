#include "solvers/run/dual_state.h"

#include <algorithm>

#include "base/platform/numbers.h"

namespace svm {
namespace {

// Puts element t at original[t], for all t.
template <typename Element>
void put_back(std::vector<Element>& elements, const std::vector<std::size_t>& original) {
  std::vector<Element> ordered(elements.size());
  for (std::size_t t = 0; t < elements.size(); ++t) ordered[original[t]] = elements[t];
  elements = std::move(ordered);
}

template <typename Element>
void swap_elements(std::vector<Element>& elements, std::size_t i, std::size_t j) {
  if (!elements.empty()) std::swap(elements[i], elements[j]);
}

}  // namespace

Ends DualState::ends(const std::uint32_t* variables, std::size_t count) const {
  Ends ends;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t t = variables[k];
    ends.of[group(t)].add(t, index_sets(t), f[t]);
  }
  return ends;
}

Ends DualState::ends() const {
  Ends ends;
  for (std::size_t t = 0; t < size(); ++t) ends.of[group(t)].add(t, index_sets(t), f[t]);
  return ends;
}

std::vector<Term> DualState::terms() const {
  std::vector<Term> terms;
  terms.reserve(size() - static_cast<std::size_t>(std::count(alpha.begin(), alpha.end(), 0.0)));
  for (std::size_t t = 0; t < size(); ++t) {
    if (alpha[t] != 0) terms.push_back({t, b(t)});
  }
  return terms;
}

double DualState::compute_objective() const {
  double twice = 0;
  for (std::size_t t = 0; t < size(); ++t) twice += b(t) * (f[t] + linear[t]);
  return twice / 2;
}

std::vector<double> DualState::kernel_sums() && {
  for (std::size_t t = 0; t < f.size(); ++t) f[t] -= linear[t];
  return std::move(f);
}

DualState DualState::part(const std::vector<std::size_t>& variables) const {
  DualState part;
  part.upper.positive = upper.positive;
  part.upper.negative = upper.negative;
  part.two_groups = two_groups;
  part.objective = objective;
  for (const std::size_t t : variables) {
    part.labels.push_back(labels[t]);
    part.alpha.push_back(alpha[t]);
    part.f.push_back(f[t]);
    if (!upper.each.empty()) part.upper.each.push_back(upper.each[t]);
  }
  return part;
}

std::vector<Term> DualState::take_over(const std::vector<std::size_t>& variables,
                                       const DualState& part) {
  std::vector<Term> change;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::size_t t = variables[k];
    if (part.alpha[k] == alpha[t]) continue;
    change.push_back({t, labels[t] * (part.alpha[k] - alpha[t])});
    alpha[t] = part.alpha[k];
  }
  reached_upper = reached_upper || part.reached_upper;
  return change;
}

void DualState::swap(std::size_t i, std::size_t j) {
  std::swap(labels[i], labels[j]);
  std::swap(alpha[i], alpha[j]);
  swap_elements(linear, i, j);
  swap_elements(upper.each, i, j);
  swap_elements(f, i, j);
}

void DualState::reorder(const std::vector<std::size_t>& original) {
  if (std::is_sorted(original.begin(), original.end())) return;  // nothing was exchanged
  put_back(linear, original);
  put_back(labels, original);
  put_back(alpha, original);
  put_back(upper.each, original);
  put_back(f, original);
}

bool add_kernel_sums(KernelMatrix& kernel, const std::vector<double>& weights,
                     const std::vector<std::size_t>& columns, Precision precision,
                     std::vector<double>& sums) {
  if (kernel.copies() == 1) return kernel.add_sums(weights, columns, precision, sums.data());
  std::size_t examples = 0;
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    examples = std::max(examples, kernel.example(t) + 1);
  }
  std::vector<std::size_t> first(examples, kNoIndex);  // the first variable of each example
  std::vector<double> net(kernel.size(), 0.0);
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    std::size_t& of_example = first[kernel.example(t)];
    if (of_example == kNoIndex) of_example = t;
    net[of_example] += weights[t];
  }
  std::vector<std::size_t> distinct, place(examples, kNoIndex);  // of each example in `distinct`
  for (const std::size_t t : columns) {
    std::size_t& of_example = place[kernel.example(t)];
    if (of_example != kNoIndex) continue;
    of_example = distinct.size();
    distinct.push_back(first[kernel.example(t)]);
  }
  std::vector<double> distinct_sums(distinct.size(), 0.0);
  const bool done = kernel.add_sums(net, distinct, precision, distinct_sums.data());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    sums[k] += distinct_sums[place[kernel.example(columns[k])]];
  }
  return done;
}

bool restore_sum(std::vector<BoxedVariable>& variables, double sum) {
  double missing = sum;
  for (const BoxedVariable& v : variables) missing -= v.value;
  const auto room = [&](const BoxedVariable& v) {
    if (!(v.value > v.low && v.value < v.high)) return 0.0;
    const double up = v.high - v.value, down = v.value - v.low;
    const double way = missing > 0 ? up : down;
    return std::isfinite(way) ? way : std::min(up, down);
  };
  double all = 0;
  for (const BoxedVariable& v : variables) all += room(v);
  if (!(std::fabs(missing) <= all)) return false;
  if (missing == 0) return true;
  for (BoxedVariable& v : variables) {
    v.value = std::min(std::max(v.value + missing / all * room(v), v.low), v.high);
  }
  return true;
}

}  // namespace svm
