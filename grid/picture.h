// A contour picture of a search: rate over log2 C and log2 gamma.
#ifndef SVM_GRID_PICTURE_H_
#define SVM_GRID_PICTURE_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "grid/results.h"

namespace svm::grid {

// Values on a grid: values[i * y.size() + j] at (x[i], y[j]), both ascending.  NaN where there is
// none.
struct Surface {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::vector<double> x, y;  // log2 C, log2 gamma
  std::vector<double> values;
  std::vector<bool> skipped;  // why there is none: else the point failed, or
  bool is_complete;           // if this is false, was not reached
  bool is_error;              // small is good
  std::string title;
  Results::Best best;

  bool has_gaps() const {
    return std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  }
};

// The plan's points, at the p of the best one.  `is_complete`: the search came to its end.  Nothing
// where an axis is not searched or has one value only, or no point has a value.
std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title,
                                    bool is_complete = true);

// Levels between the bands of the picture: multiples of a round number.
std::vector<double> contour_levels(const Surface& surface);

// Contours where all four points around have values.  Where some have none, points are drawn: with
// the colour of their value, hollow where they were skipped, crossed out where they failed, and not
// where they were not reached.
std::string svg_picture(const Surface& surface);

// Commands after which gnuplot writes a PNG file to its standard output, of the same.
std::string gnuplot_commands(const Surface& surface);

// What both write: the best point, and about ten of an axis's values.
std::string best_text(const Surface& surface);
std::vector<double> axis_marks(const std::vector<double>& values);

}  // namespace svm::grid

#endif  // SVM_GRID_PICTURE_H_
