// The rows of a struct svm_rows.
#ifndef SVM_KERNELS_CALLER_ROWS_H_
#define SVM_KERNELS_CALLER_ROWS_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "svm_ext.h"

namespace svm {

// Checks a caller's rows and makes them known to the library.  The caller's arrays must outlive it.
class CallerRows {
 public:
  // Throws std::invalid_argument if the members contradict each other, if the numbers in the arrays
  // are not those of a sparse matrix, or if the rows are a function for kernel values and
  // `kernel_type` is not PRECOMPUTED.  Does not check the values.
  CallerRows(const svm_rows& rows, int kernel_type);
  CallerRows(const CallerRows&) = delete;  // the rows refer to it
  CallerRows& operator=(const CallerRows&) = delete;

  std::size_t size() const { return given_.rows; }
  DataRows rows() const {
    return given_.layout == SVM_NODES ? DataRows(given_.nodes) : DataRows(&given_);
  }
  // How many threads may ask for values in a call that would use `wanted`.
  std::size_t threads(std::size_t wanted) const {
    return given_.layout == SVM_FUNCTION && given_.kernel_threads == 0 ? 1 : wanted;
  }

 private:
  const svm_rows given_;
};

}  // namespace svm

#endif  // SVM_KERNELS_CALLER_ROWS_H_
