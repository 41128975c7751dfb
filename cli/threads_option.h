// The option --threads and the environment variable behind it.
#ifndef SVM_CLI_THREADS_OPTION_H_
#define SVM_CLI_THREADS_OPTION_H_

#include "cli/options.h"

namespace svm::cli {

// Stores the number in `threads`, which must outlive the option.
Option threads_option(int& threads);

// `threads`, or where that is 0 the number in SVM_NUM_THREADS, or else that of the processors.
// Throws Failure where the variable is needed and holds no such number.
unsigned thread_count(int threads);

}  // namespace svm::cli

#endif  // SVM_CLI_THREADS_OPTION_H_
