// Contour pictures of a search: rate over log2 C and log2 gamma.
#ifndef SVM_PROGRAMS_GRID_PICTURE_H_
#define SVM_PROGRAMS_GRID_PICTURE_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "programs/grid/results.h"

namespace svm::grid {

// Values on a grid: values[i * y.size() + j] at (x[i], y[j]), where x and y ascend. NaN if there is
// no value.
struct Surface {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::vector<double> x, y;  // log2 C, log2 gamma
  std::vector<double> values;
  std::vector<bool> skipped;  // by point
  bool is_complete;           // other points without a value failed, or were not reached if false
  bool is_error;              // smaller values are better
  std::string title;
  Results::Best best;

  bool has_gaps() const {
    return std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  }
};

// The plan's points with the p of the best point. `is_complete` says that the search was not
// stopped. Nothing if an axis is not searched or has only one value, or if no point has a value.
std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title,
                                    bool is_complete = true);

// Commands with which gnuplot draws the surface as a PNG file to its standard output.  Draws
// contours, at levels of its own choice, if all four points around have values.  If some have none,
// the points themselves are drawn: in the colour of their value, hollow if they were skipped,
// crossed out if they failed, and not at all if they were not reached.
std::string gnuplot_commands(const Surface& surface);

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_PICTURE_H_
