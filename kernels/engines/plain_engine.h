// The engines that take any row: simple, and the measure of the others.
#ifndef SVM_KERNELS_ENGINES_PLAIN_ENGINE_H_
#define SVM_KERNELS_ENGINES_PLAIN_ENGINE_H_

#include <memory>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"

namespace svm {

// Walks two rows at once, as prediction does, so it also takes rows whose indices do not ascend.
std::unique_ptr<RowEngine> make_plain_engine(const KernelFunction& kernel, Examples examples);

// Looks up K(i, j) in row i at the serial number of row j.  The rows are read later as well.
std::unique_ptr<RowEngine> make_precomputed_engine(const svm_node* const* rows, std::size_t count);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PLAIN_ENGINE_H_
