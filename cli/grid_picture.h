// The picture that svm-grid writes of a search.
#ifndef SVM_CLI_GRID_PICTURE_H_
#define SVM_CLI_GRID_PICTURE_H_

#include <string>

#include "grid/picture.h"

namespace svm::cli {

// Writes `png` by the gnuplot of that path, or an SVG file if that is empty or fails, or if `png`
// ends with .svg.  What goes
// wrong is said on standard error only: it is no reason to lose the search.
void write_picture(const grid::Surface& surface, const std::string& png,
                   const std::string& gnuplot);

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_PICTURE_H_
