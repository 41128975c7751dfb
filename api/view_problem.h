// A caller's view as a problem to train on.
#ifndef SVM_API_VIEW_PROBLEM_H_
#define SVM_API_VIEW_PROBLEM_H_

#include "kernels/view_rows.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Refers to the view's arrays, which must outlive it.
class ViewProblem {
 public:
  // Throws std::invalid_argument where the view, its labels, the weights of its rows (in the
  // options, which may be null) or the parameters are at fault.
  ViewProblem(const svm_problem_view& view, const svm_parameter& param, const svm_options* options);

  const Problem& problem() const { return problem_; }

 private:
  const ViewRows rows_;
  const Problem problem_;
};

}  // namespace svm

#endif  // SVM_API_VIEW_PROBLEM_H_
