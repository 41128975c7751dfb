// Predictors that are kept behind the models of this library, for functions that are called with
// one row after the other.
//
// Memory for a svm_model of this library has room behind the struct.  Other models have none, so a
// model has to be known as the library's before that room is looked at.  Its address is a multiple
// of 4096, where the system can allocate such memory that free() frees; it has a mark in the
// padding at the end of the struct, and a tag in the room, which both depend on its address.  So a
// copy of the struct is not taken for the model, and the padding of a caller's struct, which may
// have no value, is hardly ever read.
#ifndef SVM_MODEL_KEPT_PREDICTOR_H_
#define SVM_MODEL_KEPT_PREDICTOR_H_

#include "model/row_predictor.h"
#include "svm.h"

namespace svm {

// Memory for a model, which free() frees, with all members zero and room for a kept predictor.
// Throws std::bad_alloc.
svm_model* allocate_model();

// Frees what is kept behind a model, if the library allocated it.  The model is like one of the
// caller's afterwards.
void free_kept_predictors(svm_model& model) noexcept;

// The predictor that is kept for this model; null if there is none, and rows are predicted from the
// model itself.  It is made at the second call, if the library allocated the model, and within the
// bytes of the support vectors, or those that LIBSVM_PACKED_MODELS says.  A model whose parts were
// replaced since then keeps none any more.  Threads may call at once; one makes the predictor, and
// none waits for it.  `messages` gives those of the predictor.
const RowPredictor* kept_predictor(const svm_model& model, Packing packing, Messages (*messages)());

// The predictor if it is there already; for tests.
const RowPredictor* predictor_at_hand(const svm_model& model, Packing packing);

}  // namespace svm

#endif  // SVM_MODEL_KEPT_PREDICTOR_H_
