// The functions of the caller's that serve the whole process.
#ifndef SVM_API_CALLBACKS_H_
#define SVM_API_CALLBACKS_H_

#include <functional>

#include "solvers/run/messages.h"

namespace svm {

// Of svm_set_print_string_function() and svm_set_warning_function().
Messages process_messages();

// Of svm_set_random_function(); empty for rand().
std::function<int()> process_draws();

}  // namespace svm

#endif  // SVM_API_CALLBACKS_H_
