#include "programs/cli/status_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/platform/files.h"
#include "base/platform/float_chars.h"
#include "base/platform/process.h"
#include "model/svm_type.h"
#include "programs/platform/processes.h"
#include "training/problem.h"

namespace svm::cli {

using platform::Stream;

namespace {

// The columns of the terminal except for the last one, in which a character would start a new line
// on some terminals.
std::size_t usable_columns() {
  return std::max(platform::terminal_columns(Stream::kError), 1U) - 1;
}

std::string bar(double share) {
  constexpr std::size_t kWidth = 20;
  const auto filled = static_cast<std::size_t>(std::lround(share * kWidth));
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] ";
}

}  // namespace

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
}

void StatusLine::print(const char* text) {
  if (shares_terminal_) {
    if (text[std::strspn(text, ".*")] == '\0') return;
    if (*text == '\n') ++text;  // it would end the dots
    erase();
  }
  std::fputs(text, stdout);
  std::fflush(stdout);
}

void StatusLine::warn(const char* text) {
  erase();
  std::fputs(text, stderr);
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 2 * kHour) return std::to_string(std::lround(seconds / kMinute)) + " min";
  return std::to_string(std::lround(seconds / kHour)) + " h";
}

std::string time_left_text(double seconds, double share) {
  return share > 0 ? ", about " + duration_text(seconds / share * (1 - share)) + " left" : "";
}

long long binary_problems(const svm_problem& problem, const svm_parameter& param, int folds) {
  constexpr long long kFoldsOfProbabilities = 5;
  long long count = 1;
  if (is_classification(param.svm_type)) {
    const Problem rows(problem.l, problem.y, problem.x, nullptr);
    const auto classes = static_cast<long long>(group_classes(rows).size());
    count = classes * (classes - 1) / 2;
  }
  if (param.probability != 0 && param.svm_type != ONE_CLASS) count *= 1 + kFoldsOfProbabilities;
  return folds > 0 ? count * folds : count;
}

void TrainingLine::add(const svm_progress& progress, double share) {
  if (progress.variables == 0) return;  // no binary problem has begun
  started_ = std::max(started_, static_cast<long long>(progress.problem));
  if (progress.finished != 0) {
    running_.erase(progress.problem);
  } else {
    running_.insert(progress.problem);
  }
  last_ = progress;
  share_ = share;
  if (is_due()) show(text());
}

std::string TrainingLine::text() const {
  std::string text;
  double share = share_;
  if (share > 0) {
    text = bar(share);
  } else if (problems_ > 1) {
    const long long solved = started_ - static_cast<long long>(running_.size());
    share = std::min(static_cast<double>(solved) / static_cast<double>(problems_), 1.0);
    text = bar(share) + std::to_string(solved) + " of " + std::to_string(problems_) + " problems, ";
  }
  text += fixed_text(last_.seconds, 1) + " s" + time_left_text(last_.seconds, share);
  if (time_limit_ > 0) {
    text += ", at most " + duration_text(std::max(time_limit_ - last_.seconds, 0.0)) + " left";
  }
  // A narrow terminal cuts what is last.
  return text + ", violation " + general_text(last_.violation, 2) + ", tolerance " +
         general_text(tolerance_) + ", iteration " + std::to_string(last_.iterations);
}

ReadingLine::ReadingLine(std::FILE* file, std::size_t passes, bool enabled)
    : file_(file), passes_(passes), enabled_(enabled) {
  const std::optional<platform::FileFacts> facts = platform::facts_of(file);
  if (facts && facts->kind == platform::FileFacts::Kind::kRegular) size_ = facts->size;
}

void ReadingLine::count_row() {
  constexpr std::size_t kRowsBetweenChecks = 64;
  ++rows_;
  if (!enabled_ || rows_ % kRowsBetweenChecks != 0 || !is_due()) return;
  show(text(seconds_since(start_), platform::position_of(file_)));
}

std::string ReadingLine::text(double seconds, std::uintmax_t bytes) const {
  std::string text;
  double share = 0;
  if (size_ > 0) {
    const double read = std::min(static_cast<double>(bytes) / static_cast<double>(size_), 1.0);
    share = (static_cast<double>(pass_ - 1) + read) / static_cast<double>(passes_);
    text = bar(share);
  }
  text += std::to_string(rows_) + " rows";
  if (passes_ > 1) text += ", pass " + std::to_string(pass_) + " of " + std::to_string(passes_);
  return text + ", " + fixed_text(seconds, 1) + " s" + time_left_text(seconds, share);
}

}  // namespace svm::cli
