#include "model/compact.h"

#include <cstddef>
#include <optional>

#include "model/merge_vectors.h"
#include "model/vector_list.h"
#include "model/weight_vectors.h"

namespace svm {
namespace {

std::size_t bytes_of_list(const VectorList& list) {
  std::size_t bytes = 0;
  for (const SupportVector& vector : list.vectors) {
    std::size_t nodes = 0;
    for (VectorNodes from(vector); from.next() != nullptr;) ++nodes;
    bytes += vector_bytes(nodes, list.width);
  }
  return bytes;
}

}  // namespace

ModelPtr compact_model(const svm_model& model) {
  VectorList list(model);
  merge_equal_vectors(list);
  if (model.param.kernel_type == LINEAR) {
    if (const std::optional<WeightVectors> weights = weight_vectors(list, bytes_of_list(list))) {
      return weights->list.to_model(model);
    }
  }
  return list.to_model(model);
}

}  // namespace svm
