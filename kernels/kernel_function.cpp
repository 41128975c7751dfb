#include "kernels/kernel_function.h"

#include <cmath>
#include <vector>

namespace svm {
namespace {

// The merge of squared_distance() and dot() for two rows that are not both nodes.
template <typename AddBoth, typename AddOne>
void merge_rows(const DataRow& one, const DataRow& other, AddBoth add_both, AddOne add_one) {
  RowCursor u(one), v(other);
  while (u.index() != -1 && v.index() != -1) {
    if (u.index() == v.index()) {
      add_both(u.value(), v.value());
      u.next();
      v.next();
    } else {
      RowCursor& first = u.index() < v.index() ? u : v;
      add_one(first.value());
      first.next();
    }
  }
  for (; u.index() != -1; u.next()) add_one(u.value());
  for (; v.index() != -1; v.next()) add_one(v.value());
}

double squared_distance(const DataRow& one, const DataRow& other) {
  const svm_node *u = one.nodes(), *v = other.nodes();
  double sum = 0;
  if (u == nullptr || v == nullptr) {
    merge_rows(
        one, other, [&](double a, double b) { sum += (a - b) * (a - b); },
        [&](double a) { sum += a * a; });
    return sum;
  }
  while (u->index != -1 && v->index != -1) {
    double difference;
    if (u->index == v->index) {
      difference = (u++)->value - (v++)->value;
    } else if (u->index < v->index) {
      difference = (u++)->value;
    } else {
      difference = (v++)->value;
    }
    sum += difference * difference;
  }
  for (; u->index != -1; ++u) sum += u->value * u->value;
  for (; v->index != -1; ++v) sum += v->value * v->value;
  return sum;
}

// The row, or a copy in `copy` if it is a view's: two rows of nodes are merged faster.
DataRow as_nodes(const DataRow& row, std::vector<svm_node>& copy) {
  if (row.nodes() != nullptr) return row;
  copy.clear();
  append_nodes(row, copy);
  return {copy.data()};
}

}  // namespace

double dot(const DataRow& one, const DataRow& other) {
  const svm_node *u = one.nodes(), *v = other.nodes();
  double sum = 0;
  if (u == nullptr || v == nullptr) {
    merge_rows(
        one, other, [&](double a, double b) { sum += a * b; }, [](double) {});
    return sum;
  }
  while (u->index != -1 && v->index != -1) {
    if (u->index == v->index) {
      sum += (u++)->value * (v++)->value;
    } else if (u->index < v->index) {
      ++u;
    } else {
      ++v;
    }
  }
  return sum;
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
  if (type == SIGMOID) return 1;
  if (type != POLY || coef0 >= 0) return 0;
  return integer_power(gamma * squared_norm - coef0, degree);
}

double KernelFunction::of_rows(const DataRow& x, const DataRow& support_vector) const {
  if (type == PRECOMPUTED) {
    double value = 0;
    look_up(x, &support_vector, 1, &value);
    return value;
  }
  return of_inner(of_distances() ? squared_distance(x, support_vector) : dot(x, support_vector));
}

void KernelFunction::of_row(const DataRow& x, const DataRows& support_vectors, std::size_t count,
                            double* values) const {
  if (type == PRECOMPUTED) return look_up(x, support_vectors, count, values);
  std::vector<svm_node> copy_of_x, copy;
  const DataRow nodes = as_nodes(x, copy_of_x);
  for (std::size_t s = 0; s < count; ++s) {
    values[s] = of_rows(nodes, as_nodes(support_vectors[s], copy));
  }
}

}  // namespace svm
