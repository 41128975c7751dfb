// Runs gnuplot.
#ifndef SVM_GRID_GNUPLOT_H_
#define SVM_GRID_GNUPLOT_H_

#include <optional>
#include <string>

namespace svm::grid {

// What the gnuplot at `path` writes to its standard output for these commands.  Nothing where it
// fails or writes nothing.
std::optional<std::string> run_gnuplot(const std::string& path, const std::string& commands);

}  // namespace svm::grid

#endif  // SVM_GRID_GNUPLOT_H_
