// The library's solvers by name; they record their steps on small problems.
#ifndef SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVERS_H_
#define SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVERS_H_

#include <string_view>

#include "solvers/registry.h"

namespace svm::toy {

// Like find_solver(), but smo and csmo add to traces().  Their models are the same to the bit.
const SolverEntry* find_traced_solver(std::string_view name);

}  // namespace svm::toy

#endif  // SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVERS_H_
