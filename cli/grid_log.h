// The points that a search of svm-grid knows.
#ifndef SVM_CLI_GRID_LOG_H_
#define SVM_CLI_GRID_LOG_H_

#include <optional>
#include <vector>

#include "cli/grid_options.h"
#include "grid/plan.h"
#include "grid/results.h"

namespace svm::cli {

// Keeps the results file, prints a line for each point, and remembers the values.  Not for several
// threads at once.
class GridLog {
 public:
  // `settings` must outlive it.
  GridLog(const GridSettings& settings, grid::Axes axes);

  // Reads the points of the search that is resumed, and opens the results file.  Throws Failure and
  // std::system_error.
  void open_files();

  // The points that are still to be looked at; prints those that the file of an earlier search had.
  std::vector<grid::Point> take_up(const std::vector<grid::Point>& points);

  // A point is finished.  Throws std::system_error where the results file, Failure where standard
  // output cannot be written.
  void add(const grid::Point& point, double value);

  // Among all points that were taken up; nothing where none has a value.
  std::optional<grid::Results::Best> best() const { return results_.best(points_); }

  const grid::Results& results() const { return results_; }

 private:
  void print(const char* origin, const grid::Point& point, double value) const;

  const GridSettings& settings_;
  grid::Results results_;
  std::vector<grid::Point> points_;  // of all plans, in their order
  std::vector<grid::Point> added_;   // by this search
  std::optional<grid::LineFile> file_;
};

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_LOG_H_
