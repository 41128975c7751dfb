// What a call of the library asks of its solvers.
#ifndef SVM_SOLVERS_RUN_OPTIONS_H_
#define SVM_SOLVERS_RUN_OPTIONS_H_

#include <cstddef>
#include <cstdint>

struct svm_model;

namespace svm {

struct SolverEntry;

// Of the solvers that work on rows (see svm_options).
struct ExampleOptions {
  double bias = 0;            // dcd, avsf
  std::size_t landmarks = 0;  // pegasos, snacks; 0 for the default
  std::uint64_t seed = 0;     // of their random draws
};

struct Options {
  const SolverEntry* solver = nullptr;  // null for the default
  long long max_iterations = 0;         // of each binary problem; 0 for LIBSVM's cap
  double time_limit = 0;                // seconds for the whole call; 0 for none
  bool free_set = true;                 // csmo: phases over the free variables
  bool fixed_threshold = false;         // platt: the threshold stays 0
  // Classes stand in ascending order of their labels; LIBSVM has them in order of appearance.
  bool sorted_classes = false;
  // csmo, hybrid: end with sums in doubles always, not only where rounding may hide a violation or
  // a sample of them shows more of it than was estimated.
  bool exact_finish = true;
  const svm_model* init = nullptr;      // to start from; outlives the run
  const double* row_weights = nullptr;  // of the rows of the call, as svm_options says; likewise
  ExampleOptions examples;
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_OPTIONS_H_
