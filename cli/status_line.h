// A status line on a terminal.
#ifndef SVM_CLI_STATUS_LINE_H_
#define SVM_CLI_STATUS_LINE_H_

#include <chrono>
#include <cstddef>
#include <string>

namespace svm::cli {

// A line on standard error that is overwritten by each update and erased by the destructor. Shows
// nothing if standard error is not a terminal.
class StatusLine {
 public:
  explicit StatusLine(std::chrono::milliseconds interval);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { erase(); }

  // True if there is a terminal and the interval since the last update has passed.
  bool is_due() const { return terminal_ && Clock::now() >= next_; }

  // Shows `text`, which must consist of one-byte characters, cut to the width of the terminal. Call
  // it only if an update is due.
  void show(std::string text);

  // Clears the line to make room for other output. The next update is then due at once.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  const std::chrono::milliseconds interval_;
  std::size_t width_ = 0;  // of the text on the screen
  Clock::time_point next_ = Clock::time_point::min();
};

}  // namespace svm::cli

#endif  // SVM_CLI_STATUS_LINE_H_
