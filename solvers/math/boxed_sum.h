// Variables in a box whose sum is given.
#ifndef SVM_SOLVERS_MATH_BOXED_SUM_H_
#define SVM_SOLVERS_MATH_BOXED_SUM_H_

#include <vector>

namespace svm {

struct BoxedVariable {
  double value, low, high;
};

// Makes up for what rounding did to the sum: moves the variables between their bounds, each by the
// same part of its room on that side, until they all sum to `sum`.  Where there is no bound on that
// side, the room is that on the other.  False, and nothing changes, where there is too little.
bool restore_sum(std::vector<BoxedVariable>& variables, double sum);

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_BOXED_SUM_H_
