// Judges models by the optimality conditions of the problems that they solve, from data and model
// alone.  Shares nothing with the library but svm.h: kernels and sums are its own, in long double.
#ifndef SVM_TESTS_CERTIFICATE_CHECKER_H_
#define SVM_TESTS_CERTIFICATE_CHECKER_H_

#include <string>

#include "svm.h"

namespace svm::test {

// What a solver minimises.
enum class Objective {
  kLibsvm,          // LIBSVM's formulations
  kSquaredSlacks,   // mdm, amdm: docs/mdm.md
  kNoThreshold,     // dcd, avsf: docs/dcd.md; the model has w, not the dual variables
  kEmbedded,        // pegasos, snacks: docs/nystrom.md; likewise
  kFixedThreshold,  // platt with --fixed-threshold: as LIBSVM's C-SVC, with rho 0
};

struct Trained {
  const svm_problem* problem;
  const svm_parameter* param;
  Objective objective;
  double bias;  // of kNoThreshold
  const svm_model* model;
  double reported_objective;  // svm_result
  long long iterations;
  bool is_rounded;  // by kernel values in float, and sums that are carried on: LIBSVM's solver
  const double* row_weights = nullptr;  // svm_options
};

// Sums over the pairs of classes, or their largest.
struct Verdict {
  bool finite = true;  // all numbers of the model
  // By how much box and constraint are missed, relative to the sizes of the variables.
  double infeasibility = 0;
  // Of the optimality conditions, in the units of the tolerance: what a solver compares with it.
  double violation = 0;
  // What the violation may be above the tolerance where all is done as exactly as doubles allow:
  // 2^-50 of the largest sum over s of |coefficient_s| times the sizes of the products that K_st
  // is made of, where the Gaussian kernel's argument counts as gamma (|x_s|^2 + |x_t|^2); and of
  // the labels or targets that the sums are compared with.  LIBSVM's solver has kernel values in
  // floats: 2^-23 of the sum of |coefficient_s K_st| more, each of them 2^-149 |coefficient_s| at
  // least.  And it carries its sums on: 2^-52 for each iteration, and each variable, of the sum
  // of the |K_st| with all variables at their bounds.
  double rounding = 0;
  // By how much thresholds lie outside of the interval that the conditions leave.
  double threshold = 0;
  double dual = 0, primal = 0;  // dual is to be minimised; NaN where the model does not say it
  bool objective_fits = true;   // the reported one, to six digits, but for rounding
};

Verdict check_model(const Trained& trained);

// What is wrong with a model that is said to have converged; empty where nothing is.
std::string complaint(const Trained& trained, const Verdict& verdict);

}  // namespace svm::test

#endif  // SVM_TESTS_CERTIFICATE_CHECKER_H_
