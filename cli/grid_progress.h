// How far a search of svm-grid is.
#ifndef SVM_CLI_GRID_PROGRESS_H_
#define SVM_CLI_GRID_PROGRESS_H_

#include <chrono>
#include <cstddef>

#include "cli/status_line.h"

namespace svm::cli {

// A status line with the points that are finished, the share of the trainings, and the time that
// the rest may take.  Not for several threads at once.
class GridProgress {
 public:
  void begin(std::size_t points, std::size_t trainings);
  void training_finished() { ++trainings_done_; }
  void point_finished() { ++points_done_; }

  // Writes the line anew where it is time to.
  void show();
  // Makes room for other output.
  void erase() { line_.erase(); }

 private:
  using Clock = std::chrono::steady_clock;

  StatusLine line_{std::chrono::milliseconds(250)};
  std::size_t points_ = 0, points_done_ = 0;
  double trainings_ = 1;  // at most: of some points none is needed
  long long trainings_done_ = 0;
  Clock::time_point start_;
};

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_PROGRESS_H_
