// What a start leaves in the solution by its rounding.
#ifndef SVM_TRAINING_RESIDUES_H_
#define SVM_TRAINING_RESIDUES_H_

#include <cstddef>

#include "kernels/engines/row_engine.h"
#include "solvers/run/dual_state.h"

namespace svm {

// The largest variable.
double largest_variable(const DualState& state);

// Was the start, whose largest variable this is, so much larger than the solution that its rounding
// may decide?  It remains in the gradient, and in the constraint y'a = 0, which the problem must
// have.
bool start_may_decide(double largest_of_start, const DualState& solution);

// If all variables of the solution are within rounding of a bound, relative to the largest of
// them, puts them there, and takes as threshold (and margin) the middle of what is optimal, as
// after a start at 0: not what a coefficient of 1e-16 says.  Otherwise, if its f is not known, or
// if this could change it by more than a small part of `epsilon`, the solution stays.  Variables t
// and t + `rows` stand for example t of the engine.
void settle_at_bounds(const RowEngine& engine, std::size_t rows, double epsilon,
                      Solution& solution);

}  // namespace svm

#endif  // SVM_TRAINING_RESIDUES_H_
