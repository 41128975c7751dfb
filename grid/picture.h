// A contour picture of a search: rate over log2 C and log2 gamma.
#ifndef SVM_GRID_PICTURE_H_
#define SVM_GRID_PICTURE_H_

#include <string>
#include <vector>

#include "grid/results.h"

namespace svm::grid {

// Values on a grid: values[i * y.size() + j] at (x[i], y[j]), both ascending.
struct Surface {
  std::vector<double> x, y;  // log2 C, log2 gamma
  std::vector<double> values;
  bool is_error;  // small is good
  std::string title;
  Results::Best best;
};

// The plan's points, at the p of the best one.  Nothing where an axis is not searched or has one
// value only, or a point is not known yet.
std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title);

// Levels between the bands of the picture: multiples of a round number.
std::vector<double> contour_levels(const Surface& surface);

std::string svg_picture(const Surface& surface);

// Commands after which gnuplot writes a PNG file to its standard output.
std::string gnuplot_commands(const Surface& surface);

}  // namespace svm::grid

#endif  // SVM_GRID_PICTURE_H_
