// What the trainings of one call share: the examples, and kernel rows.
#ifndef SVM_TRAINING_SHARING_H_
#define SVM_TRAINING_SHARING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/data_row.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm {

// Lets the trainings on parts of these rows of a data set that `run` will do share what they can:
// `uses` says how many of them will ask for the kernel values of a row.  Does nothing if they
// already share, and nothing more once the run is stopped.
void share_rows(const DataRows& data, const std::vector<std::uint32_t>& rows,
                const svm_parameter& param, std::size_t uses, Run& run);

// The cache memory in bytes; it may be more than there are addresses.
double cache_bytes(const svm_parameter& param);

// Bytes of the cache memory that are left to the single trainings.
std::size_t memory_left(const svm_parameter& param, const Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_SHARING_H_
