// Blocks of columns with a place for every feature.
#ifndef SVM_KERNELS_DENSE_ENGINE_H_
#define SVM_KERNELS_DENSE_ENGINE_H_

#include <memory>

#include "kernels/examples.h"
#include "kernels/row_engine.h"

namespace svm {

// Holds codes or floats where that loses nothing.  Takes regular examples.
std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples);

}  // namespace svm

#endif  // SVM_KERNELS_DENSE_ENGINE_H_
