#include "kernels/row_engine.h"

#include "kernels/examples.h"
#include "kernels/plain_engine.h"

namespace svm {

std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel,
                                           const svm_node* const* rows, std::size_t count) {
  if (kernel.type == PRECOMPUTED) return make_precomputed_engine(rows, count);
  return make_plain_engine(kernel, Examples(rows, count));
}

}  // namespace svm
