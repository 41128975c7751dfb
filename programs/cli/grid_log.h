// The points that a search by svm-grid knows.
#ifndef SVM_PROGRAMS_CLI_GRID_LOG_H_
#define SVM_PROGRAMS_CLI_GRID_LOG_H_

#include <optional>
#include <string>
#include <vector>

#include "programs/cli/grid_options.h"
#include "programs/grid/plan.h"
#include "programs/grid/results.h"

namespace svm::cli {

// Writes the results file, prints a line for each point, and keeps the values. Not thread-safe.
class GridLog {
 public:
  // `settings` must outlive it.
  GridLog(const GridSettings& settings, grid::Axes axes);

  // Reads the points of the search that is resumed, if any, and opens the results file. Throws
  // Failure and std::system_error.
  void open_files();

  // Makes `plan` the current one and returns its points that still have to be evaluated. Prints the
  // others that the file of an earlier search contains, and if that search was adaptive, those that
  // it skipped. Throws as add() does.
  std::vector<grid::Point> begin_plan(const grid::Plan& plan);

  // Records the value of a point. Throws std::system_error if the results file cannot be written,
  // and Failure if standard output cannot.
  void add(const grid::Point& point, double value);

  // Records that a point of the current plan is skipped. Throws as add() does.
  void skip(const grid::Point& point, const std::string& reason);

  // Prints how many points were skipped, if the search is adaptive.
  void print_count() const;

  // The best point of all plans so far; nothing if no point has a value.
  std::optional<grid::Results::Best> best() const { return results_.best(points_); }

  // The best point as "97.5 (c=2.0, g=0.5)"; empty if there is none.
  std::string best_text() const;

  const grid::Results& results() const { return results_; }

 private:
  void print(const char* origin, const grid::Point& point, double value) const;
  void print_line(const std::string& line) const;

  const GridSettings& settings_;
  grid::Results results_;
  std::vector<grid::Point> points_;  // of all plans, in their order
  std::vector<grid::Point> added_;   // by this search
  grid::Plan plan_;                  // the current one
  std::vector<grid::Point> skipped_;
  std::optional<grid::LineFile> file_;
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_GRID_LOG_H_
