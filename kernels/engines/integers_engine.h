// Blocks of small integers, whose sums are exact in any order.
#ifndef SVM_KERNELS_ENGINES_INTEGERS_ENGINE_H_
#define SVM_KERNELS_ENGINES_INTEGERS_ENGINE_H_

#include <memory>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"

namespace svm {

// Is every value an integer, with 256 different ones at most between the least and the largest of
// them and 0?
bool fit_integers(const Examples& examples);

// What the engine would cost, in nanoseconds per dot.  It holds a byte per column and feature.
double integers_cost(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_integers_engine(const KernelFunction& kernel, Examples examples);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_INTEGERS_ENGINE_H_
