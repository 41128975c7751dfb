// Cuts rows into cells of neighbouring rows, by a tree.
#ifndef SVM_TRAINING_FOREST_CELLS_H_
#define SVM_TRAINING_FOREST_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
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

// Cuts some rows of a problem, told by their places, into cells of at most `most` rows.  As long as
// a cell is larger, it is cut at a random quantile of a feature.  Some features that vary are
// drawn, and the one is taken whose two sides differ most in their labels.  Rows that no feature
// tells apart stay together.  Rows keep their order within a cell.  Cells are incomplete if the run
// was stopped.
Cells make_cells(const Problem& problem, RowNumbers rows, std::size_t most, std::uint64_t seed,
                 bool is_classification, Run& run);

// Keeps some rows in memory as long as it exists.
using LoadedRows = std::shared_ptr<const void>;

// A problem whose labels and weights are in memory, and by default all rows as well.  It may be
// divided again and again; each division replaces the one before.  If rows have to be read and the
// run was stopped, only some of them are there.
class RowSource {
 public:
  explicit RowSource(const Problem& problem) : problem_(problem) {}
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;

  const Problem& problem() const { return problem_; }

  // Loads rows, told by their rising places in the problem.
  virtual LoadedRows load(const RowNumbers& /*rows*/, Run& /*run*/) { return nullptr; }

  // Divides rows, told likewise, by the leaves of a tree.
  virtual void divide(const RowNumbers& rows, const Tree& tree, Run& run);
  // The rows of leaf p, counted by leaves, and what loads them, by several threads at once.
  const RowNumbers& part(std::size_t p) const { return parts_[p]; }
  virtual LoadedRows load_part(std::size_t /*p*/) { return nullptr; }

 protected:
  Problem problem_;
  std::vector<RowNumbers> parts_;
};

// The places of a tree's leaves.
std::vector<std::size_t> leaves_of(const Tree& tree);

}  // namespace svm

#endif  // SVM_TRAINING_FOREST_CELLS_H_
