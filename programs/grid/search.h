// Cross validation of many points in one process.
#ifndef SVM_PROGRAMS_GRID_SEARCH_H_
#define SVM_PROGRAMS_GRID_SEARCH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads/primitives.h"
#include "kernels/engines/row_store.h"
#include "model/model_memory.h"
#include "programs/grid/adaptive.h"
#include "programs/grid/cost_path.h"
#include "programs/grid/gamma_kernels.h"
#include "programs/grid/plan.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/cross_validation.h"
#include "training/problem.h"
#include "training/random.h"

namespace svm::grid {

// Random draws: for each point, the same sequence that a process of its own would get. They come
// from `source`, or if that is empty, from default_draws(). Nobody else may use these meanwhile.
// Thread-safe.
class FirstDraws {
 public:
  explicit FirstDraws(Draw source) : source_(source ? std::move(source) : default_draws()) {}

  int at(std::size_t place);

 private:
  const Draw source_;
  std::mutex mutex_;
  std::vector<int> draws_;
};

// The subject of a search. What the problem borrows, and the weights in `param`, must outlive it.
struct SearchSpecification {
  Problem problem;
  svm_parameter param;  // values of axes that are not searched
  Axes axes;
  int folds;
  bool warm_start;
  Responses responses = {};

  svm_parameter at(const Point& point) const;
};

class Search {
 public:
  // Receives a finished point with its responses: the predictions of all rows, unless the
  // specification asks for others. Called by one thread at a time.
  using Finished = std::function<void(const Point& point, const std::vector<double>& predictions)>;

  // `run` is the run of the whole search: it has the options of the solver, and handles cancelling
  // and time limits. The folds are drawn as by LIBSVM, or given by the caller, in which case there
  // are no probability estimates.
  Search(const SearchSpecification& specification, Run& run);
  Search(const SearchSpecification& specification, Folds folds, Run& run);
  ~Search();

  // Evaluates the points, gamma by gamma in the order of their first occurrences. Small data sets
  // finish all points of a gamma together; for large ones each point finishes as early as possible.
  // Returns false if the run was stopped; results that were not finished are lost.
  //
  // With a `judge` the search proceeds in rounds: each current group trains the step that the judge
  // wants, and the judge receives all results in order before it is asked again. Not for
  // probability estimates.
  bool evaluate(const std::vector<Point>& points, const Finished& finished,
                Adaptive* judge = nullptr);

  // Trains all rows at a point, after the search, as svm-train does. The kernel rows are those of
  // the search, if they are kept. If the run was stopped, so was the training.
  ModelPtr train(const Point& point);

  // The kernel rows of the whole problem for this gamma, if the search had memory for all of them
  // and evaluated this gamma last; else null. A training on the problem by the same solver may read
  // them (Services::shared_rows), while what the problem borrows exists.
  std::shared_ptr<RowStore> kept_rows(double gamma) const;

  // The parts of a point that a judge sees one after the other.
  std::size_t parts() const { return folds_.size(); }

 private:
  struct Kernel;
  struct Unit;

  std::vector<Unit> make_units(const std::vector<Point>& points, bool is_judged);
  bool wait_for_turn(const Unit& unit, std::size_t fold, Run& run);
  void run_unit_fold(Unit& unit, std::size_t fold, Run& run, const Finished& finished);
  void run_judged(std::vector<Unit>& units, const Finished& finished, Adaptive& judge);
  bool run_round(const std::vector<Unit*>& units, const Finished& finished, Adaptive& judge);
  bool train_step(Unit& unit, const Step& step, Run& run);
  void run_with_estimates(std::vector<Unit>& units, const Finished& finished);
  bool open(Unit& unit, Run& run, bool keeps_rows);
  Draw fresh_draws() const;

  const SearchSpecification specification_;
  Run& run_;
  const std::shared_ptr<FirstDraws> draws_;
  Folds folds_;
  std::unique_ptr<GammaKernels> kernels_;  // set by the first evaluation
  std::shared_ptr<Kernel> last_;           // of the gamma that is evaluated last
  std::mutex mutex_;                       // guards the units' state and calls of `finished`
  ConditionVariable turn_;                 // see wait_for_turn()
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_SEARCH_H_
