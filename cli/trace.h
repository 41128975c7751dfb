// What svm-train shows of a training in progress.
#ifndef SVM_CLI_TRACE_H_
#define SVM_CLI_TRACE_H_

#include <chrono>
#include <map>
#include <string>

#include "cli/status_line.h"
#include "io/output_file.h"
#include "svm.h"

namespace svm::cli {

// A CSV file with a row for the start of each binary problem, every min(variables, 1000) iterations
// or a little more, and its end.  Rows of problems that are solved at the same time stand mixed.
// Without commit() there is no file.
class Trace {
 public:
  // Throws std::system_error when the file cannot be opened.
  explicit Trace(const std::string& path);

  // Throws std::system_error when writing fails.
  void add(const svm_progress& progress);
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  std::map<long long, long long> next_;  // iteration of the next row, by problem that runs
  long long over_ = 0;                   // the problem that ended last
};

// The state of a training as a status line, at most five times a second.
class ProgressLine {
 public:
  void show(const svm_progress& progress);

 private:
  StatusLine line_{std::chrono::milliseconds(200)};
};

}  // namespace svm::cli

#endif  // SVM_CLI_TRACE_H_
