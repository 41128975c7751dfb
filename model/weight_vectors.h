// Linear machines as one vector of weights for each decision function.
#ifndef SVM_MODEL_WEIGHT_VECTORS_H_
#define SVM_MODEL_WEIGHT_VECTORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "model/vector_list.h"

namespace svm {

struct WeightVectors {
  std::vector<std::vector<svm_node>> rows;  // that the list refers to
  VectorList list;
};

// Each decision function of a machine with the linear kernel as one vector with coefficient 1, of
// the first class of its pair, or none where all weights are 0.  Nothing where these would take
// `most_bytes` or more, where the list has vectors of which all nodes are kept, and where weights
// leave the range in which they are precise.
std::optional<WeightVectors> weight_vectors(const VectorList& list, std::size_t most_bytes);

}  // namespace svm

#endif  // SVM_MODEL_WEIGHT_VECTORS_H_
