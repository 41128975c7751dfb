// The box 0 <= a_t <= C_t of a dual problem, and points and moves within it.
#ifndef SVM_SOLVERS_MATH_BOX_H_
#define SVM_SOLVERS_MATH_BOX_H_

#include <cstddef>

#include "solvers/run/upper_bounds.h"

namespace svm {

// A component of a sparse vector over the signed variables b_t = y_t a_t.
struct Term {
  std::size_t variable;
  double change;
};

// A view of a solver's variables, which it must not outlive.
struct Box {
  const double* alpha;
  const signed char* labels;  // +1 or -1
  const UpperBounds& bounds;

  double upper(std::size_t t) const { return bounds.of(t, labels[t]); }
  bool is_free(std::size_t t) const { return !(alpha[t] >= upper(t)) && !(alpha[t] <= 0); }
  // How far b_t may rise, and how far it may fall.
  double room_up(std::size_t t) const { return labels[t] > 0 ? upper(t) - alpha[t] : alpha[t]; }
  double room_down(std::size_t t) const { return labels[t] > 0 ? alpha[t] : upper(t) - alpha[t]; }
};

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_BOX_H_
