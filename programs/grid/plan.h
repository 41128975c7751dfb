// The points of a search, in the order of LIBSVM's grid.py.
#ifndef SVM_PROGRAMS_GRID_PLAN_H_
#define SVM_PROGRAMS_GRID_PLAN_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace svm::grid {

// The searched parameters of a training.
struct PointValues {
  double cost, gamma, tube;

  bool operator==(const PointValues& other) const {
    return cost == other.cost && gamma == other.gamma && tube == other.tube;
  }
};

using Exponents = std::tuple<double, double, double>;  // of C, gamma and the tube

// Exponents of 2. An axis that is not searched has the exponent 0.
struct Point {
  double log2c = 0, log2g = 0, log2p = 0;
  // If these are set, the exponents are their logarithms and less precise.
  std::optional<PointValues> given = {};

  PointValues values() const;
  Exponents exponents() const { return {log2c, log2g, log2p}; }
  bool operator==(const Point& other) const {
    return exponents() == other.exponents() && given == other.given;
  }
};

// The sequence begin, begin + step ... up to end, which is included if the sequence reaches it.
struct Range {
  static constexpr int kMostValues = 10000;
  double begin, end, step;

  // Also if the step is too small to change every value.
  bool has_too_many_values() const;
  // Adds one step after the other, as grid.py does.  Unlike there, the end is not lost if the last
  // sum exceeds it by rounding.
  std::vector<double> values() const;
};

// Parses "begin,end,step". Nothing if the text has another form, if the step does not lead to the
// end, or if exponents are too large.
std::optional<Range> parse_range(std::string_view text);

// The axes that are searched.
struct Axes {
  bool c = true, g = true, p = false;
};

struct Plan {
  Axes axes;
  // Values of each axis in the order of its range; a single 0 if the axis is not searched.
  std::vector<double> c{0}, g{0}, p{0};
  std::vector<Point> points;  // in grid.py's order

  double c_step = 0, g_step = 0, p_step = 0;
};

// Uses only the gammas first_gamma <= i < last_gamma of the range.
Plan make_plan(const std::optional<Range>& c, const std::optional<Range>& g,
               const std::optional<Range>& p, std::size_t first_gamma, std::size_t last_gamma);

// The points of each gamma, in the order of the first occurrences, sorted by tube width and C.
std::vector<std::vector<Point>> by_gamma(const std::vector<Point>& points);

// A grid around `best` that covers one step of `plan` to each side with four times as many points
// per axis. The tube is fixed.
Plan refined_plan(const Plan& plan, const Point& best);

// The middle first, then the middles of both halves in turn.
std::vector<double> midpoint_order(const std::vector<double>& values);

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_PLAN_H_
