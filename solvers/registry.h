// The solvers by name.
#ifndef SVM_SOLVERS_REGISTRY_H_
#define SVM_SOLVERS_REGISTRY_H_

#include <initializer_list>
#include <memory>
#include <string_view>

#include "solvers/run/dual_state.h"
#include "solvers/run/example_solver.h"
#include "solvers/run/monitor.h"

namespace svm {

// Some of the SVM types, or of the kernels.
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
  const char* number;   // the published conjugate SMO's flag value, or empty
  const char* summary;  // one line
  const char* source;   // paper
  NumberSet svm_types;
  NumberSet kernel_types;
  // One of the two is null: a solver works on a dual problem, or on the rows themselves.
  std::unique_ptr<DualSolver> (*make)(DualProblem problem, double epsilon, bool shrinking,
                                      Monitor& monitor) = nullptr;
  ExampleSolution (*solve_examples)(const ExampleProblem& problem, Run& run) = nullptr;
  bool follows_libsvm = false;  // to the bit
  // Its solutions are brought to the tolerance in doubles where rounded kernel values hide it.
  bool refined = false;
  bool single = false;       // takes kernel values of single precision that are not LIBSVM's
  bool start_point = false;  // can start from other coefficients than LIBSVM's
  bool free_set = false;     // has phases over the free variables
  // C-SVC with squared slacks: 1/C_t is added to the diagonal of K, and variables have no upper
  // bound.  The answer is of that problem.
  bool squared_slacks = false;
  bool fixed_threshold = false;  // can leave the threshold at 0, and the equality constraint out
  bool bias = false;             // may add a constant feature
  bool landmarks = false;        // has landmarks
};

// A view of a table of solvers.
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

// By name or number; null if there is none.  hybrid and 2 are other names of csmo.
const SolverEntry* find_solver(std::string_view name);

// The run's solver works on the rows themselves.
bool works_on_examples(const Run& run);

// The solver trains this SVM type with this kernel.
bool supports(const SolverEntry& solver, int svm_type, int kernel_type);

}  // namespace svm

#endif  // SVM_SOLVERS_REGISTRY_H_
