// The decision functions of a model with the rows that they were trained on, evaluated at these.
// Shares nothing with the library but svm.h.
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
  std::vector<const svm_node*> rows;  // those of weight 0 are none
  std::vector<Real> y;
  // C times the weights of its class and of itself; without C where there is none.
  std::vector<Real> upper;
  Real rho = 0;
  std::vector<const svm_node*> machines;  // the support vectors, equal ones once
  std::vector<Real> weights, sizes;       // sums of their coefficients, and of the absolute values
  std::vector<Real> coefficients;         // those of the rows, where the machines are rows

  std::vector<Real> f;  // sum over the machines of weight K, at each row
  // Of a difference of two of them, in doubles, and what floats add.
  Real rounding = 0, float_rounding = 0;
  Real carried = 0;  // what the solver's sums lose while they are carried on, in its scale
  Real norm = 0;     // |w|^2
  std::size_t size() const { return rows.size(); }
};

// That of classes a and b, numbers of the model, which is its function number `pair`; with a == b
// of all rows.
Function function_of(const Trained& trained, int a, int b, int pair);

// What sums in doubles lose while they are carried on from the start, where all variables may be at
// their bounds.
Real carried(const Trained& trained, const Function& of);

}  // namespace svm::test

#endif  // SVM_TESTS_TRAINED_FUNCTION_H_
