// Smaller models of the same decision functions.
#ifndef SVM_MODEL_COMPACT_H_
#define SVM_MODEL_COMPACT_H_

#include "model/model_memory.h"
#include "svm.h"

namespace svm {

// See svm_compact_model.  Throws std::invalid_argument if nSV does not sum to the number of support
// vectors, or std::bad_alloc.
ModelPtr compact_model(const svm_model& model);

}  // namespace svm

#endif  // SVM_MODEL_COMPACT_H_
