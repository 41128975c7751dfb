// The table of solvers in words.
#ifndef SVM_SOLVERS_SOLVER_TEXTS_H_
#define SVM_SOLVERS_SOLVER_TEXTS_H_

#include <string>

#include "solvers/registry.h"

namespace svm {

// The names of the solvers, or of those with this property: "smo, csmo, ...".
std::string solver_names(bool SolverEntry::*having = nullptr);

// "solver NAME supports SVM types: ...; kernels: ...".
std::string supported_text(const SolverEntry& solver);

// The table of svm-train --list-solvers.
std::string solver_table();

}  // namespace svm

#endif  // SVM_SOLVERS_SOLVER_TEXTS_H_
