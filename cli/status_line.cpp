#include "cli/status_line.h"

#include <cstdio>

#include "platform/processes.h"

namespace svm::cli {

StatusLine::StatusLine(std::chrono::milliseconds interval)
    : terminal_(platform::is_terminal(platform::Stream::kError)), interval_(interval) {}

void StatusLine::show(std::string text) {
  next_ = Clock::now() + interval_;
  // On some terminals, a character in the last column would start a new line.
  const std::size_t columns = platform::terminal_columns(platform::Stream::kError);
  if (columns > 1 && text.size() >= columns) text.resize(columns - 1);
  const std::size_t width = text.size();
  if (width < width_) text.append(width_ - width, ' ');
  width_ = width;
  std::fputs(("\r" + text).c_str(), stderr);
}

void StatusLine::erase() {
  if (width_ == 0) return;
  std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
  width_ = 0;
  next_ = Clock::time_point::min();
}

}  // namespace svm::cli
