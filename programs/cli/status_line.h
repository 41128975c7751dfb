// A status line on a terminal.
#ifndef SVM_PROGRAMS_CLI_STATUS_LINE_H_
#define SVM_PROGRAMS_CLI_STATUS_LINE_H_

#include <chrono>
#include <cstddef>
#include <string>

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
  explicit StatusLine(std::chrono::milliseconds interval,
                      std::chrono::milliseconds delay = std::chrono::milliseconds(0));
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { erase(); }

  // True if the line is shown and the interval since the last update has passed.
  bool is_due() const { return shown_ && Clock::now() >= next_; }

  // Shows `text`, which must consist of one-byte characters, or as many of its parts between commas
  // as the terminal has room for. Call it only if an update is due.
  void show(std::string text);

  // Clears the line to make room for other output. The next update is then due at once.
  void erase();

  // Write whole lines to standard output, which is flushed, or to standard error; on a terminal the
  // status line makes room. LIBSVM's dots and stars, and the line end after them, are written
  // only if standard output is not that terminal, because the status line tells more.
  void print(const char* text);
  void warn(const char* text);

 private:
  using Clock = std::chrono::steady_clock;

  // The columns of the terminal except for the last one, in which a character would start a new
  // line on some terminals.
  static std::size_t usable_columns();
  void make_room();

  const bool shown_;
  const bool shares_terminal_;  // standard output goes to a terminal as well
  const std::chrono::milliseconds interval_;
  std::size_t width_ = 0;  // of the text on the screen
  Clock::time_point next_;
};

// "12 s", "7 min" or "3 h"
std::string duration_text(double seconds);

// ", about 12 s left"
std::string time_left_text(double seconds);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_STATUS_LINE_H_
