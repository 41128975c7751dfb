// Cuts rows into cells of neighbouring rows, by a tree.
#ifndef SVM_TRAINING_FOREST_CELLS_H_
#define SVM_TRAINING_FOREST_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/feature_weights.h"
#include "model/forest/forest.h"
#include "solvers/run/run.h"
#include "training/problem.h"

namespace svm {

// A tree without machines, and the rows in its leaves, in the order of the leaves.
struct Cells {
  Tree tree;
  std::vector<RowNumbers> rows;
};

struct CellRules {
  std::size_t most;  // rows of a cell
  bool is_classification;
  FeatureWeights weights =
      {};  // they count for how much features vary; trees are of values as given
};

// A seed for a part of the work.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t part);

// About `count` of some rows, in their order.
RowNumbers sample_of(const RowNumbers& rows, std::size_t count, std::uint64_t seed);

// Cuts some rows of a problem, told by their places, into cells.  As long as a cell is too large,
// it is cut at a random quantile of a feature.  Some features that vary are drawn, and the one is
// taken whose two sides differ most in their labels.  Rows that no feature tells apart stay
// together.  Rows keep their order within a cell.  Cells are incomplete if the run was stopped.
Cells make_cells(const Problem& problem, RowNumbers rows, const CellRules& rules,
                 std::uint64_t seed, Run& run);

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

// The upper part of a tree, cut from a sample of some rows.  All of them can be divided by it at
// once, into parts of a few cells or, if they are few, into cells.  `problem` is that of the
// source, perhaps with other weights.
Cells upper_cells(RowSource& source, const Problem& problem, const RowNumbers& rows,
                  const CellRules& rules, std::uint64_t seed, Run& run);

// The places of a tree's leaves.
std::vector<std::size_t> leaves_of(const Tree& tree);

}  // namespace svm

#endif  // SVM_TRAINING_FOREST_CELLS_H_
