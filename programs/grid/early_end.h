// Trainings of C-SVC that end before their tolerance is met, because no prediction can change.
#ifndef SVM_PROGRAMS_GRID_EARLY_END_H_
#define SVM_PROGRAMS_GRID_EARLY_END_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engines/row_store.h"
#include "solvers/run/run.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// Bounds the difference between the decision values of a point, with this threshold rho, and of
// every optimal solution, for all rows at once: by twice the root of the duality gap and what else
// the threshold may be off (docs/grid.md, "Early ends").  Infinite if no decision value of the
// training rows is larger.
//
// The point must have finite bounds and the kernel sums of its variables, the kernel must be
// positive definite with K(x, x) = 1, as RBF is.  `labels` are positive or not.  `rounding` is the
// largest error of a kernel value.
double distance_from_optimum(const StartPoint& point, double rho, const double* labels,
                             double rounding);

// True if every held-out row is on the same side of the boundary as at the optimum.  The rows of
// both are rows of the store.  False if the run is stopped.
bool predictions_are_certain(const StartPoint& point, double rho, const Problem& training_set,
                             const std::vector<std::uint32_t>& held_out, RowStore<float>& rows,
                             Run& run);

// True if hardly any training row is near the boundary of this solution for a smaller C, so that
// it may be expected of the held-out rows.
bool expects_certainty(const StartPoint& before, double rho, std::size_t held_out);

// A training that may end early is first brought to this many times its tolerance.
constexpr double kEarlyTolerance = 30;

}  // namespace svm

#endif  // SVM_PROGRAMS_GRID_EARLY_END_H_
