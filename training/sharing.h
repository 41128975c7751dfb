// What the trainings of one call share: the examples, and kernel rows.
#ifndef SVM_TRAINING_SHARING_H_
#define SVM_TRAINING_SHARING_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/shared_rows.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm {

// Lets the trainings on parts of these rows that `run` will do share what they can: `uses` says how
// many of them will ask for the kernel values of a row.  Does nothing where they already share, and
// nothing more once the run is stopped.
void share_rows(const std::vector<DataRow>& rows, const svm_parameter& param, std::size_t uses,
                Run& run);

// The kernel matrix over some of the rows that are shared, which keeps none of its own; null where
// the run is stopped.
std::unique_ptr<KernelMatrix> matrix_over(const std::vector<DataRow>& rows, SharedRows& shared,
                                          Run& run);

// The cache memory in bytes; it may be more than there are addresses.
double cache_bytes(const svm_parameter& param);

// Bytes of the cache memory that are left to the single trainings.
std::size_t memory_left(const svm_parameter& param, const Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_SHARING_H_
