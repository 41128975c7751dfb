// Records of the solvers' steps, which the page plays back.
#ifndef SVM_EXAMPLES_PAGE_NATIVE_TRACE_H_
#define SVM_EXAMPLES_PAGE_NATIVE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace svm::toy {

// The kind of a step.  The kinds exclude each other; kMetBound can be added to any but a phase.
enum StepKind : std::int32_t {
  kPlainStep = 0,
  kConjugateStep = 1,
  kPhaseStep = 2,
  kMetBound = 4,
};

// The steps of one binary problem.  Rows are those of the binary problem, from 0.  The coefficient
// of a row is y_t a_t; for regressions, the sum over both of its variables.
struct Trace {
  // For each step: the values before it, and what it did.
  std::vector<double> objective, violation, threshold;
  std::vector<std::int32_t> kind;
  std::vector<std::int32_t> up, down;      // rows of the working pair; -1 for a phase
  std::vector<std::int32_t> first_change;  // index of the step's first change in the arrays below;
                                           // changes before step 0 make up the start point
  std::vector<std::int32_t> changed_row;   // in any order; a row may occur twice
  std::vector<double> change;              // change of its coefficient
  bool complete = false;                   // all steps are recorded, and the end is known
  double end[3] = {0, 0, 0};               // objective, violation, threshold of the solution

  std::size_t steps() const { return kind.size(); }
};

// Problems with more variables, and steps or changes beyond these numbers, are not recorded.
inline constexpr std::size_t kMostVariables = 2000;
inline constexpr std::size_t kMostSteps = 20000;
inline constexpr std::size_t kMostChanges = 1000000;

// The traces of the current or last training, in the order of its binary problems.  The program has
// only one thread.
std::vector<Trace>& traces();

}  // namespace svm::toy

#endif  // SVM_EXAMPLES_PAGE_NATIVE_TRACE_H_
