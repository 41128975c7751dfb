// A problem made of some rows of another one.
#ifndef SVM_TRAINING_SUBSET_H_
#define SVM_TRAINING_SUBSET_H_

#include <cstddef>
#include <vector>

#include "svm.h"

namespace svm {

// Borrows the rows; labels are its own, and weights of the rows, if they have any.
class Subset {
 public:
  void add(const svm_node* row, double label) {
    rows_.push_back(const_cast<svm_node*>(row));  // svm_problem has no const view
    labels_.push_back(label);
  }
  // Of the row that was added last.
  void add_weight(double weight) { weights_.push_back(weight); }
  std::size_t size() const { return rows_.size(); }
  svm_problem problem() { return {static_cast<int>(rows_.size()), labels_.data(), rows_.data()}; }
  const double* weights() const { return weights_.empty() ? nullptr : weights_.data(); }

 private:
  std::vector<svm_node*> rows_;
  std::vector<double> labels_;
  std::vector<double> weights_;
};

}  // namespace svm

#endif  // SVM_TRAINING_SUBSET_H_
