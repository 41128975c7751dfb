// What svm-grid records and shows of a search.
#ifndef SVM_PROGRAMS_CLI_GRID_OUTPUT_H_
#define SVM_PROGRAMS_CLI_GRID_OUTPUT_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/io/input_file.h"
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

// A status line with the number of finished points, the estimated remaining time, the part of the
// trainings that is done, and rates. Not thread-safe.
class GridProgress {
 public:
  void begin(const std::vector<grid::Point>& points, std::size_t trainings_of_a_point) {
    points_ = points.size();
    points_done_ = points_skipped_ = 0;
    costs_.clear();
    left_of_.clear();
    for (const grid::Point& point : points) {
      costs_of(point).left += trainings_of_a_point;
      left_of(point) = trainings_of_a_point;
    }
    start_ = Clock::now();
    last_finish_ = 0;
  }

  // Seconds since begin(). The `now` of the following functions are such times.
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Reports that a binary training for a point took so many seconds, or turned out unnecessary.
  void training_finished(const grid::Point& point, double seconds, double now) {
    std::size_t& left = left_of(point);
    if (left == 0) return;
    --left;
    Costs& costs = costs_of(point);
    --costs.left;
    ++costs.done;
    costs.seconds += seconds;
    last_finish_ = now;
  }

  // Reports the rate of a finished point. `best` describes the best point so far.
  void point_finished(const grid::Point& point, double rate, std::string best, double now) {
    ++points_done_;
    last_ = rate;
    best_ = std::move(best);
    // There were fewer trainings than expected, or some were not reported.
    const std::size_t rest = take_rest(point);
    costs_of(point).done += rest;
    if (rest > 0) last_finish_ = now;
  }

  void point_skipped(const grid::Point& point) {
    ++points_skipped_;
    costs_of(point).skipped += take_rest(point);
  }

  // Updates the status line if it is due.
  void show() {
    if (line_.is_due()) line_.show(text());
  }

  // Clears the line to make room for other output.
  void erase() { line_.erase(); }

  // Text of the status line.
  std::string text() const {
    std::string text = std::to_string(points_done_ + points_skipped_) + " of " +
                       std::to_string(points_) + " points";
    if (points_skipped_ > 0) text += " (" + std::to_string(points_skipped_) + " skipped)";
    if (const std::optional<double> rest = left()) text += time_left_text(*rest);
    std::size_t done = 0, all = 0;
    for (const auto& [place, costs] : costs_) {
      done += costs.done + costs.skipped;
      all += costs.done + costs.skipped + costs.left;
    }
    if (done > 0) text += ", " + std::to_string(100 * done / all) + " % trained";
    if (!best_.empty()) text += ", best " + best_;
    if (last_) text += ", last " + grid::python_real(*last_);
    return text;
  }

  // The estimated remaining seconds. Every training is assumed to cost as much, and to be skipped
  // as often, as those with the same C and tube at other gammas and folds. Costs grow with C, often
  // by orders of magnitude: there is no estimate as long as a larger C is left than any trained so
  // far.
  std::optional<double> left() const {
    double spent = 0, to_come = 0;
    std::vector<std::pair<double, double>> known;  // log2 C, seconds per training
    std::size_t all_done = 0;
    for (const auto& [place, costs] : costs_) {
      spent += costs.seconds;
      all_done += costs.done;
      if (costs.done > 0) {
        known.emplace_back(place.second, costs.seconds / static_cast<double>(costs.done));
      }
    }
    if (all_done == 0) return std::nullopt;
    const double largest_known = std::max_element(known.begin(), known.end())->first;
    std::size_t all_left = 0;
    for (const auto& [place, costs] : costs_) {
      if (costs.left == 0) continue;
      const double log2c = place.second;
      double cost = 0;
      if (costs.done > 0) {
        cost = costs.seconds / static_cast<double>(costs.done);
      } else {
        if (log2c > largest_known) return std::nullopt;
        cost = std::min_element(known.begin(), known.end(), [log2c](const auto& a, const auto& b) {
                 return std::fabs(a.first - log2c) < std::fabs(b.first - log2c);
               })->second;
      }
      const double done =
          static_cast<double>(costs.done) + 1;  // counts one more: no chance is certain
      const double wanted = done / (done + static_cast<double>(costs.skipped));
      to_come += cost * wanted * static_cast<double>(costs.left);
      all_left += costs.left;
    }
    // This converts seconds of training to seconds of waiting, which depend on threads and the work
    // around trainings. The time since the last finish belongs to trainings whose seconds are not
    // yet known.
    if (spent > 0) return to_come * last_finish_ / spent;
    return last_finish_ * static_cast<double>(all_left) / static_cast<double>(all_done);
  }

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
  std::size_t take_rest(const grid::Point& point) {
    const std::size_t rest = std::exchange(left_of(point), 0);
    costs_of(point).left -= rest;
    return rest;
  }

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

#endif  // SVM_PROGRAMS_CLI_GRID_OUTPUT_H_
