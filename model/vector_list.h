// The support vectors of a model, to be changed and written to another model.
#ifndef SVM_MODEL_VECTOR_LIST_H_
#define SVM_MODEL_VECTOR_LIST_H_

#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "svm.h"

namespace svm {

// Which nodes of a row belong to the vector.
enum class KeptNodes {
  kNonzero,  // nonzero values; for orderly rows
  kSerial,   // the first, the serial number of a precomputed row
  kAll       // all: prediction may fail or depend on every node
};

struct SupportVector {
  const svm_node* row;
  std::size_t class_number;  // 0 for regression and one-class
  KeptNodes kept;
};

// Iterates over the nodes of a vector.
class VectorNodes {
 public:
  explicit VectorNodes(const SupportVector& vector) : next_(vector.row), kept_(vector.kept) {}

  // Null after the last.
  const svm_node* next() {
    while (next_->index != -1 && kept_ == KeptNodes::kNonzero && next_->value == 0) ++next_;
    if (next_->index == -1 || is_done_) return nullptr;
    is_done_ = kept_ == KeptNodes::kSerial;
    return next_++;
  }

 private:
  const svm_node* next_;
  const KeptNodes kept_;
  bool is_done_ = false;
};

// Support vectors by class, each with k-1 coefficients (see coefficient_array()).
struct VectorList {
  VectorList() = default;
  // The support vectors of a model, which must outlive the list.  Throws std::invalid_argument if
  // nSV does not sum to their number.
  explicit VectorList(const svm_model& model);

  std::size_t size() const { return vectors.size(); }
  double* coefficients_of(std::size_t s) { return coefficients.data() + s * width; }
  const double* coefficients_of(std::size_t s) const { return coefficients.data() + s * width; }
  void add(const SupportVector& vector) {
    vectors.push_back(vector);
    coefficients.resize(coefficients.size() + width);
  }

  // A new model with these vectors, and everything else from `model`, which the list was made from.
  ModelPtr to_model(const svm_model& model) const;

  std::size_t width = 0;  // k-1
  std::vector<SupportVector> vectors;
  std::vector<double> coefficients;
};

// Bytes that a model uses for a vector of so many nodes.
constexpr std::size_t vector_bytes(std::size_t nodes, std::size_t width) {
  return (nodes + 1) * sizeof(svm_node) + sizeof(svm_node*) + width * sizeof(double);
}

}  // namespace svm

#endif  // SVM_MODEL_VECTOR_LIST_H_
