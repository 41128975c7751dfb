// Predictors that are kept for the models of this library, for functions that are called with one
// row after the other.  A table has them by the addresses sv_coef of models, until LIBSVM's
// functions free these contents; callers may copy the struct and free() it.
#ifndef SVM_MODEL_KEPT_PREDICTOR_H_
#define SVM_MODEL_KEPT_PREDICTOR_H_

#include "model/predictor.h"
#include "svm.h"

namespace svm {

// Makes room for the predictor of a complete model that the caller gets.  Throws std::bad_alloc.
void keep_predictor_for(const svm_model& model);

// Frees what is kept for a model, which may be a copy of the struct.  The model is like one of the
// caller's afterwards.
void free_kept_predictor(const svm_model& model) noexcept;

// The predictor that is kept for this model; null if there is none, and rows are predicted from the
// model itself.  It is made at the second call, if there is room for it, within twice the bytes of
// the support vectors, or those that LIBSVM_PACKED_MODELS says.  A model whose parts were replaced
// since then keeps none any more.  Threads may call at once; one makes the predictor, and none
// waits for it.  `messages` gives those of the predictor.
const Predictor* kept_predictor(const svm_model& model, Messages (*messages)());

}  // namespace svm

#endif  // SVM_MODEL_KEPT_PREDICTOR_H_
