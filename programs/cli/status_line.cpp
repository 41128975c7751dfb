#include "programs/cli/status_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/platform/files.h"
#include "base/platform/process.h"
#include "programs/platform/processes.h"

namespace svm::cli {

using platform::Stream;

bool are_status_lines_shown() {
  const char* const name = variable_value("TERM");
  if (name != nullptr && std::string_view(name) == "dumb") return false;
  if (platform::terminal_columns(Stream::kError) == 0) return false;  // also if it is no terminal
  if (platform::is_terminal(Stream::kOutput)) return true;
  const std::optional<platform::FileFacts> facts = platform::facts_of(stdout);
  return facts && facts->kind == platform::FileFacts::Kind::kRegular;
}

StatusLine::StatusLine(std::chrono::milliseconds interval, std::chrono::milliseconds delay)
    : shown_(are_status_lines_shown()),
      shares_terminal_(shown_ && platform::is_terminal(Stream::kOutput)),
      interval_(interval),
      next_(Clock::now() + delay) {}

void StatusLine::show(std::string text) {
  next_ = Clock::now() + interval_;
  const std::size_t columns = usable_columns(), before = width_;
  if (text.size() > columns) text.resize(std::min(text.rfind(", ", columns), columns));
  width_ = text.size();
  text.resize(std::max(width_, std::min(before, columns)), ' ');
  std::fputs(("\r" + text).c_str(), stderr);
}

void StatusLine::erase() {
  if (width_ == 0) return;
  const std::string blanks(std::min(width_, usable_columns()), ' ');
  std::fputs(("\r" + blanks + "\r").c_str(), stderr);
  width_ = 0;
  next_ = Clock::time_point::min();
}

std::size_t StatusLine::usable_columns() {
  return std::max(platform::terminal_columns(Stream::kError), 1U) - 1;
}

void StatusLine::print(const char* text) {
  if (shares_terminal_) {
    if (text[std::strspn(text, ".*")] == '\0') return;
    if (*text == '\n') ++text;  // it would end the dots
    make_room();
  }
  std::fputs(text, stdout);
  std::fflush(stdout);
}

void StatusLine::warn(const char* text) {
  if (shown_) make_room();
  std::fputs(text, stderr);
}

void StatusLine::make_room() {
  const Clock::time_point next = next_;
  erase();
  next_ = next;  // a line that came back after each of many short texts would flicker
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 2 * kHour) return std::to_string(std::lround(seconds / kMinute)) + " min";
  return std::to_string(std::lround(seconds / kHour)) + " h";
}

std::string time_left_text(double seconds) { return ", about " + duration_text(seconds) + " left"; }

}  // namespace svm::cli
