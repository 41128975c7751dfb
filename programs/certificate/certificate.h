// How good a model is, computed from the model and the rows that it was trained on.
#ifndef SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_
#define SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_

#include "programs/certificate/binary_certificate.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Certifies a model that svm-train made from these rows and parameters with the solver and the
// options of `run`; not a loaded model, which has rounded rows and coefficients.  Computes the
// kernel values of support vectors in doubles on the run's threads and keeps none.  Throws
// std::invalid_argument if model and problem do not fit, PrecomputedRowError and std::bad_alloc.
Certificate certify(const Problem& problem, const svm_parameter& param, const svm_model& model,
                    const Run& run);

}  // namespace svm

#endif  // SVM_PROGRAMS_CERTIFICATE_CERTIFICATE_H_
