// Which points a search looks at, in the order of LIBSVM's grid.py.
#ifndef SVM_GRID_PLAN_H_
#define SVM_GRID_PLAN_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace svm::grid {

// Parameters of a training.
struct PointValues {
  double cost, gamma, tube;

  bool operator==(const PointValues& other) const {
    return cost == other.cost && gamma == other.gamma && tube == other.tube;
  }
};

// Exponents of 2.  An axis that is not searched holds 0 everywhere.
struct Point {
  double log2c = 0, log2g = 0, log2p = 0;
  // If these are given, the exponents are their logarithms, which do not tell the last digits.
  std::optional<PointValues> given = {};

  PointValues values() const;
  bool operator==(const Point& other) const {
    return log2c == other.log2c && log2g == other.log2g && log2p == other.log2p &&
           given == other.given;
  }
};

// begin, begin + step ... up to end, which is included where it is met.
struct Range {
  double begin, end, step;

  // Summed up one step after the other, as grid.py does.
  std::vector<double> values() const;
};

// "begin,end,step".  Nothing where the text is something else, has a step that does not lead to the
// end, or asks for exponents beyond a double or for too many values.
std::optional<Range> parse_range(std::string_view text);

// Which axes are searched.
struct Axes {
  bool c = true, g = true, p = false;
};

struct Plan {
  Axes axes;
  // Axis by axis in ascending place of the range; one 0 where an axis is not searched.
  std::vector<double> c{0}, g{0}, p{0};
  std::vector<Point> points;  // in grid.py's order

  double c_step = 0, g_step = 0, p_step = 0;
};

// `first_gamma` and `last_gamma` choose gammas [first, last) of the range.
Plan make_plan(const std::optional<Range>& c, const std::optional<Range>& g,
               const std::optional<Range>& p, std::size_t first_gamma, std::size_t last_gamma);

// A grid around `best`: four steps for one of `plan`, one old step to each side.  The tube is left
// as it is.
Plan refined_plan(const Plan& plan, const Point& best);

// The middle first, then the middles of the halves in turn.
std::vector<double> midpoint_order(const std::vector<double>& values);

}  // namespace svm::grid

#endif  // SVM_GRID_PLAN_H_
