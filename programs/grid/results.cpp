#include "programs/grid/results.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "base/io/number_text.h"
#include "base/platform/float_chars.h"
#include "base/platform/text.h"

namespace svm::grid {
namespace {

constexpr std::string_view kPlan = "# adaptive:";

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

bool is_file(const std::optional<platform::FileFacts>& facts, const std::string& path) {
  return facts && facts->kind == platform::FileFacts::Kind::kRegular &&
         path != platform::kStandardOutput;
}

// Returns why there is no lock; empty if there is one.
std::string take_lock(const platform::File& file, const std::string& path,
                      LineFile::LockFunction lock) {
  if (lock(file)) return "";
  if (errno != EWOULDBLOCK) return path + ": " + std::generic_category().message(errno);
  throw std::runtime_error(path + ": in use by another search\n" +
                           "Wait for its end, or give another -out file");
}

// Removes "name=number" and a following blank from the start of `line`. Returns false if it has
// none.
bool take(std::string_view& line, std::string_view name, double& value) {
  if (line.substr(0, name.size()) != name) return false;
  line.remove_prefix(name.size());
  if (line.empty() || line.front() != '=') return false;
  line.remove_prefix(1);
  const RealText number = parse_real(line);
  if (number.status == NumberStatus::kNotANumber || !std::isfinite(number.value)) return false;
  value = number.value;
  line.remove_prefix(number.length);
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return true;
}

}  // namespace

std::string python_real(double value) {
  constexpr int kLeastExponent = -4, kMostExponent = 16;
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> text{};
  const auto end = write_shortest(text.data(), text.data() + text.size(), value);
  std::string number(text.data(), end.ptr);  // d.ddde-dd with as few digits as necessary
  const std::size_t e = number.find('e'), point = std::min(number.find('.'), e - 1);
  const int exponent = std::stoi(number.substr(e + 1));
  if (exponent < kLeastExponent || exponent >= kMostExponent) return number;
  return fixed_text(value, std::max(static_cast<int>(e - point) - 1 - exponent, 1));
}

double as_printed(double value) { return parse_real(general_text(value)).value; }

void Results::read(const std::string& text) {
  constexpr std::string_view kComment = "# ", kSkipped = "skipped: ";
  std::string_view rest = text;
  auto plan = std::make_shared<const std::string>();
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;
       rest.remove_prefix(end + 1)) {
    std::string_view line = rest.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.substr(0, kPlan.size()) == kPlan) {
      plan = std::make_shared<const std::string>(std::string(line) + "\n");
      continue;
    }
    const bool is_comment = line.substr(0, kComment.size()) == kComment;
    if (is_comment) line.remove_prefix(kComment.size());
    Point point;
    double value = 0;
    bool has_all = true;
    for_each_axis([&](const char* name, auto exponent, auto) {
      has_all = has_all && take(line, name, point.*exponent);
    });
    if (!has_all) continue;
    if (!is_comment) {
      if (take(line, measure_.name(), value) && line.empty()) add(point, value);
    } else if (line.substr(0, kSkipped.size()) == kSkipped) {
      skipped_[point.exponents()] = {plan, std::string(line.substr(kSkipped.size()))};
    }
  }
}

std::optional<double> Results::find(const Point& point) const {
  const auto found = values_.find(point.exponents());
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> Results::why_skipped(const Plan& plan, const Point& point) const {
  const auto found = skipped_.find(point.exponents());
  if (found == skipped_.end() || *found->second.plan != plan_line(plan)) return std::nullopt;
  return found->second.reason;
}

std::optional<Results::Best> Results::best(const std::vector<Point>& points) const {
  std::optional<Best> best;
  for (const Point& point : points) {
    const std::optional<double> value = find(point);
    if (!value || std::isnan(*value)) continue;
    if (!best || measure_.is_better(*value, best->value) ||
        (*value == best->value && point.log2g == best->point.log2g &&
         point.log2p == best->point.log2p && point.log2c < best->point.log2c)) {
      best = Best{point, *value};
    }
  }
  return best;
}

std::string Results::file_line(const Point& point, double value) const {
  return point_text(point, true) + measure_.name() + "=" + python_real(value) + "\n";
}

std::string Results::point_text(const Point& point, bool with_names) const {
  std::string text;
  for_each_axis([&](const char* name, auto exponent, auto) {
    if (with_names) text += std::string(name) + "=";
    text += python_real(point.*exponent) + " ";
  });
  return text;
}

std::string Results::plan_line(const Plan& plan) const {
  std::string line(kPlan);
  for_each_axis([&](const char* name, auto, auto axis) {
    const std::vector<double>& values = plan.*axis;
    if (values.empty()) return;
    line += std::string(" ") + name + "=" + python_real(values.front()) + ".." +
            python_real(values.back()) + "/" + std::to_string(values.size());
  });
  return line + "\n";
}

std::string Results::skipped_line(const Point& point, const std::string& reason) const {
  return "# " + point_text(point, true) + "skipped: " + reason + "\n";
}

std::string Results::skipped_progress_line(const Point& point, const std::string& reason) const {
  return "[skipped] " + point_text(point, false) + "(" + reason + ")\n";
}

std::string Results::parameters(const Point& point) const {
  std::string text;
  for_each_axis([&](const char* name, auto exponent, auto) {
    add_item(text, std::string(1, name[4]) + "=" + python_real(std::exp2(point.*exponent)));
  });
  return text;
}

std::string Results::progress_line(const char* origin, const Point& point, double value,
                                   const Best& best) const {
  return std::string("[") + origin + "] " + point_text(point, false) + python_real(value) +
         " (best " + parameters(best.point) + ", " + measure_.name() + "=" +
         python_real(best.value) + ")\n";
}

std::string Results::final_line(const Best& best) const {
  std::string line;
  for_each_axis([&](const char*, auto exponent, auto) {
    line += python_real(std::exp2(best.point.*exponent)) + " ";
  });
  return line + python_real(best.value) + "\n";
}

LineFile::LineFile(const std::string& path, bool keep, LockFunction lock)
    : path_(path), file_(platform::open_for_update(path)) {
  if (!file_.is_open()) fail(path_);
  const std::optional<platform::FileFacts> facts = platform::facts_of(file_);
  if (!is_file(facts, path)) return;
  lock_fault_ = take_lock(file_, path, lock);
  std::uintmax_t end = keep ? facts->size : 0;
  for (char last = 0; end > 0; --end) {
    if (file_.read_at(&last, 1, end - 1) != 1) fail(path_);
    if (last == '\n') break;
  }
  if (end < facts->size && !file_.truncate(end)) fail(path_);
  if (!file_.seek(end)) fail(path_);
}

void LineFile::check_unused(const std::string& path) {
  if (!is_file(platform::facts_of(path, true), path)) return;
  const platform::File file = platform::open_existing(path);
  if (file.is_open()) take_lock(file, path, platform::lock);
}

void LineFile::append(const std::string& line) {
  if (!file_.write_all(line)) fail(path_);
}

}  // namespace svm::grid
