// One binary sub-problem: a formulation of the SVM as a dual problem, solved.
#ifndef SVM_TRAINING_BINARY_H_
#define SVM_TRAINING_BINARY_H_

#include <memory>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"
#include "training/start_point.h"
#include "training/weights.h"

namespace svm {

// A trained decision function: f(x) = sum_t coefficients_t K(x_t, x) - rho over all rows of its
// problem; or, if it has a row of its own, f(x) = K(own_row, x) - rho.
struct Machine {
  std::vector<double> coefficients;
  double rho;
  bool same_with_larger_cost = false;    // to the bit: no bound was met on the way
  bool has_bounded = false;              // some coefficient is at its bound
  std::vector<double> kernel_sums = {};  // see StartPoint; empty where the solver has none
  std::vector<svm_node> own_row = {};    // with the node that ends it; or empty
};

// State of an earlier training on the same rows, to be used again.  Both may be null.
struct ReusedState {
  std::shared_ptr<const RowEngine> engine;  // of the rows, in their order
  const StartPoint* start = nullptr;        // instead of LIBSVM's
};

// The engine that train_binary() makes where there is none to reuse.  Where the run is
// stopped meanwhile, one of zeros: solvers end at their first poll.
std::shared_ptr<const RowEngine> make_engine(const Problem& problem, const svm_parameter& param,
                                             Run& run);

// Trains on the rows of `problem`; labels count as positive above 0 for the classifications.
// Prints what LIBSVM prints.  Throws PrecomputedRowError and std::bad_alloc.
Machine train_binary(const Problem& problem, const svm_parameter& param, const Costs& costs,
                     Run& run, const ReusedState& reused = {});

}  // namespace svm

#endif  // SVM_TRAINING_BINARY_H_
