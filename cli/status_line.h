// A status line on a terminal.
#ifndef SVM_CLI_STATUS_LINE_H_
#define SVM_CLI_STATUS_LINE_H_

#include <chrono>
#include <cstddef>
#include <string>

namespace svm::cli {

// A line on standard error that is overwritten by each update and erased by the destructor. Shows
// nothing if standard error is not a terminal, or a dumb one (TERM=dumb). Other output to the
// terminal needs erase() or print() as long as the line exists.
class StatusLine {
 public:
  // `delay` is the time before the first update, so that short work shows nothing.
  explicit StatusLine(std::chrono::milliseconds interval,
                      std::chrono::milliseconds delay = std::chrono::milliseconds(0));
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { erase(); }

  bool has_terminal() const { return terminal_; }

  // True if there is a terminal and the interval since the last update has passed.
  bool is_due() const { return terminal_ && Clock::now() >= next_; }

  // Shows `text`, which must consist of one-byte characters, cut to the width of the terminal. Call
  // it only if an update is due.
  void show(std::string text);

  // Clears the line to make room for other output. The next update is then due at once.
  void erase();

  // Write `text` to standard output, which is flushed, or to standard error. On a terminal the
  // status line makes room, and then covers an unfinished line until that continues.
  void print(const char* text);
  void warn(const char* text);

 private:
  using Clock = std::chrono::steady_clock;

  void make_room();
  void note_shown(const char* text);

  const bool terminal_;
  const bool shares_terminal_;  // standard output goes to a terminal as well
  const std::chrono::milliseconds interval_;
  std::size_t width_ = 0;  // of the text on the screen
  Clock::time_point next_;
  std::string unfinished_;  // other output in the row of the line
};

// "12 s", "7 min" or "3 h"
std::string duration_text(double seconds);

}  // namespace svm::cli

#endif  // SVM_CLI_STATUS_LINE_H_
