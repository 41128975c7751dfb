// Shows the progress of a search by svm-grid.
#ifndef SVM_PROGRAMS_CLI_GRID_PROGRESS_H_
#define SVM_PROGRAMS_CLI_GRID_PROGRESS_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/cli/status_line.h"
#include "programs/grid/plan.h"
#include "programs/grid/results.h"

namespace svm::cli {

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

#endif  // SVM_PROGRAMS_CLI_GRID_PROGRESS_H_
