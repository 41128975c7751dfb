// How many threads to use where no number is given.
#ifndef SVM_THREADS_THREAD_COUNT_H_
#define SVM_THREADS_THREAD_COUNT_H_

#include <cstddef>

namespace svm {

// More than this many threads are refused where a user may choose.
constexpr unsigned kMaxThreads = 1024;

// What the environment variable SVM_NUM_THREADS says, or else the number of processors that this
// process may use, at most kMaxThreads; 0 where the variable holds no number from 1 to kMaxThreads.
unsigned default_threads();

// What is wrong where default_threads() is 0, and what the variable holds.
constexpr const char* kThreadsFault =
    "environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024";
const char* threads_variable();  // null where it is not set, or empty

// What a caller's number of threads means: 0 is default_threads().  Throws std::invalid_argument
// where it is too large, or the variable is at fault.
unsigned thread_count_of_call(std::size_t asked);

}  // namespace svm

#endif  // SVM_THREADS_THREAD_COUNT_H_
