// How good a model is, computed from the model and the rows that it was trained on, by the formulas
// of docs/check.md.
#ifndef SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_
#define SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_

#include <cstddef>
#include <vector>

#include "solvers/run/dual_state.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// The certificate of a binary problem, or of all that a model was made from: the largest violations
// and the sums of the objectives.  Numbers are NaN if kernel values are.
struct Certificate {
  std::size_t problems = 0;
  // The coefficients of the model are dual variables.  Otherwise only the primal objective is
  // known.
  bool has_dual = true;
  double violation = 0;         // of the optimality conditions, as solvers measure it
  double rounding = 0;          // bounds the error of this violation, which is that of its sums
  double infeasibility = 0;     // of the constraints, in units of the dual variables
  double dual_objective = 0;    // minimised; training prints it as "obj"
  double primal_objective = 0;  // minimised; at the optimum the negative dual objective

  // True if it is certain that the violation is at most `tolerance`, or that it is above.
  bool is_within(double tolerance) const { return violation + rounding <= tolerance; }
  bool is_beyond(double tolerance) const { return violation - rounding > tolerance; }
  double gap() const { return primal_objective + dual_objective; }
  void add(const Certificate& other);
};

// A decision function f(x) = w'phi(x) - rho at the rows that it was trained on.
struct BinarySolution {
  Problem problem;    // labels +1 and -1, or targets; borrowed
  UpperBounds costs;  // C of both classes for rows of weight 1 (C-SVC only)
  double rho;
  std::vector<double> coefficients;  // one for each row, with the sign of its label
  std::vector<double> values = {};   // w'phi(x) for each row
  double value_error = 0;            // bounds the error of these
  double squared_norm = 0;           // w'w
};

// The margin r by which the dual variables of nu-SVC are divided in this solution; 1 for other SVM
// types.
double margin_of(const BinarySolution& solution, const svm_parameter& param);

// `run` has the solver and its options.
Certificate certify_binary(const BinarySolution& solution, const svm_parameter& param,
                           const Run& run);

// Certifies a model that svm-train made from these rows and parameters with the solver and the
// options of `run`; not a loaded model, which has rounded rows and coefficients.  Computes the
// kernel values of support vectors in doubles on the run's threads and keeps none.  Throws
// std::invalid_argument if model and problem do not fit, PrecomputedRowError and std::bad_alloc.
Certificate certify(const Problem& problem, const svm_parameter& param, const svm_model& model,
                    const Run& run);

// How much decision values of the model for some rows change, at most, if the values of its support
// vectors have so many digits as in a file.
double change_by_digits(const svm_problem& problem, const svm_model& model, int digits);

}  // namespace svm

#endif  // SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_
