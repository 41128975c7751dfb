// The functions of the caller's that serve the whole process.
#ifndef SVM_API_CALLBACKS_H_
#define SVM_API_CALLBACKS_H_

#include "solvers/run/messages.h"

namespace svm {

// Of svm_set_print_string_function().
Messages process_messages();

}  // namespace svm

#endif  // SVM_API_CALLBACKS_H_
