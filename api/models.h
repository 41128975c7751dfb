// Models in files, for the functions of the C interface.
#ifndef SVM_API_MODELS_H_
#define SVM_API_MODELS_H_

#include "model/model_memory.h"

namespace svm {

// Reads a model file.  Warns of a model with infinite or NaN coefficients, and with LIBSVM's lines
// of a file that is no model, for which it throws std::runtime_error.
ModelPtr load_model(const char* file);

}  // namespace svm

#endif  // SVM_API_MODELS_H_
