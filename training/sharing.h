// Engines for kernel rows, which the trainings of a call share.
#ifndef SVM_TRAINING_SHARING_H_
#define SVM_TRAINING_SHARING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/pair_rows.h"
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
// run is stopped meanwhile, it is an engine for empty rows; solvers end at their first poll.
// Throws as make_row_engine() does.
std::shared_ptr<const RowEngine> problem_engine(const Problem& problem, const svm_parameter& param,
                                                Run& run);

// Kernel rows for the pairs of these classes of the problem, if computing each value once pays: for
// three or more classes that are small, or, for csmo, whose values cost more than those of kept
// rows, and if three quarters of the memory that the run's trainings have has room for them.  Else
// null.
std::unique_ptr<PairRows> share_pairs(const Problem& problem, const Classes& classes,
                                      const svm_parameter& param, const Run& run);

constexpr double kMegabyte = 1048576;  // bytes; the unit of -m

// The cache memory (-m) in bytes.  It may exceed the address space.
double cache_bytes(const svm_parameter& param);

// Solvers decide by the memory that they would get if all parts of a call, or this many, ran at the
// same time, whatever the number of threads.
constexpr std::size_t kMostParts = 8;

// The bytes of the cache memory that shared rows leave to the single trainings.
std::size_t memory_left(const svm_parameter& param, const Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_SHARING_H_
