// What solvers did, step by step, for the page to play back.
#ifndef SVM_TOY_NATIVE_TRACE_H_
#define SVM_TOY_NATIVE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace svm::toy {

// Of a step.  The kinds exclude each other; kMetBound comes with any but a phase.
enum StepKind : std::int32_t {
  kPlainStep = 0,
  kConjugateStep = 1,
  kPhaseStep = 2,
  kMetBound = 4,
};

// The way of one binary problem.  Rows are those of the binary problem, from 0.  A row's
// coefficient is its y_t a_t, of a regression the sum of both of its variables'.
struct Trace {
  // Of each step: where it began, and what it did.
  std::vector<double> objective, violation, threshold;
  std::vector<std::int32_t> kind;
  std::vector<std::int32_t> up, down;      // rows of the working pair; -1 of a phase
  std::vector<std::int32_t> first_change;  // in the arrays below; the changes before step 0 are
                                           // the start point
  std::vector<std::int32_t> changed_row;   // in no order; a row may be there twice
  std::vector<double> change;              // of its coefficient: the way along the direction
  bool complete = false;                   // no step was left out, and the end is known
  double end[3] = {0, 0, 0};               // objective, violation, threshold of the solution

  std::size_t steps() const { return kind.size(); }
};

// Problems of more variables, and steps beyond these numbers, are not recorded.
inline constexpr std::size_t kMostVariables = 2000;
inline constexpr std::size_t kMostSteps = 20000;
inline constexpr std::size_t kMostChanges = 1000000;

// Of the training that runs or was the last, in the order of its binary problems.  The program has
// one thread.
std::vector<Trace>& traces();

}  // namespace svm::toy

#endif  // SVM_TOY_NATIVE_TRACE_H_
