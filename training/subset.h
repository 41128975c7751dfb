// A problem made of some rows of another one.
#ifndef SVM_TRAINING_SUBSET_H_
#define SVM_TRAINING_SUBSET_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Borrows the rows; labels are its own.
class Subset {
 public:
  void add(const DataRow& row, double label) {
    rows_.push_back(row);
    labels_.push_back(label);
  }
  std::size_t size() const { return rows_.size(); }
  Problem problem() const { return {static_cast<int>(rows_.size()), labels_.data(), rows_.data()}; }

 private:
  std::vector<DataRow> rows_;
  std::vector<double> labels_;
};

}  // namespace svm

#endif  // SVM_TRAINING_SUBSET_H_
