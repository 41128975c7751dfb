// The default number of threads.
#ifndef SVM_BASE_THREADS_THREAD_COUNT_H_
#define SVM_BASE_THREADS_THREAD_COUNT_H_

#include <cstddef>
#include <string>

namespace svm {

// Upper limit of all numbers of threads that a user chooses.
constexpr unsigned kMaxThreads = 1024;

// Value of the environment variable SVM_NUM_THREADS, or processor_threads() if it is unset. 0 if
// the variable is not a number from 1 to kMaxThreads.
unsigned default_threads();

// The number of processors that this process may use, at most kMaxThreads and at most the first
// number of the variable OMP_NUM_THREADS, which belongs to OpenMP: an invalid value counts as none.
unsigned processor_threads();

// The error message for a default_threads() of 0, and the same with the variable's value.
constexpr const char* kThreadsFault =
    "environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024";
std::string threads_fault();
const char* threads_variable();  // null if it is unset or empty

// Converts a caller's number of threads, of which 0 means default_threads(). Throws
// std::invalid_argument if it is too large or the environment variable is invalid.
unsigned thread_count_of_call(std::size_t asked);

}  // namespace svm

#endif  // SVM_BASE_THREADS_THREAD_COUNT_H_
