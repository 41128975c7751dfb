#include "programs/cli/status_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
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
  if (!platform::is_terminal(Stream::kError)) return false;
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
  text.resize(std::min(text.size(), usable_columns()));
  const std::size_t width = text.size();
  const std::size_t covered = std::min(std::max(width_, unfinished_.size()), usable_columns());
  if (width < covered) text.append(covered - width, ' ');
  width_ = std::max(width, unfinished_.size());
  std::fputs(("\r" + text).c_str(), stderr);
}

void StatusLine::erase() {
  if (width_ == 0) return;
  const std::string blanks(std::min(width_, usable_columns()), ' ');
  std::fputs(("\r" + blanks + "\r" + unfinished_).c_str(), stderr);
  width_ = 0;
  next_ = Clock::time_point::min();
}

std::size_t StatusLine::usable_columns() {
  const std::size_t columns = platform::terminal_columns(Stream::kError);
  return columns > 1 ? columns - 1 : std::numeric_limits<std::size_t>::max();
}

void StatusLine::print(const char* text) {
  if (shares_terminal_) make_room();
  std::fputs(text, stdout);
  std::fflush(stdout);
  if (shares_terminal_) note_shown(text);
}

void StatusLine::warn(const char* text) {
  if (shown_) make_room();
  std::fputs(text, stderr);
  if (shown_) note_shown(text);
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

std::string time_left_text(double seconds) { return ", about " + duration_text(seconds) + " left"; }

}  // namespace svm::cli
