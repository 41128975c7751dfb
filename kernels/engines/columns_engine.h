// Sparse columns, sorted by feature.
#ifndef SVM_KERNELS_ENGINES_COLUMNS_ENGINE_H_
#define SVM_KERNELS_ENGINES_COLUMNS_ENGINE_H_

#include <memory>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"

namespace svm {

// What the engine would cost, in nanoseconds per dot.
double columns_cost(const Examples& examples);

// Holds floats where that loses nothing, and no values where all are 1.  Takes regular examples.
std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_COLUMNS_ENGINE_H_
