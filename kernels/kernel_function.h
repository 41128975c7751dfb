// Kernels as functions of two rows, value by value.
#ifndef SVM_KERNELS_KERNEL_FUNCTION_H_
#define SVM_KERNELS_KERNEL_FUNCTION_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "kernels/kernel_types.h"
#include "kernels/precomputed_row.h"
#include "svm.h"

namespace svm {

struct KernelFunction {
  explicit KernelFunction(const svm_parameter& param)
      : type(param.kernel_type), degree(param.degree), gamma(param.gamma), coef0(param.coef0) {}

  // K(u, v) from |u - v|^2 if of_distances(), else from u'v; for PRECOMPUTED `inner` itself.
  double of_inner(double inner) const;
  bool of_distances() const { return is_of_distances(type); }

  // K(u, v) from u'v, |u|^2 and |v|^2: the form used in training.
  double of_dot(double dot, double norm_u, double norm_v) const {
    return of_inner(of_distances() ? norm_u + norm_v - 2 * dot : dot);
  }

  // K(x, support_vector) from the rows: the form used in prediction, with distances as sums of
  // squared differences.  The two forms differ in their last bits, and LIBSVM's results depend on
  // that.  PRECOMPUTED looks up x at the serial number of the support vector; throws
  // PrecomputedRowError if there is no such number or x is too short.
  double of_rows(const DataRow& x, const DataRow& support_vector) const;

  // What of_inner() makes these values of, for many support vectors: squared distances or dot
  // products; for PRECOMPUTED the values themselves.  Walks a precomputed row only once.
  void inner_of_row(const DataRow& x, const DataRows& support_vectors, std::size_t count,
                    double* inner) const;

  // True if, for rows with squared norms up to `squared_norm`, norms may be so large beside
  // distances that of_dot() loses too many digits for values in doubles.  Use of_rows() then.
  bool is_rounded(double squared_norm) const;

  // Upper bound of |K(u, v)| over rows with squared norms up to `squared_norm`; 0 if only diagonal
  // values give one.  They do not if the kernel may be indefinite.
  double largest_value(double squared_norm) const;

  int type;
  int degree;
  double gamma;
  double coef0;
};

// Walks two rows by rising index: calls both(a, b) for the values of a feature that both have, and
// one(a) for that of a feature that only one has.
template <typename Both, typename One>
void merge_nodes(const svm_node* u, const svm_node* v, const Both& both, const One& one) {
  while (u->index != -1 && v->index != -1) {
    if (u->index == v->index) {
      both((u++)->value, (v++)->value);
    } else {
      one((u->index < v->index ? u : v)++->value);
    }
  }
  for (; u->index != -1; ++u) one(u->value);
  for (; v->index != -1; ++v) one(v->value);
}

// Sum of products over equal indices, in index order.
double dot(const DataRow& u, const DataRow& v);

// base^exponent by repeated squaring; 1 for exponent <= 0.
double integer_power(double base, int exponent);

}  // namespace svm

#endif  // SVM_KERNELS_KERNEL_FUNCTION_H_
