// How far a search of svm-grid is.
#ifndef SVM_CLI_GRID_PROGRESS_H_
#define SVM_CLI_GRID_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/status_line.h"
#include "grid/plan.h"

namespace svm::cli {

// A status line with the points that are done, the time that the rest may take, and rates.  Not for
// several threads at once.
class GridProgress {
 public:
  void begin(const std::vector<grid::Point>& points, std::size_t trainings_of_a_point);

  // Seconds since begin(): the times that are told below.
  double now() const;

  // A binary training for a point is over after so many seconds, or was not needed.
  void training_finished(const grid::Point& point, double seconds, double now);
  // `rate` is the point's; `best` says what the best is.
  void point_finished(const grid::Point& point, double rate, std::string best, double now);
  void point_skipped(const grid::Point& point);

  // Writes the line anew where it is time to.
  void show();
  // Makes room for other output.
  void erase() { line_.erase(); }

  std::string text() const;  // the line

  // The seconds that the rest may take: each training is taken to cost what those of the same C and
  // tube cost at other gammas and folds, and to be skipped as often.  Costs grow with C, often by
  // orders of magnitude: nothing as long as a larger C is left than any that was trained.
  std::optional<double> left() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Costs {
    std::size_t done = 0, skipped = 0, left = 0;  // trainings
    double seconds = 0;                           // of those that are done
  };
  Costs& costs_of(const grid::Point& point) { return costs_[{point.log2p, point.log2c}]; }
  std::size_t& left_of(const grid::Point& point) {
    return left_of_[{{point.log2p, point.log2c}, point.log2g}];
  }
  // None of the point's trainings is to come: their number.
  std::size_t take_rest(const grid::Point& point);

  StatusLine line_{std::chrono::milliseconds(250)};
  std::size_t points_ = 0, points_done_ = 0, points_skipped_ = 0;
  std::map<std::pair<double, double>, Costs> costs_;                             // by tube and C
  std::map<std::pair<std::pair<double, double>, double>, std::size_t> left_of_;  // and by gamma
  std::optional<double> last_;
  std::string best_;
  Clock::time_point start_;
  double last_finish_ = 0;  // when a training or a point was finished, in seconds since start_
};

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_PROGRESS_H_
