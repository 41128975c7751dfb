// The objective of a point, in doubles.
#ifndef SVM_SOLVERS_PRECISE_TRUE_OBJECTIVE_H_
#define SVM_SOLVERS_PRECISE_TRUE_OBJECTIVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "threads/go_on.h"
#include "threads/pool.h"

namespace svm {

// The sum over s and t of weights[s] weights[t] K(examples[s], examples[t]), by values in doubles;
// half of them where the engine's kernel is symmetric.  The bits do not depend on the threads.
// Empty where `poll`, asked every few milliseconds, said so before the end.
std::optional<double> quadratic_form(const RowEngine& engine,
                                     const std::vector<std::uint32_t>& examples,
                                     const std::vector<double>& weights, ThreadPool& pool,
                                     const GoOn& poll);

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_TRUE_OBJECTIVE_H_
