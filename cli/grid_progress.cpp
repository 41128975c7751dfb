#include "cli/grid_progress.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace svm::cli {
namespace {

std::string duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 2 * kMinute) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 2 * kHour) return std::to_string(std::lround(seconds / kMinute)) + " min";
  return std::to_string(std::lround(seconds / kHour)) + " h";
}

}  // namespace

void GridProgress::begin(std::size_t points, std::size_t trainings) {
  points_ = points;
  trainings_ = static_cast<double>(std::max<std::size_t>(trainings, 1));
  points_done_ = 0;
  trainings_done_ = 0;
  start_ = Clock::now();
}

void GridProgress::show() {
  if (!line_.is_due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double share = std::min(static_cast<double>(trainings_done_) / trainings_, 1.0);
  std::string text = std::to_string(points_done_) + " of " + std::to_string(points_) + " points, " +
                     std::to_string(static_cast<int>(100 * share)) + " % of the trainings";
  if (trainings_done_ > 0) text += ", about " + duration(seconds * (1 - share) / share) + " left";
  line_.show(std::move(text));
}

}  // namespace svm::cli
