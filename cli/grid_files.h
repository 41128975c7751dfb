// The names of the files that svm-grid writes.
#ifndef SVM_CLI_GRID_FILES_H_
#define SVM_CLI_GRID_FILES_H_

#include <string>

#include "cli/grid_options.h"

namespace svm::cli {

// The picture's name if it is no PNG file: with .svg instead of .png.
std::string svg_name(const std::string& name);
bool is_svg_name(const std::string& name);

// Names the outputs after the data set where they have no name.  Throws Failure or
// std::system_error if one of them would overwrite it or cannot be written, except for a picture
// that has no name: then there is a warning, and no picture.
void name_grid_files(GridSettings& settings, const std::string& data);

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_FILES_H_
