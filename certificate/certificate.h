// How good a model is, by the rows that it was trained on and itself alone.
#ifndef SVM_CERTIFICATE_CERTIFICATE_H_
#define SVM_CERTIFICATE_CERTIFICATE_H_

#include "certificate/binary_certificate.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Of a model that svm_train_ex() made from these rows and parameters, with the solver and the
// options of `run`, not of one that was loaded: rows and coefficients are taken as they were in
// training.  Kernel values are doubles, computed on the run's threads, for support vectors only and
// without being kept.  Throws std::invalid_argument where model and problem do not go together,
// PrecomputedRowError and std::bad_alloc.
Certificate certify(const Problem& problem, const svm_parameter& param, const svm_model& model,
                    const Run& run);

}  // namespace svm

#endif  // SVM_CERTIFICATE_CERTIFICATE_H_
