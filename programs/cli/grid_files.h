// The files that svm-grid writes: their names, and the picture.
#ifndef SVM_PROGRAMS_CLI_GRID_FILES_H_
#define SVM_PROGRAMS_CLI_GRID_FILES_H_

#include <string>

#include "programs/cli/grid_options.h"
#include "programs/grid/picture.h"

namespace svm::cli {

// Names outputs without a name after the data set. Throws Failure or std::system_error if an output
// would overwrite an input or cannot be written. An exception is a picture without a name: it
// is left out with a warning.
void name_grid_files(GridSettings& settings, const std::string& data);

// Draws the surface by the program `gnuplot` (a path) into the file `png`. Errors are only reported
// on standard error, because they must not cost the user the search.
void write_picture(const grid::Surface& surface, const std::string& png,
                   const std::string& gnuplot);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_GRID_FILES_H_
