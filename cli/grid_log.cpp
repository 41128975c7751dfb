#include "cli/grid_log.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <system_error>

#include "cli/main.h"
#include "io/whole_file.h"
#include "model/svm_type.h"

namespace svm::cli {

using grid::Point;

GridLog::GridLog(const GridSettings& settings, grid::Axes axes)
    : settings_(settings), results_(axes, {is_regression(settings.train.param.svm_type)}) {}

void GridLog::open_files() {
  if (settings_.resume) {
    const std::string& from = settings_.resume_file.empty() ? settings_.out : settings_.resume_file;
    try {
      results_.read(read_whole_file(from));
    } catch (const std::system_error& error) {
      throw Failure("file for resumption not found: " + from + "\n" + error.what());
    }
  }
  if (!settings_.no_out) file_.emplace(settings_.out, settings_.resume);
}

std::vector<Point> GridLog::take_up(const std::vector<Point>& points) {
  points_.insert(points_.end(), points.begin(), points.end());
  std::vector<Point> left;
  for (const Point& point : points) {
    const std::optional<double> value = results_.find(point);
    if (!value) {
      left.push_back(point);
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

void GridLog::print(const char* origin, const Point& point, double value) const {
  const std::optional<grid::Results::Best> best = this->best();
  if (settings_.train.quiet || !best) return;
  std::fputs(results_.progress_line(origin, point, value, *best).c_str(), stdout);
  if (std::fflush(stdout) != 0) throw Failure("svm-grid: cannot write standard output");
}

}  // namespace svm::cli
