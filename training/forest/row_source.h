// The rows that a forest is trained on: in memory, or elsewhere until they are needed.
#ifndef SVM_TRAINING_FOREST_ROW_SOURCE_H_
#define SVM_TRAINING_FOREST_ROW_SOURCE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "solvers/run/run.h"
#include "training/forest/cells.h"
#include "training/problem.h"

namespace svm {

// Keeps some rows in memory as long as it exists.
using LoadedRows = std::shared_ptr<const void>;

// A problem whose labels and weights are in memory, and by default all rows as well.  It may be
// divided again and again; each division replaces the one before.  Where rows have to be read, and
// the run was stopped, only some of them are there.
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

#endif  // SVM_TRAINING_FOREST_ROW_SOURCE_H_
