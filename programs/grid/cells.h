// Searches on many rows: cross validation of each of many cells of neighbouring rows by itself.
#ifndef SVM_PROGRAMS_GRID_CELLS_H_
#define SVM_PROGRAMS_GRID_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "programs/grid/plan.h"
#include "programs/grid/search.h"
#include "solvers/run/run.h"
#include "training/cross_validation.h"
#include "training/problem.h"

namespace svm::grid {

// Evaluates points as Search does, but a row is predicted by machines that were trained on rows of
// its own cell only, as by a tree of a forest.
class CellSearch {
 public:
  // `run` is the run of the whole search.  Not for probability estimates or precomputed kernels.
  // Draws folds of each cell as LIBSVM does.
  CellSearch(const SearchSpecification& specification, std::size_t rows_of_cell, Run& run);
  // The folds of a cell are its parts of these folds.  Throws std::invalid_argument if all rows of
  // a cell are in one fold.
  CellSearch(const SearchSpecification& specification, const Folds& folds, std::size_t rows_of_cell,
             Run& run);

  // As Search::evaluate().  A judge sees the cells as folds.
  bool evaluate(const std::vector<Point>& points, const Search::Finished& finished,
                Adaptive* judge = nullptr);

  svm_parameter at(const Point& point) const { return specification_.at(point); }
  std::size_t parts() const { return cells_.size(); }  // see Search

 private:
  struct Cell {
    std::vector<std::uint32_t> rows;  // in the problem
    Folds folds;
  };
  struct Group;

  void evaluate_group(Group& group, const Search::Finished& finished, Adaptive* judge);
  bool evaluate_cell(Group& group, std::size_t cell, const std::vector<std::size_t>& places,
                     Run& run);

  const SearchSpecification specification_;
  Run& run_;
  std::vector<Cell> cells_;
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_CELLS_H_
