// Status lines on a terminal.
#ifndef SVM_PROGRAMS_CLI_STATUS_LINE_H_
#define SVM_PROGRAMS_CLI_STATUS_LINE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

#include "base/platform/clock.h"
#include "svm_ext.h"

namespace svm::cli {

// True if status lines are shown: standard error is a terminal that can overwrite a line (TERM is
// not dumb, and its width is known), and standard output is the same terminal or a file. If it is a
// pipe, the program at its end may write to the terminal at any time.
bool are_status_lines_shown();

// A line on standard error that is overwritten by each update and erased by the destructor. Does
// nothing unless are_status_lines_shown(). Other output to the terminal needs erase(), print() or
// warn() as long as the line exists.
class StatusLine {
 public:
  // `delay` is the time before the first update, so that short work shows nothing.
  explicit StatusLine(std::chrono::milliseconds interval = std::chrono::milliseconds(200),
                      std::chrono::milliseconds delay = std::chrono::milliseconds(500));
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { erase(); }

  // True if the line is shown and the interval since the last update has passed.
  bool is_due() const { return shown_ && Clock::now() >= next_; }

  // Shows `text`, which must consist of one-byte characters, or as many of its parts between commas
  // as the terminal has room for. Call it only if an update is due.
  void show(std::string text);

  void erase();  // makes room for other output

  // Write whole lines to standard output, which is flushed, or to standard error; on a terminal the
  // status line makes room. LIBSVM's dots and stars, and the line end after them, are written
  // only if standard output is not that terminal, because the status line tells more.
  void print(const char* text);
  void warn(const char* text);

 private:
  const bool shown_;
  const bool shares_terminal_;  // standard output goes to a terminal as well
  const std::chrono::milliseconds interval_;
  std::size_t width_ = 0;  // of the text on the screen
  Clock::time_point next_;
};

// "12 s", "7 min" or "3 h"
std::string duration_text(double seconds);

// ", about 12 s left", if `share` of the work took so many seconds; empty if that is 0.
std::string time_left_text(double seconds, double share);

// Number of binary problems that a training, or with `folds` > 0 a cross validation, solves at
// most: pairs of classes, folds, and the folds of probability estimates.
long long binary_problems(const svm_problem& problem, const svm_parameter& param, int folds);

// The line of svm-train: the share of the binary problems that are solved, if there are several,
// and the violation, which tells no share of the work, because it may rise again.
class TrainingLine : public StatusLine {
 public:
  // `tolerance` is that of the violation, `problems` comes from binary_problems(), and
  // `time_limit`, in seconds, is 0 if there is none.
  TrainingLine(double tolerance, long long problems, double time_limit)
      : tolerance_(tolerance), time_limit_(time_limit), problems_(problems) {}

  // Call it with every progress of the library. `share` is the share of the work that is done, if
  // the number of problems does not tell it; else 0.
  void add(const svm_progress& progress, double share = 0);

  std::string text() const;  // of the status line

 private:
  const double tolerance_, time_limit_;
  const long long problems_;
  svm_progress last_{};
  long long started_ = 0;
  double share_ = 0;
  std::set<long long> running_;  // problems that started and have not ended
};

// The line of svm-predict and svm-scale: how far the reading of a file is.
class ReadingLine : public StatusLine {
 public:
  // `file` must outlive it and is read `passes` times. `enabled` is false if there is no line.
  ReadingLine(std::FILE* file, std::size_t passes, bool enabled);

  void begin_pass() {
    ++pass_;
    rows_ = 0;
  }
  void count_row();  // call it after each row

  // The status line's text after `seconds`, if the current pass has read `bytes`.
  std::string text(double seconds, std::uintmax_t bytes) const;

 private:
  std::FILE* const file_;
  const std::size_t passes_;
  const bool enabled_;
  std::uintmax_t size_ = 0;  // of the file; 0 if it is a pipe
  std::size_t pass_ = 0, rows_ = 0;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_STATUS_LINE_H_
