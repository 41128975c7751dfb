// Cuts rows into cells of neighbouring rows, by a tree.
#ifndef SVM_TRAINING_FOREST_CELLS_H_
#define SVM_TRAINING_FOREST_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/forest/forest.h"
#include "solvers/run/run.h"
#include "training/problem.h"

namespace svm {

using RowNumbers = std::vector<std::uint32_t>;

// A tree without machines, and the rows in its leaves, in the order of the leaves.
struct Cells {
  Tree tree;
  std::vector<RowNumbers> rows;
};

// The seed of all draws of a forest.
std::uint64_t forest_seed(const Run& run);

// Cuts some rows of a problem, told by their places, into cells of at most `most` rows.  As long as
// a cell is larger, it is cut at a random quantile of a feature.  Some features that vary are
// drawn, and the one is taken whose two sides differ most in their labels.  Rows that no feature
// tells apart stay together.  Rows keep their order within a cell.  Cells are incomplete if the run
// was stopped.
Cells make_cells(const Problem& problem, RowNumbers rows, std::size_t most, std::uint64_t seed,
                 bool is_classification, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_FOREST_CELLS_H_
