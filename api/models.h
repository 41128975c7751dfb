// What functions that write models and forests share.
#ifndef SVM_API_MODELS_H_
#define SVM_API_MODELS_H_

#include <cstddef>
#include <functional>

#include "model/model_file.h"

namespace svm {

// The digits of a text whose features have so many; 0 stands for LIBSVM's.  Throws
// std::invalid_argument.
ModelDigits digits_of(int features);

// A copy from malloc of the text that `write` passes on.  *size receives its bytes unless it is
// null.
char* text_of(const std::function<void(const TextSink&)>& write, std::size_t* size);

}  // namespace svm

#endif  // SVM_API_MODELS_H_
