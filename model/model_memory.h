// Memory of struct svm_model.  Every array is one malloc block, as LIBSVM's clients expect.
#ifndef SVM_MODEL_MODEL_MEMORY_H_
#define SVM_MODEL_MODEL_MEMORY_H_

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include "svm.h"

namespace svm {

// Number of pairs of `count` classes: the length of rho, probA and probB.
constexpr std::size_t pair_count(std::size_t count) {
  return count < 2 ? 0 : (count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count);
}

// The length of prob_density_marks.
constexpr std::size_t kDensityMarks = 10;

// Frees every block the model holds and nulls the pointers.  Null is allowed.
void free_model_content(svm_model* model) noexcept;

struct ModelDeleter {
  void operator()(svm_model* model) const noexcept;
};

// A model under construction; release() hands it to the C interface.
using ModelPtr = std::unique_ptr<svm_model, ModelDeleter>;

// A model with all fields zero.  Throws std::bad_alloc.
ModelPtr new_model();

// `count` zeroed elements from malloc (at least one byte, so never null).  Throws std::bad_alloc.
template <typename T>
T* malloc_array(std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
  void* block = std::calloc(count == 0 ? 1 : count, sizeof(T));
  if (block == nullptr) throw std::bad_alloc();
  return static_cast<T*>(block);
}

}  // namespace svm

#endif  // SVM_MODEL_MODEL_MEMORY_H_
