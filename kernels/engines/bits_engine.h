// Columns of bits, for values that are all 1.
#ifndef SVM_KERNELS_ENGINES_BITS_ENGINE_H_
#define SVM_KERNELS_ENGINES_BITS_ENGINE_H_

#include <memory>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"

namespace svm {

// Does every value equal 1, and are the features few enough?
bool fit_bits(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel, const Examples& examples);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_BITS_ENGINE_H_
