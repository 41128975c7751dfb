// Linear models with one weight vector per decision function.
#ifndef SVM_MODEL_WEIGHT_VECTORS_H_
#define SVM_MODEL_WEIGHT_VECTORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "model/vector_list.h"

namespace svm {

struct WeightVectors {
  std::vector<std::vector<svm_node>> rows;  // owns the rows of the list
  VectorList list;
};

// Replaces each decision function of a linear model by one weight vector with coefficient 1, which
// belongs to the first class of its pair; by none if all weights are 0.  Returns nothing if these
// would take `most_bytes` or more, if a vector of the list is KeptNodes::kAll, or if a weight or
// one of its terms leaves the range of full precision.
std::optional<WeightVectors> weight_vectors(const VectorList& list, std::size_t most_bytes);

}  // namespace svm

#endif  // SVM_MODEL_WEIGHT_VECTORS_H_
