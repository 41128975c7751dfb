// Engines for kernel rows, which the trainings of one call share.
#ifndef SVM_TRAINING_SHARING_H_
#define SVM_TRAINING_SHARING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Makes the trainings of `run` on parts of these rows share one engine, and kernel rows if that
// pays. `rows` are numbers in `data`; `uses` is how many trainings will need the kernel values of a
// row. Does nothing if they already share, and stops early if the run is stopped. Throws as
// make_row_engine().
void share_rows(const DataRows& data, const std::vector<std::uint32_t>& rows,
                const svm_parameter& param, std::size_t uses, Run& run);

// The engine for the rows of a problem: a part of the shared one if there is one. If the run is
// stopped meanwhile, all its values are 0; solvers end at their first poll. Throws as
// make_row_engine().
std::shared_ptr<const RowEngine> problem_engine(const Problem& problem, const svm_parameter& param,
                                                Run& run);

// The cache memory (-m) in bytes. It may exceed the address space.
double cache_bytes(const svm_parameter& param);

// Bytes of the cache memory that shared rows leave to the single trainings.
std::size_t memory_left(const svm_parameter& param, const Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_SHARING_H_
