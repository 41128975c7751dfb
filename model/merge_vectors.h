// Equal support vectors made one.
#ifndef SVM_MODEL_MERGE_VECTORS_H_
#define SVM_MODEL_MERGE_VECTORS_H_

#include "model/vector_list.h"

namespace svm {

// Adds up the coefficients of equal vectors and leaves out those whose coefficients are 0.  Equal
// vectors of different classes become one where the format can say so: a vector can take over the
// coefficients of pairs that its own class is in.  Vectors of which all nodes are kept, and those
// whose sums overflow, stay as they are.
void merge_equal_vectors(VectorList& list);

}  // namespace svm

#endif  // SVM_MODEL_MERGE_VECTORS_H_
