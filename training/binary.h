// Trains one decision function: states the SVM as a dual problem and solves it.
#ifndef SVM_TRAINING_BINARY_H_
#define SVM_TRAINING_BINARY_H_

#include <memory>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// A trained decision function: f(x) = sum_t coefficients_t K(x_t, x) - rho over all rows of its
// problem, or f(x) = K(own_row, x) - rho if it has a row of its own.
struct Machine {
  std::vector<double> coefficients;
  double rho;
  bool same_with_larger_cost = false;  // no bound was ever met, so iterates would be the same
  bool has_bounded = false;            // some coefficient is at its bound
  std::shared_ptr<const std::vector<svm_node>> own_row = {};  // terminated by index -1; or null
};

// What a training takes from others.  All may be null.
struct ReusedState {
  std::shared_ptr<const RowEngine> engine;  // example t is row t
  const StartPoint* start = nullptr;        // instead of LIBSVM's start
  // Offered to the kernel matrix, whose variables are the rows of the problem.
  KernelMatrix::FillRows fill_rows = nullptr;
  bool puts_off = true;                        // see KernelMatrix::put_off_offers()
  std::vector<double>* kernel_sums = nullptr;  // receives those of StartPoint; empty if unknown
};

// Trains on the rows of `problem`.  For the classifications, labels above 0 are positive and all
// others negative.  `costs` has the C of both for rows of weight 1 (C-SVC only).  Prints what
// LIBSVM prints.  If the run is stopped, the machine is that of the current iterate.  Throws
// PrecomputedRowError, std::invalid_argument and std::bad_alloc.
Machine train_binary(const Problem& problem, const svm_parameter& param, const UpperBounds& costs,
                     Run& run, const ReusedState& reused = {});

}  // namespace svm

#endif  // SVM_TRAINING_BINARY_H_
