// Kernel rows of a search that a training reads.
#ifndef CSMO_PYTHON_NATIVE_ROWS_H_
#define CSMO_PYTHON_NATIVE_ROWS_H_

#include <memory>

#include "api/training_calls.h"
#include "kernels/engines/row_store.h"
#include "solvers/registry.h"
#include "svm_ext.h"

struct csmo_rows {
  std::unique_ptr<const svm::RowsProblem> problem;  // the engine of the rows refers to it
  svm_parameter param;                              // of the kernel, and cache_size
  svm::Precision precision;
  std::shared_ptr<svm::RowStore> rows;

  // True if a training with these parameters would compute the same rows in this precision.
  bool suit(const svm_parameter& other, svm::Precision other_precision) const {
    return other.kernel_type == param.kernel_type && other.gamma == param.gamma &&
           other.coef0 == param.coef0 && other.degree == param.degree &&
           other.cache_size == param.cache_size && other_precision == precision;
  }
};

#endif  // CSMO_PYTHON_NATIVE_ROWS_H_
