// Merges equal support vectors.
#ifndef SVM_MODEL_MERGE_VECTORS_H_
#define SVM_MODEL_MERGE_VECTORS_H_

#include "model/vector_list.h"

namespace svm {

// Merges equal vectors by adding up their coefficients, and drops vectors without a coefficient
// other than zero.  Equal vectors of different classes are merged if the model format permits: a
// vector can take over the coefficients of pairs that include its own class.  A vector stays as it
// is if it is KeptNodes::kAll or if a sum overflows.
void merge_equal_vectors(VectorList& list);

}  // namespace svm

#endif  // SVM_MODEL_MERGE_VECTORS_H_
