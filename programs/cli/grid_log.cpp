#include "programs/cli/grid_log.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/io/input_file.h"
#include "model/svm_type.h"
#include "programs/cli/main.h"

namespace svm::cli {

using grid::Point;

GridLog::GridLog(const GridSettings& settings, grid::Axes axes)
    : settings_(settings), results_(axes, {is_regression(settings.train.param.svm_type)}) {}

void GridLog::open_files() {
  if (settings_.resume) {
    const std::string& from = settings_.resume_file.empty() ? settings_.out : settings_.resume_file;
    results_.read(
        opened("file for resumption not found: " + from, [&] { return read_whole_file(from); }));
  }
  if (settings_.no_out) return;
  file_.emplace(settings_.out, settings_.resume);
  if (settings_.cells > 0) {
    file_->append("# approximate: cells of at most " + std::to_string(settings_.cells) + " rows\n");
  }
}

std::vector<Point> GridLog::begin_plan(const grid::Plan& plan) {
  plan_ = plan;
  points_.insert(points_.end(), plan.points.begin(), plan.points.end());
  if (settings_.adaptive && file_) file_->append(results_.plan_line(plan));
  std::vector<Point> left;
  for (const Point& point : plan.points) {
    const std::optional<double> value = results_.find(point);
    if (!value) {
      const std::optional<std::string> reason =
          settings_.adaptive ? results_.why_skipped(plan, point) : std::nullopt;
      if (reason) {
        skipped_.push_back(point);
        print_line(results_.skipped_progress_line(point, *reason));
      } else if (std::find(skipped_.begin(), skipped_.end(), point) == skipped_.end()) {
        left.push_back(point);  // not skipped by an earlier plan of this search
      }
    } else if (std::find(added_.begin(), added_.end(), point) == added_.end()) {
      print("resumed", point, *value);
    }
  }
  return left;
}

void GridLog::add(const Point& point, double value) {
  results_.add(point, value);
  added_.push_back(point);
  if (file_) file_->append(results_.file_line(point, value));
  print("local", point, value);
}

void GridLog::skip(const Point& point, const std::string& reason) {
  results_.skip(plan_, point, reason);
  skipped_.push_back(point);
  if (file_) file_->append(results_.skipped_line(point, reason));
  print_line(results_.skipped_progress_line(point, reason));
}

void GridLog::print_count() const {
  if (!settings_.adaptive) return;
  std::vector<Point> different;  // without the duplicates of overlapping plans
  for (const Point& point : points_) {
    if (std::find(different.begin(), different.end(), point) == different.end()) {
      different.push_back(point);
    }
  }
  print_line("[skipped] " + std::to_string(skipped_.size()) + " of " +
             std::to_string(different.size()) + " points\n");
}

std::string GridLog::best_text() const {
  const std::optional<grid::Results::Best> best = this->best();
  if (!best) return "";
  return grid::python_real(best->value) + " (" + results_.parameters(best->point) + ")";
}

void GridLog::print(const char* origin, const Point& point, double value) const {
  const std::optional<grid::Results::Best> best = this->best();
  if (best) print_line(results_.progress_line(origin, point, value, *best));
}

void GridLog::print_line(const std::string& line) const {
  if (settings_.train.quiet) return;
  std::fputs(line.c_str(), stdout);
  if (std::fflush(stdout) != 0) throw Failure("svm-grid: cannot write standard output");
}

}  // namespace svm::cli
