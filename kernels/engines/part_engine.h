// Engines for some examples of another engine, in any order.
#ifndef SVM_KERNELS_ENGINES_PART_ENGINE_H_
#define SVM_KERNELS_ENGINES_PART_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"

namespace svm {

// Example k of the part is example numbers[k] of `engine`.
std::shared_ptr<const RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                                  std::vector<std::uint32_t> numbers);

// Example k of the part is row rows[k] of the store's data set.  The engine takes values from kept
// rows and keeps the rows that it computes; without memory to keep them, it computes only the
// values requested.  The store must outlive it.
std::shared_ptr<const RowEngine> make_part_engine(RowStore& store, std::vector<std::uint32_t> rows);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PART_ENGINE_H_
