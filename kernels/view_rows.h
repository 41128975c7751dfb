// The rows of a struct svm_problem_view.
#ifndef SVM_KERNELS_VIEW_ROWS_H_
#define SVM_KERNELS_VIEW_ROWS_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// Checks a view and gives its rows.  The view's arrays must outlive it.
class ViewRows {
 public:
  // Throws std::invalid_argument if the members of the view contradict each other, or if the
  // numbers in its arrays are not those of a sparse matrix.  Does not check `values` and `y`.
  explicit ViewRows(const svm_problem_view& view);
  ViewRows(const ViewRows&) = delete;  // the rows refer to it
  ViewRows& operator=(const ViewRows&) = delete;

  std::size_t size() const { return size_; }
  DataRows rows() const { return &layout_; }

 private:
  const DataLayout layout_;
  const std::size_t size_;
};

}  // namespace svm

#endif  // SVM_KERNELS_VIEW_ROWS_H_
