// The rows of a struct svm_problem_view.
#ifndef SVM_KERNELS_VIEW_ROWS_H_
#define SVM_KERNELS_VIEW_ROWS_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// The view's arrays must outlive it.
class ViewRows {
 public:
  // Throws std::invalid_argument where the view's members do not fit together, or the numbers in
  // its arrays are none of a sparse matrix.  Values and y are not looked at.
  explicit ViewRows(const svm_problem_view& view);
  ViewRows(const ViewRows&) = delete;  // its rows refer to it
  ViewRows& operator=(const ViewRows&) = delete;

  std::size_t size() const { return size_; }
  DataRows rows() const { return &layout_; }

 private:
  const DataLayout layout_;
  const std::size_t size_;
};

}  // namespace svm

#endif  // SVM_KERNELS_VIEW_ROWS_H_
