// Contour pictures of a search: rate over log2 C and log2 gamma.
#ifndef SVM_PROGRAMS_GRID_PICTURE_H_
#define SVM_PROGRAMS_GRID_PICTURE_H_

#include <optional>
#include <string>

#include "programs/grid/results.h"

namespace svm::grid {

// Commands with which gnuplot draws the plan's points with the p of the best point, as a PNG file
// to its standard output.  If some have no value, these are crossed out, and the others are points
// in the colour of their value.  Nothing if an axis is not searched or has only one value, or if no
// point has a value.
std::optional<std::string> picture_commands(const Plan& plan, const Results& results,
                                            const Results::Best& best, const std::string& title);

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_PICTURE_H_
