#include "kernels/kernel_function.h"

#include <cmath>
#include <vector>

namespace svm {
namespace {

double squared_distance(const svm_node* u, const svm_node* v) {
  double sum = 0;
  merge_nodes(
      u, v, [&](double a, double b) { sum += (a - b) * (a - b); }, [&](double a) { sum += a * a; });
  return sum;
}

double dot_of_nodes(const svm_node* u, const svm_node* v) {
  double sum = 0;
  merge_nodes(
      u, v, [&](double a, double b) { sum += a * b; }, [](double) {});
  return sum;
}

// The row's nodes, or a copy in `copy` if it is a view's.
const svm_node* as_nodes(const DataRow& row, std::vector<svm_node>& copy) {
  if (const svm_node* const nodes = row.nodes()) return nodes;
  copy.clear();
  append_nodes(row, copy);
  return copy.data();
}

}  // namespace

double dot(const DataRow& u, const DataRow& v) {
  std::vector<svm_node> copy_of_u, copy_of_v;
  return dot_of_nodes(as_nodes(u, copy_of_u), as_nodes(v, copy_of_v));
}

double integer_power(double base, int exponent) {
  double result = 1.0;
  for (double square = base; exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) result *= square;
  }
  return result;
}

double KernelFunction::of_inner(double inner) const {
  switch (type) {
    case POLY:
      return integer_power(gamma * inner + coef0, degree);
    case RBF:
      return std::exp(-gamma * inner);
    case SIGMOID:
      return std::tanh(gamma * inner + coef0);
    default:
      return inner;
  }
}

bool KernelFunction::is_rounded(double squared_norm) const {
  constexpr double kMost = 1e4;  // rounding error of the exponent, in units of double precision
  return of_distances() && gamma * squared_norm > kMost;
}

double KernelFunction::largest_value(double squared_norm) const {
  if (type == SIGMOID || type == RBF) return 1;
  if (type != POLY || coef0 >= 0) return 0;
  return integer_power(gamma * squared_norm - coef0, degree);
}

double KernelFunction::of_rows(const DataRow& x, const DataRow& support_vector) const {
  double inner = 0;
  inner_of_row(x, &support_vector, 1, &inner);
  return of_inner(inner);
}

void KernelFunction::inner_of_row(const DataRow& x, const DataRows& support_vectors,
                                  std::size_t count, double* inner) const {
  if (type == PRECOMPUTED) return look_up(x, support_vectors, count, inner);
  std::vector<svm_node> copy_of_x, copy;
  const svm_node* const nodes = as_nodes(x, copy_of_x);
  const auto fill = [&](const auto& inner_of) {
    for (std::size_t s = 0; s < count; ++s) {
      inner[s] = inner_of(nodes, as_nodes(support_vectors[s], copy));
    }
  };
  if (of_distances()) return fill(squared_distance);
  fill(dot_of_nodes);
}

}  // namespace svm
