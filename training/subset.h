// A problem made of some rows of another one.
#ifndef SVM_TRAINING_SUBSET_H_
#define SVM_TRAINING_SUBSET_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Borrows the rows; labels are its own, and weights of the rows, if they have any.
class Subset {
 public:
  void add(const DataRow& row, double label) {
    rows_.push_back(row);
    labels_.push_back(label);
  }
  // Of the row that was added last, which is row t of those with these weights; null: none has any.
  void add_weight_of(const double* weights, std::size_t t) {
    if (weights != nullptr) weights_.push_back(weights[t]);
  }
  std::size_t size() const { return rows_.size(); }
  Problem problem() const { return {static_cast<int>(rows_.size()), labels_.data(), rows_.data()}; }
  const double* weights() const { return weights_.empty() ? nullptr : weights_.data(); }

 private:
  std::vector<DataRow> rows_;
  std::vector<double> labels_;
  std::vector<double> weights_;
};

}  // namespace svm

#endif  // SVM_TRAINING_SUBSET_H_
