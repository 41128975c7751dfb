// Cross validation of many points in one process.
#ifndef SVM_GRID_SEARCH_H_
#define SVM_GRID_SEARCH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "grid/gamma_kernels.h"
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

// What a search asks before it trains, and is told after: by one thread at a time, and only while
// nothing is trained.  So what it decides does not depend on the threads.
class Judge {
 public:
  Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;

  struct Step {
    std::size_t fold = 0;
    std::vector<std::size_t> points;  // ascending places in the group; none: the group is done
  };
  // What to train next of a group: points of one gamma, by tube width and C.
  virtual Step next(const std::vector<Point>& group) = 0;
  // A step's fold of a point: its rows, and the predictions of these, among others.
  virtual void fold_finished(const Point& point, const std::vector<std::size_t>& rows,
                             const std::vector<double>& predictions) = 0;
};

class Search {
 public:
  // Called by one thread at a time: a finished point with its predictions for all rows.
  using Finished = std::function<void(const Point& point, const std::vector<double>& predictions)>;

  // Called by several threads at once: a binary training for a point is over, or was not needed.
  using Trained = std::function<void(const Point& point, double seconds)>;

  // `run` is that of the whole search, and is told of how to solve, of cancelling and time.  Folds
  // are drawn as LIBSVM does, or are the caller's, which is not for probability estimates.
  Search(const SearchSpecification& specification, Run& run);
  Search(const SearchSpecification& specification, Folds folds, Run& run);
  ~Search();

  // Looks at the points: gamma by gamma, in the order in which the gammas come first.  Small data
  // sets are done with a gamma at once; of large ones each point is finished as soon as may be.
  // False where the run was stopped; what was not finished by then is lost.
  //
  // With a `judge` the search goes in rounds: each group at hand trains the step that it wants, and
  // the judge is told of all of them, in order, before it is asked again.  Not for probability
  // estimates.
  bool look_at(const std::vector<Point>& points, const Finished& finished, Judge* judge = nullptr);

  // Not told of trainings for probability estimates.
  void on_trained(Trained trained) { trained_ = std::move(trained); }

  std::size_t folds() const { return folds_.size(); }

 private:
  struct Kernel;
  struct Unit;

  bool is_small() const;
  std::vector<Unit> make_units(const std::vector<Point>& points, bool is_judged);
  void run_units(std::vector<Unit>& units, const Finished& finished);
  void run_unit_fold(Unit& unit, std::size_t fold, Run& run, const Finished& finished);
  void run_judged(std::vector<Unit>& units, const Finished& finished, Judge& judge);
  bool run_round(const std::vector<Unit*>& units, const Finished& finished, Judge& judge);
  bool train_fold(Unit& unit, std::size_t fold, const std::vector<std::size_t>& places, Run& run);
  void run_with_estimates(std::vector<Unit>& units, const Finished& finished);
  bool open(Unit& unit, Run& run);
  std::function<int()> fresh_draws() const;

  const SearchSpecification specification_;
  Run& run_;
  Trained trained_;
  const std::shared_ptr<FirstDraws> draws_;
  Folds folds_;
  std::unique_ptr<GammaKernels> kernels_;  // from the first look on
  std::mutex mutex_;                       // for the state of units, and calls of `finished`
};

}  // namespace svm::grid

#endif  // SVM_GRID_SEARCH_H_
