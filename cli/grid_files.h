// The names of the files that svm-grid writes.
#ifndef SVM_CLI_GRID_FILES_H_
#define SVM_CLI_GRID_FILES_H_

#include <string>

#include "cli/grid_options.h"

namespace svm::cli {

// The picture's name where it is no PNG file.
std::string svg_name(const std::string& png);

// Names the outputs after the data set where they have no name.  Throws Failure where one of them
// would overwrite it.
void name_grid_files(GridSettings& settings, const std::string& data);

}  // namespace svm::cli

#endif  // SVM_CLI_GRID_FILES_H_
