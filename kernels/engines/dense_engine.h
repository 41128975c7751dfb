// Blocks of columns with a place for every feature.
#ifndef SVM_KERNELS_ENGINES_DENSE_ENGINE_H_
#define SVM_KERNELS_ENGINES_DENSE_ENGINE_H_

#include <memory>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"

namespace svm {

// What the dense engine would cost: bytes per column, and nanoseconds per dot.
struct DenseCost {
  double bytes;
  double nanoseconds;
};
// Throws Interrupted where `go_on` says so.
DenseCost dense_cost(const Examples& examples, const GoOn& go_on);

// Holds codes or floats where that loses nothing.  Takes regular examples.  Throws Interrupted
// where `go_on` says so.
std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_DENSE_ENGINE_H_
