// Runs a program and collects what it says.
#ifndef SVM_TESTS_PROCESS_H_
#define SVM_TESTS_PROCESS_H_

#include <string>
#include <vector>

namespace svm::test {

struct ProcessResult {
  int status = -1;  // exit status; 128 + signal number where a signal ended it
  std::string out;  // standard output
  std::string err;  // standard error
  // Most memory held at a time, in KiB as Linux counts it; not less than this process held.
  long peak_memory = 0;
};

#ifdef SVM_SANITIZED
constexpr bool kMemoryIsTold = false;
#else
constexpr bool kMemoryIsTold = true;
#endif
constexpr const char* kMemoryIsUnknown = "sanitizers take memory of their own";

// argv[0] is the program's path.  `input` is its standard input and `folder` its working folder
// (empty: this process's).  Throws std::system_error where the program cannot be started.  SIGALRM
// ends it where it runs for minutes.
ProcessResult run(const std::vector<std::string>& argv, const std::string& input = {},
                  const std::string& folder = {});

}  // namespace svm::test

#endif  // SVM_TESTS_PROCESS_H_
