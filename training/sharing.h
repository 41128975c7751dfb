// Engines for kernel rows, which the trainings of a call share.
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

// Lets the trainings of `run` on parts of these rows share one engine, and kernel rows if that
// pays.  `rows` are numbers in `data`; `uses` is the number of trainings that need the kernel
// values of a row.  Does nothing if trainings already share, or once the run is stopped.  Throws as
// make_row_engine() does.
void share_rows(const DataRows& data, const std::vector<std::uint32_t>& rows,
                const svm_parameter& param, std::size_t uses, Run& run);

// The engine for the rows of a problem, which is a part of the shared one if there is one.  If the
// run is stopped meanwhile, all values of the engine are 0; solvers end at their first poll.
// Throws as make_row_engine() does.
std::shared_ptr<const RowEngine> problem_engine(const Problem& problem, const svm_parameter& param,
                                                Run& run);

// The cache memory (-m) in bytes.  It may exceed the address space.
double cache_bytes(const svm_parameter& param);

// The bytes of the cache memory that shared rows leave to the single trainings.
std::size_t memory_left(const svm_parameter& param, const Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_SHARING_H_
