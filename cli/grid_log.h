// The points that a search of svm-grid knows.
#ifndef SVM_CLI_GRID_LOG_H_
#define SVM_CLI_GRID_LOG_H_

#include <optional>
#include <string>
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

  // The points that are still to be looked at; prints those that the file of an earlier search had,
  // and, of an adaptive one, that it left out.  Throws as add() does.
  std::vector<grid::Point> take_up(const grid::Plan& plan);

  // A point is finished.  Throws std::system_error where the results file, Failure where standard
  // output cannot be written.
  void add(const grid::Point& point, double value);

  // A point of the plan that was taken up last is left out.  Throws as add() does.
  void skip(const grid::Point& point, const std::string& reason);

  // Prints how many points were left out, where the search is adaptive.
  void print_count() const;

  // Among all points that were taken up; nothing where none has a value.
  std::optional<grid::Results::Best> best() const { return results_.best(points_); }

  // "97.5 (c=2.0, g=0.5)", of the best; nothing where there is none.
  std::string best_text() const;

  const grid::Results& results() const { return results_; }

 private:
  void print(const char* origin, const grid::Point& point, double value) const;
  void print_line(const std::string& line) const;

  const GridSettings& settings_;
  grid::Results results_;
  std::vector<grid::Point> points_;  // of all plans, in their order
  std::vector<grid::Point> added_;   // by this search
  grid::Plan plan_;                  // the last one
  std::vector<grid::Point> skipped_;
  std::optional<grid::LineFile> file_;
};

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_LOG_H_
