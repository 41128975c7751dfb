// Cross validation of many points in one process.
#ifndef SVM_GRID_SEARCH_H_
#define SVM_GRID_SEARCH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "grid/plan.h"
#include "kernels/engines/shared_rows.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/folds.h"

namespace svm::grid {

// The draws that a process of its own would get for each point: those of `source`, or where it is
// empty of the C library's rand(), from its first one on.  Nobody else may call these.  Threads can
// share it.
class FirstDraws {
 public:
  explicit FirstDraws(std::function<int()> source) : source_(std::move(source)) {}

  int at(std::size_t place);

 private:
  const std::function<int()> source_;
  std::mutex mutex_;
  std::vector<int> draws_;
};

// What a search is about.  The problem and the weights in `param` must outlive it.
struct SearchSpecification {
  const svm_problem& problem;
  svm_parameter param;  // what the axes that are not searched have
  Axes axes;
  int folds;
  bool warm_start;

  svm_parameter at(const Point& point) const;
};

class Search {
 public:
  // Called by one thread at a time: a finished point with its predictions for all rows.
  using Finished = std::function<void(const Point& point, const std::vector<double>& predictions)>;

  // `run` is that of the whole search, and is told of how to solve, of cancelling and time.
  Search(const SearchSpecification& specification, Run& run);
  ~Search();

  // Looks at the points: gamma by gamma, in the order in which the gammas come first.  Small data
  // sets are done with a gamma at once; of large ones each point is finished as soon as may be.
  // False where the run was stopped; what was not finished by then is lost.
  bool look_at(const std::vector<Point>& points, const Finished& finished);

 private:
  struct Kernel;
  struct Unit;

  std::vector<Unit> make_units(const std::vector<Point>& points);
  void run_units(std::vector<Unit>& units, const Finished& finished);
  void run_unit_fold(Unit& unit, std::size_t fold, Run& run, const Finished& finished);
  void run_with_estimates(std::vector<Unit>& units, const Finished& finished);
  bool open(Unit& unit, Run& run);
  std::function<int()> fresh_draws() const;

  const SearchSpecification specification_;
  Run& run_;
  const std::shared_ptr<FirstDraws> draws_;
  Folds folds_;
  std::shared_ptr<RowBudget> budget_;
  std::mutex mutex_;  // for the state of units, and calls of `finished`
};

}  // namespace svm::grid

#endif  // SVM_GRID_SEARCH_H_
