// Judges models by the optimality conditions of the problems that they solve, from data and model
// alone.  Shares nothing with the library but svm.h: it computes kernels and sums itself, in long
// double.
#ifndef SVM_TESTS_CERTIFICATE_CHECKER_H_
#define SVM_TESTS_CERTIFICATE_CHECKER_H_

#include <string>

#include "svm.h"

namespace svm::test {

// What a solver minimises.
enum class Objective {
  kLibsvm,          // LIBSVM's formulations
  kSquaredSlacks,   // mdm, amdm: docs/mdm.md
  kNoThreshold,     // dcd, avsf: docs/dcd.md; the model has w instead of the dual variables
  kEmbedded,        // pegasos, snacks: docs/nystrom.md; likewise
  kFixedThreshold,  // platt with --fixed-threshold: LIBSVM's C-SVC with rho 0
};

struct Trained {
  const svm_problem* problem;
  const svm_parameter* param;
  Objective objective;
  double bias;  // for kNoThreshold
  const svm_model* model;
  double reported_objective;  // svm_result
  long long iterations;
  bool is_rounded;  // LIBSVM's solver: kernel values in float, sums updated in every step
  const double* row_weights = nullptr;  // svm_options
};

// Sums or maxima over the pairs of classes.
struct Verdict {
  bool finite = true;  // all numbers of the model are finite
  // Violation of box and constraint, relative to the sizes of the variables.
  double infeasibility = 0;
  // Violation of the optimality conditions, in the units of the tolerance: what a solver compares
  // with it.
  double violation = 0;
  // How far the violation may exceed the tolerance if everything is as exact as doubles allow:
  // 2^-50 of the largest sum over s of |coefficient_s| times the sizes of the products that K_st is
  // made of (for the Gaussian kernel, gamma (|x_s|^2 + |x_t|^2)), and of the labels or targets that
  // the sums are compared with.  LIBSVM's solver adds two errors.  Its kernel values are floats:
  // 2^-23 of the sum of |coefficient_s K_st|, and at least 2^-149 |coefficient_s| for each value.
  // And it updates its sums: for each iteration and each variable, 2^-52 of the sum of the |K_st|
  // with all variables at their bounds.
  double rounding = 0;
  // Distance of thresholds from the interval that the conditions permit.
  double threshold = 0;
  double dual = 0, primal = 0;  // dual is minimised; NaN if the model does not determine it
  bool objective_fits = true;   // the reported objective agrees to six digits, except for rounding
};

Verdict check_model(const Trained& trained);

// What is wrong with a model whose status is "converged"; empty if nothing is.
std::string complaint(const Trained& trained, const Verdict& verdict);

}  // namespace svm::test

#endif  // SVM_TESTS_CERTIFICATE_CHECKER_H_
