// Runs a program and collects its output.
#ifndef SVM_TESTS_PROCESS_H_
#define SVM_TESTS_PROCESS_H_

#include <string>
#include <vector>

namespace svm::test {

struct ProcessResult {
  int status = -1;  // exit status; 128 + signal number if a signal ended it
  std::string out;  // standard output
  std::string err;  // standard error
  // Peak memory in KiB as Linux counts it; at least that of this process.
  long peak_memory = 0;
};

#ifdef SVM_SANITIZED
constexpr bool kMemoryIsTold = false;
#else
constexpr bool kMemoryIsTold = true;
#endif
constexpr const char* kMemoryIsUnknown = "sanitizers take memory of their own";

// argv[0] is the program's path, `input` its standard input and `folder` its working folder (empty:
// that of this process).  Throws std::system_error if the program cannot be started.  SIGALRM ends
// it if it runs for minutes.
ProcessResult run(const std::vector<std::string>& argv, const std::string& input = {},
                  const std::string& folder = {});

}  // namespace svm::test

#endif  // SVM_TESTS_PROCESS_H_
