// Memory of struct svm_model.  Every array is one malloc block, as LIBSVM's clients expect.
#ifndef SVM_MODEL_MODEL_MEMORY_H_
#define SVM_MODEL_MODEL_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "model/pairs.h"
#include "svm.h"

namespace svm {

// Length of svm_model::prob_density_marks.
constexpr std::size_t kDensityMarks = 10;

// The marks of a one-class model; null if it has none.  Other models' marks are not read: programs
// that fill a model, and were written before it had this member, leave garbage there.
inline double* density_marks(const svm_model& model) {
  return model.param.svm_type == ONE_CLASS ? model.prob_density_marks : nullptr;
}

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

// A copy from malloc, which a model can own.  Throws std::bad_alloc.
template <typename T>
T* malloc_copy(const T* values, std::size_t count) {
  T* const block = malloc_array<T>(count);
  std::copy_n(values, count, block);
  return block;
}
template <typename T>
T* malloc_copy(const std::vector<T>& values) {
  return malloc_copy(values.data(), values.size());
}

// Removes the class weights from a model.  They are borrowed from the caller of the training.
void drop_class_weights(svm_model& model);

// Copies `count` rows into the model as its support vectors, in one block that it owns;
// for_each_node(s, visit) calls visit(index, value) for each node of row s.  The model must not
// have support vectors yet.  Throws std::bad_alloc.
template <typename ForEachNode>
void own_support_vectors(std::size_t count, const ForEachNode& for_each_node, svm_model& model) {
  std::size_t nodes = count;
  for (std::size_t s = 0; s < count; ++s) {
    for_each_node(s, [&](int, double) { ++nodes; });
  }
  model.SV = malloc_array<svm_node*>(count);
  if (count == 0) return;
  svm_node* next = malloc_array<svm_node>(nodes);
  model.SV[0] = next;
  model.free_sv = 1;
  model.l = static_cast<int>(count);
  for (std::size_t s = 0; s < count; ++s) {
    model.SV[s] = next;
    for_each_node(s, [&](int index, double value) { *next++ = {index, value}; });
    *next++ = {-1, 0};
  }
}

}  // namespace svm

#endif  // SVM_MODEL_MODEL_MEMORY_H_
