#include "programs/cli/grid_progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "programs/grid/results.h"

namespace svm::cli {

void GridProgress::begin(const std::vector<grid::Point>& points, std::size_t trainings_of_a_point) {
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

double GridProgress::now() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void GridProgress::training_finished(const grid::Point& point, double seconds, double now) {
  std::size_t& left = left_of(point);
  if (left == 0) return;
  --left;
  Costs& costs = costs_of(point);
  --costs.left;
  ++costs.done;
  costs.seconds += seconds;
  last_finish_ = now;
}

void GridProgress::point_finished(const grid::Point& point, double rate, std::string best,
                                  double now) {
  ++points_done_;
  last_ = rate;
  best_ = std::move(best);
  // There were fewer trainings than expected, or some were not reported.
  const std::size_t rest = take_rest(point);
  costs_of(point).done += rest;
  if (rest > 0) last_finish_ = now;
}

void GridProgress::point_skipped(const grid::Point& point) {
  ++points_skipped_;
  costs_of(point).skipped += take_rest(point);
}

std::size_t GridProgress::take_rest(const grid::Point& point) {
  const std::size_t rest = std::exchange(left_of(point), 0);
  costs_of(point).left -= rest;
  return rest;
}

std::optional<double> GridProgress::left() const {
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
  // around trainings. The time since the last finish belongs to trainings whose seconds are not yet
  // known.
  if (spent > 0) return to_come * last_finish_ / spent;
  return last_finish_ * static_cast<double>(all_left) / static_cast<double>(all_done);
}

std::string GridProgress::text() const {
  std::string text =
      std::to_string(points_done_ + points_skipped_) + " of " + std::to_string(points_) + " points";
  if (points_skipped_ > 0) text += " (" + std::to_string(points_skipped_) + " skipped)";
  if (const std::optional<double> rest = left()) {
    text += time_left_text(*rest);
  }
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

void GridProgress::show() {
  if (!line_.is_due()) return;
  line_.show(text());
}

}  // namespace svm::cli
