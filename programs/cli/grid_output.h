// What svm-grid records and shows of a search.
#ifndef SVM_PROGRAMS_CLI_GRID_OUTPUT_H_
#define SVM_PROGRAMS_CLI_GRID_OUTPUT_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/io/input_file.h"
#include "base/platform/clock.h"
#include "model/svm_type.h"
#include "programs/cli/grid_options.h"
#include "programs/cli/main.h"
#include "programs/cli/status_line.h"
#include "programs/grid/plan.h"
#include "programs/grid/results.h"

namespace svm::cli {

// Writes the results file, prints a line for each point, and keeps the values. Not thread-safe.
class GridLog {
 public:
  // `settings` must outlive it.
  GridLog(const GridSettings& settings, grid::Axes axes)
      : settings_(settings), results_(axes, {is_regression(settings.train.param.svm_type)}) {}

  // Reads the points of the search that is resumed, if any, and opens the results file. Throws
  // Failure and std::system_error.
  void open_files() {
    if (settings_.resume) {
      const std::string& from =
          settings_.resume_file.empty() ? settings_.out : settings_.resume_file;
      results_.read(
          opened("file for resumption not found: " + from, [&] { return read_whole_file(from); }));
    }
    if (settings_.no_out) return;
    file_.emplace(settings_.out, settings_.resume);
    if (!file_->lock_fault().empty()) {
      std::fprintf(stderr, "WARNING: a second search with this -out file will go unnoticed: %s\n",
                   file_->lock_fault().c_str());
    }
    if (settings_.cells > 0) {
      file_->append("# approximate: cells of at most " + std::to_string(settings_.cells) +
                    " rows\n");
    }
  }

  // Makes `plan` the current one and returns its points that still have to be evaluated. Prints the
  // others that the file of an earlier search contains, and if that search was adaptive, those that
  // it skipped. Throws as add() does.
  std::vector<grid::Point> begin_plan(const grid::Plan& plan) {
    plan_ = plan;
    points_.insert(points_.end(), plan.points.begin(), plan.points.end());
    if (settings_.adaptive && file_) file_->append(results_.plan_line(plan));
    std::vector<grid::Point> left;
    for (const grid::Point& point : plan.points) {
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

  // Records the value of a point. Throws std::system_error if the results file cannot be written,
  // and Failure if standard output cannot.
  void add(const grid::Point& point, double value) {
    results_.add(point, value);
    added_.push_back(point);
    if (file_) file_->append(results_.file_line(point, value));
    print("local", point, value);
  }

  // Records that a point of the current plan is skipped. Throws as add() does.
  void skip(const grid::Point& point, const std::string& reason) {
    results_.skip(plan_, point, reason);
    skipped_.push_back(point);
    if (file_) file_->append(results_.skipped_line(point, reason));
    print_line(results_.skipped_progress_line(point, reason));
  }

  // Prints how many points were skipped, if the search is adaptive.
  void print_count() const {
    if (!settings_.adaptive) return;
    std::size_t different = 0;  // plans overlap
    for (auto point = points_.begin(); point != points_.end(); ++point) {
      if (std::find(points_.begin(), point, *point) == point) ++different;
    }
    print_line("[skipped] " + std::to_string(skipped_.size()) + " of " + std::to_string(different) +
               " points\n");
  }

  // The best point of all plans so far; nothing if no point has a value.
  std::optional<grid::Results::Best> best() const { return results_.best(points_); }

  // The best point as "97.5 (c=2.0, g=0.5)"; empty if there is none.
  std::string best_text() const {
    const std::optional<grid::Results::Best> best = this->best();
    if (!best) return "";
    return grid::python_real(best->value) + " (" + results_.parameters(best->point) + ")";
  }

  const grid::Results& results() const { return results_; }

 private:
  void print(const char* origin, const grid::Point& point, double value) const {
    const std::optional<grid::Results::Best> best = this->best();
    if (best) print_line(results_.progress_line(origin, point, value, *best));
  }

  void print_line(const std::string& line) const {
    if (settings_.train.quiet) return;
    std::fputs(line.c_str(), stdout);
    if (std::fflush(stdout) != 0) throw Failure("svm-grid: cannot write standard output");
  }

  const GridSettings& settings_;
  grid::Results results_;
  std::vector<grid::Point> points_;  // of all plans, in their order
  std::vector<grid::Point> added_;   // by this search
  grid::Plan plan_;                  // the current one
  std::vector<grid::Point> skipped_;
  std::optional<grid::LineFile> file_;
};

// A status line with the number of finished points, the time, what is left by proportion, and
// rates. Not thread-safe.
class GridProgress {
 public:
  void begin(std::size_t points) {
    points_ = points;
    done_ = 0;
    start_ = Clock::now();
  }

  void count_point() { ++done_; }  // it is finished, though perhaps not recorded, or skipped
  void set_rates(std::string rates) { rates_ = std::move(rates); }

  // Updates the status line if it is due.
  void show() {
    if (line_.is_due()) line_.show(text(seconds_since(start_)));
  }

  // Clears the line to make room for other output.
  void erase() { line_.erase(); }

  // Text of the status line so many seconds after begin().
  std::string text(double seconds) const {
    std::string text = std::to_string(done_) + " of " + std::to_string(points_) + " points, " +
                       duration_text(seconds);
    const double share = static_cast<double>(done_) / static_cast<double>(points_);
    return text + time_left_text(seconds, share) + rates_;
  }

 private:
  StatusLine line_{std::chrono::milliseconds(100), std::chrono::milliseconds(0)};
  std::size_t points_ = 0, done_ = 0;
  std::string rates_;
  Clock::time_point start_;
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_GRID_OUTPUT_H_
