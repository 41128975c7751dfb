// What prediction makes of a model once, for any number of rows.
#ifndef SVM_MODEL_PACKED_MODEL_H_
#define SVM_MODEL_PACKED_MODEL_H_

#include <cstddef>
#include <memory>

#include "model/inner_sums.h"
#include "model/model_view.h"
#include "model/quick_labels.h"

namespace svm {

// The bytes of a model's support vectors: their nodes, and the pointers to them.
std::size_t support_vector_bytes(const ModelView& model);

// The largest number of bytes for the packed forms of a model that many rows are predicted with.
std::size_t most_packed_bytes(const ModelView& model);

// Which forms a packed model should have.
enum class Packing {
  kValues,           // the support vectors, for decision values with LIBSVM's bits
  kLabelsThenValues  // the form for labels alone first, and the support vectors if they fit as well
};

// The packed forms of a model.  The arrays that the model's view borrows must outlive it, and
// coefficients, thresholds and labels are read from them at each prediction.  Immutable.
struct PackedModel {
  // Forms that would take more than `most_bytes` together are left out, as are those that are of no
  // use.
  PackedModel(const ModelView& model, Packing packing, std::size_t most_bytes);

  // True if nothing is faster with this object than with the model itself.
  bool is_empty() const { return labels == nullptr && !gives_values(); }
  // True if decision values are best computed with this object: with packed support vectors, or one
  // by one if there are few.
  bool gives_values() const { return vectors.any != nullptr || are_few; }
  std::size_t bytes() const { return vectors.bytes() + (labels == nullptr ? 0 : labels->bytes()); }

  ModelView view;
  bool are_few;  // support vectors, which are not packed then
  PackedVectors vectors;
  std::unique_ptr<QuickLabels> labels;
};

}  // namespace svm

#endif  // SVM_MODEL_PACKED_MODEL_H_
