// Status lines of svm-train, svm-predict and svm-scale. They appear if the work takes longer than
// half a second.
#ifndef SVM_PROGRAMS_CLI_LIVE_LINES_H_
#define SVM_PROGRAMS_CLI_LIVE_LINES_H_

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <set>
#include <string>

#include "programs/cli/status_line.h"
#include "svm_ext.h"

namespace svm::cli {

// Number of binary problems that a training, or with `folds` > 0 a cross validation, solves at
// most: pairs of classes, folds, and the folds of probability estimates.
long long binary_problems(const svm_problem& problem, const svm_parameter& param, int folds);

// Shows how far a training is: the share of its binary problems that are solved, if there are
// several, and the violation, which tells no share of the work, because it may rise again.
class TrainingLine {
 public:
  // `tolerance` is that of the violation, `problems` comes from binary_problems(), and
  // `time_limit`, in seconds, is 0 if there is none.
  TrainingLine(double tolerance, long long problems, double time_limit);

  // Call it with every progress of the library.
  void add(const svm_progress& progress);

  // Tells which share of the work is done, if the number of problems does not.
  void set_share(double share) { share_ = share; }

  // Writes to standard output and standard error next to the line.
  void print(const char* text) { line_.print(text); }
  void warn(const char* text) { line_.warn(text); }

  std::string text() const;  // of the status line

 private:
  StatusLine line_;
  const double tolerance_, time_limit_;
  const long long problems_;
  svm_progress last_{};
  long long started_ = 0;
  double share_ = 0;
  std::set<long long> running_;  // problems that started and have not ended
};

// Shows how far the reading of a file is.
class ReadingLine {
 public:
  // `file` must outlive it and is read `passes` times. `enabled` is false if there is no line.
  ReadingLine(std::FILE* file, std::size_t passes, bool enabled);

  void begin_pass() {
    ++pass_;
    rows_ = 0;
  }
  // Call it after each row.
  void count_row() {
    ++rows_;
    if (enabled_ && rows_ % kRowsBetweenChecks == 0) show_if_due();
  }
  void erase() { line_.erase(); }

  // The status line's text after `seconds`, if the current pass has read `bytes`.
  std::string text(double seconds, std::uintmax_t bytes) const;

 private:
  static constexpr std::size_t kRowsBetweenChecks = 64;
  void show_if_due();

  StatusLine line_;
  std::FILE* const file_;
  const std::size_t passes_;
  const bool enabled_;
  std::uintmax_t size_ = 0;  // of the file; 0 if it is a pipe
  std::size_t pass_ = 0, rows_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_LIVE_LINES_H_
