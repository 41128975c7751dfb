// The command line of svm-grid.
#ifndef SVM_PROGRAMS_CLI_GRID_OPTIONS_H_
#define SVM_PROGRAMS_CLI_GRID_OPTIONS_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "programs/cli/options.h"
#include "programs/cli/train_options.h"
#include "programs/grid/plan.h"

namespace svm::cli {

struct GridSettings {
  TrainSettings train;  // parameters that are not searched
  std::optional<grid::Range> c = grid::Range{-5, 15, 2};
  std::optional<grid::Range> g = grid::Range{3, -15, -2};
  std::optional<grid::Range> p;
  std::size_t first_gamma = 0;  // first and last index of gammas to search
  std::size_t last_gamma = std::numeric_limits<std::size_t>::max();
  int folds = 5;
  std::string out, png;  // empty: named after the data set
  std::string model;     // file of the model to be trained at the best point; empty for none
  bool no_out = false, no_png = false;
  std::string gnuplot = "/usr/bin/gnuplot";  // path; empty for no gnuplot
  bool resume = false;
  std::string resume_file;  // empty: the .out file
  bool adaptive = false, refine = false, warm_start = false;
  int cells = 0;  // most rows of a cell; 0: no cells
};

// The option table. Parsing stores in `settings`, which must outlive the table.
Program grid_program(GridSettings& settings);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_GRID_OPTIONS_H_
