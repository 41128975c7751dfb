// The option --threads and the environment variable behind it.
#ifndef SVM_CLI_THREADS_OPTION_H_
#define SVM_CLI_THREADS_OPTION_H_

#include <cstddef>
#include <string>

#include "cli/options.h"

namespace svm::cli {

// Stores the number in `threads`, which must outlive the option.  `what` is done on the threads.
Option threads_option(const std::string& what, std::size_t& threads);

// `threads`, or where that is 0 the default.  Throws Failure where SVM_NUM_THREADS is needed and
// holds no number of threads.
unsigned thread_count(std::size_t threads);

}  // namespace svm::cli

#endif  // SVM_CLI_THREADS_OPTION_H_
