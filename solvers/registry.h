// The table of solvers.
#ifndef SVM_SOLVERS_REGISTRY_H_
#define SVM_SOLVERS_REGISTRY_H_

#include <initializer_list>
#include <string_view>

#include "solvers/run/dual_state.h"
#include "solvers/run/example_solver.h"
#include "solvers/run/monitor.h"

namespace svm {

// A set of SVM types or of kernel types, by their numbers in svm.h.
class NumberSet {
 public:
  constexpr NumberSet(std::initializer_list<int> numbers) {
    for (const int number : numbers) bits_ |= 1U << static_cast<unsigned>(number);
  }
  static constexpr NumberSet all_below(int end) {
    NumberSet all{};
    for (int number = 0; number < end; ++number) all.bits_ |= 1U << static_cast<unsigned>(number);
    return all;
  }
  constexpr bool contains(int number) const {
    return number >= 0 && number < kMost && (bits_ >> static_cast<unsigned>(number) & 1U) != 0;
  }

 private:
  static constexpr int kMost = 32;
  unsigned bits_ = 0;
};

struct SolverEntry {
  const char* name;     // as given to svm-train -a
  const char* number;   // its number in the published conjugate SMO program, or empty
  const char* summary;  // one line
  const char* source;   // paper
  NumberSet svm_types;
  NumberSet kernel_types;
  // One of the two is null: a solver works on a dual problem, or on the training rows.  The
  // monitor tells why the first ended before convergence.
  Solution (*solve)(DualProblem problem, double epsilon, bool shrinking,
                    Monitor& monitor) = nullptr;
  ExampleSolution (*solve_examples)(const ExampleProblem& problem, Run& run) = nullptr;
  bool follows_libsvm = false;  // has LIBSVM's iterates, bit for bit
  // Its solutions are refined in doubles if rounded kernel values hide the tolerance.
  bool refined = false;
  bool single = false;       // takes kernel values computed in single precision
  bool start_point = false;  // can start from any feasible point
  bool free_set = false;     // has phases over the free variables
  // Solves C-SVC with squared slacks: 1/C_t is added to the diagonal of K, and variables have no
  // upper bound.
  bool squared_slacks = false;
  bool fixed_threshold = false;  // can keep the threshold at 0, without the equality constraint
  bool bias = false;             // can add a constant feature
  bool landmarks = false;        // works on landmarks
};

// A view of the table of solvers.
class SolverList {
 public:
  constexpr SolverList(const SolverEntry* begin, const SolverEntry* end)
      : begin_(begin), end_(end) {}
  const SolverEntry* begin() const { return begin_; }
  const SolverEntry* end() const { return end_; }
  const SolverEntry& front() const { return *begin_; }

 private:
  const SolverEntry *begin_, *end_;
};

// All solvers, the default first.
SolverList solvers();

// The solver of this name or number; null if there is none.  hybrid and 2 are names of csmo.
const SolverEntry* find_solver(std::string_view name);

// True if the run's solver works on the training rows.
bool works_on_examples(const Run& run);

// True if the solver trains this SVM type with this kernel.
bool supports(const SolverEntry& solver, int svm_type, int kernel_type);

}  // namespace svm

#endif  // SVM_SOLVERS_REGISTRY_H_
