// The trace of a training.
#ifndef SVM_PROGRAMS_CLI_TRACE_H_
#define SVM_PROGRAMS_CLI_TRACE_H_

#include <map>
#include <string>

#include "base/io/output_file.h"
#include "svm_ext.h"

namespace svm::cli {

// A CSV file with a row for the start and the end of each binary problem, and one about every
// min(variables, 1000) iterations. Rows of problems that are solved concurrently are interleaved.
// Without commit() no file appears.
class Trace {
 public:
  // Throws std::system_error if the file cannot be opened.
  explicit Trace(const std::string& path);

  // Throws std::system_error if writing fails.
  void add(const svm_progress& progress);
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  std::map<long long, long long> next_;  // iteration of the next row, for each running problem
  long long over_ = 0;                   // the last problem that ended
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_TRACE_H_
