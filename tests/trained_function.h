// The decision functions of a model with the rows that they were trained on, and their values
// there.  Shares nothing with the library but svm.h.
#ifndef SVM_TESTS_TRAINED_FUNCTION_H_
#define SVM_TESTS_TRAINED_FUNCTION_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "tests/certificate_checker.h"

namespace svm::test {

using Real = long double;
constexpr Real kFloatUnit = 0x1p-24L, kDoubleUnit = 0x1p-53L;
constexpr Real kLeastFloat = 0x1p-149L;

struct Function {
  std::vector<const svm_node*> rows;  // without rows of weight 0
  std::vector<Real> y;
  // Upper bounds: C times the weights of the row's class and of the row; types without C: the
  // weight.
  std::vector<Real> upper;
  Real rho = 0;
  std::vector<const svm_node*> machines;  // the support vectors, each only once
  std::vector<Real> weights, sizes;       // sums of their coefficients, and of the absolute values
  std::vector<Real> coefficients;         // coefficients of the rows, if the support vectors are
                                          // rows

  std::vector<Real> f;  // sum over the machines of weight * K, at each row
  // Rounding of a difference of two f: in doubles, and the additional rounding of floats.
  Real rounding = 0, float_rounding = 0;
  Real carried = 0;           // rounding of the solver's sums as they are updated, in its scale
  Real norm = 0;              // |w|^2
  Real largest_diagonal = 0;  // of |K(x, x)| of the rows
  std::size_t size() const { return rows.size(); }
};

// The function of classes a and b (numbers in the model), which is its function number `pair`; with
// a == b that of all rows.
Function function_of(const Trained& trained, int a, int b, int pair);

// K(row, vector).
Real kernel_value(const svm_parameter& param, const svm_node* row, const svm_node* vector);

// Rounding of sums in doubles that are updated from the start, if all variables may be at their
// bounds.
Real carried(const Trained& trained, const Function& of);

}  // namespace svm::test

#endif  // SVM_TESTS_TRAINED_FUNCTION_H_
