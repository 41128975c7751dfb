// An engine for some of the examples of another one.
#ifndef SVM_KERNELS_PART_ENGINE_H_
#define SVM_KERNELS_PART_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/row_engine.h"

namespace svm {

// Example k is example number[k] of `engine`.
std::unique_ptr<RowEngine> make_part_engine(std::shared_ptr<const RowEngine> engine,
                                            std::vector<std::uint32_t> number);

}  // namespace svm

#endif  // SVM_KERNELS_PART_ENGINE_H_
