// A line on a terminal that says how work goes.
#ifndef SVM_CLI_STATUS_LINE_H_
#define SVM_CLI_STATUS_LINE_H_

#include <chrono>
#include <cstddef>
#include <string>

namespace svm::cli {

// One line on standard error, written over and over; nothing where standard error is not a
// terminal.  Erased at the end.
class StatusLine {
 public:
  explicit StatusLine(std::chrono::milliseconds interval);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { erase(); }

  // There is a terminal, and the interval since the last text is over.
  bool is_due() const { return terminal_ && Clock::now() >= next_; }

  // Writes `text`, of one-byte characters, as far as the terminal's width goes.  To be called where
  // it is due.
  void show(std::string text);

  // Makes room for other output.  The next text is due at once.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  const std::chrono::milliseconds interval_;
  std::size_t width_ = 0;  // of the line on the screen
  Clock::time_point next_ = Clock::time_point::min();
};

}  // namespace svm::cli

#endif  // SVM_CLI_STATUS_LINE_H_
