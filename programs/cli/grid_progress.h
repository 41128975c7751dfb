// Shows the progress of a search by svm-grid.
#ifndef SVM_PROGRAMS_CLI_GRID_PROGRESS_H_
#define SVM_PROGRAMS_CLI_GRID_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/cli/status_line.h"
#include "programs/grid/plan.h"

namespace svm::cli {

// A status line with the number of finished points, the estimated remaining time, the part of the
// trainings that is done, and rates. Not thread-safe.
class GridProgress {
 public:
  void begin(const std::vector<grid::Point>& points, std::size_t trainings_of_a_point);

  // Seconds since begin(). The `now` of the following functions are such times.
  double now() const;

  // Reports that a binary training for a point took so many seconds, or turned out unnecessary.
  void training_finished(const grid::Point& point, double seconds, double now);
  // Reports the rate of a finished point. `best` describes the best point so far.
  void point_finished(const grid::Point& point, double rate, std::string best, double now);
  void point_skipped(const grid::Point& point);

  // Updates the status line if it is due.
  void show();
  // Clears the line to make room for other output.
  void erase() { line_.erase(); }

  std::string text() const;  // text of the status line

  // The estimated remaining seconds. Every training is assumed to cost as much, and to be skipped
  // as often, as those with the same C and tube at other gammas and folds. Costs grow with C, often
  // by orders of magnitude: there is no estimate as long as a larger C is left than any trained so
  // far.
  std::optional<double> left() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Costs {
    std::size_t done = 0, skipped = 0, left = 0;  // numbers of trainings
    double seconds = 0;                           // spent on those that are done
  };
  Costs& costs_of(const grid::Point& point) { return costs_[{point.log2p, point.log2c}]; }
  std::size_t& left_of(const grid::Point& point) {
    return left_of_[{{point.log2p, point.log2c}, point.log2g}];
  }
  // Marks all remaining trainings of the point as not needed, and returns their number.
  std::size_t take_rest(const grid::Point& point);

  StatusLine line_{std::chrono::milliseconds(250)};
  std::size_t points_ = 0, points_done_ = 0, points_skipped_ = 0;
  std::map<std::pair<double, double>, Costs> costs_;  // by tube and C
  std::map<std::pair<std::pair<double, double>, double>, std::size_t>
      left_of_;  // by tube, C and gamma
  std::optional<double> last_;
  std::string best_;
  Clock::time_point start_;
  double last_finish_ = 0;  // end of the last training or point, in seconds since start_
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_GRID_PROGRESS_H_
