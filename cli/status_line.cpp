#include "cli/status_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "platform/environment.h"
#include "platform/processes.h"

namespace svm::cli {

using platform::Stream;

namespace {

bool is_dumb() {
  const char* const name = variable_value("TERM");
  return name != nullptr && std::string_view(name) == "dumb";
}

}  // namespace

StatusLine::StatusLine(std::chrono::milliseconds interval, std::chrono::milliseconds delay)
    : terminal_(platform::is_terminal(Stream::kError) && !is_dumb()),
      shares_terminal_(terminal_ && platform::is_terminal(Stream::kOutput)),
      interval_(interval),
      next_(Clock::now() + delay) {}

void StatusLine::show(std::string text) {
  next_ = Clock::now() + interval_;
  // On some terminals, a character in the last column would start a new line.
  const std::size_t columns = platform::terminal_columns(Stream::kError);
  if (columns > 1 && text.size() >= columns) text.resize(columns - 1);
  const std::size_t width = text.size();
  const std::size_t covered = std::max(width_, unfinished_.size());
  if (width < covered) text.append(covered - width, ' ');
  width_ = std::max(width, unfinished_.size());
  std::fputs(("\r" + text).c_str(), stderr);
}

void StatusLine::erase() {
  if (width_ == 0) return;
  std::fputs(("\r" + std::string(width_, ' ') + "\r" + unfinished_).c_str(), stderr);
  width_ = 0;
  next_ = Clock::time_point::min();
}

void StatusLine::print(const char* text) {
  if (shares_terminal_) make_room();
  std::fputs(text, stdout);
  std::fflush(stdout);
  if (shares_terminal_) note_shown(text);
}

void StatusLine::warn(const char* text) {
  if (terminal_) make_room();
  std::fputs(text, stderr);
  if (terminal_) note_shown(text);
}

void StatusLine::make_room() {
  const Clock::time_point next = next_;
  erase();
  next_ = next;  // a line that came back after each of many short texts would flicker
}

void StatusLine::note_shown(const char* text) {
  unfinished_ += text;
  const std::size_t end = unfinished_.rfind('\n');
  if (end != std::string::npos) unfinished_.erase(0, end + 1);
  const std::size_t columns = platform::terminal_columns(Stream::kError);
  if (columns == 0 || unfinished_.empty()) return;
  unfinished_.erase(0, (unfinished_.size() - 1) / columns * columns);  // the full rows above
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 2 * kHour) return std::to_string(std::lround(seconds / kMinute)) + " min";
  return std::to_string(std::lround(seconds / kHour)) + " h";
}

}  // namespace svm::cli
