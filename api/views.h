// Makes a training problem of a caller's view.
#ifndef SVM_API_VIEWS_H_
#define SVM_API_VIEWS_H_

#include "kernels/view_rows.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Refers to the view's arrays, which must outlive it.
class ViewProblem {
 public:
  // Throws std::invalid_argument if the view, its labels, the weights of its rows (in the options,
  // which may be null) or the parameters are invalid.
  ViewProblem(const svm_problem_view& view, const svm_parameter& param, const svm_options* options);

  const Problem& problem() const { return problem_; }

 private:
  const ViewRows rows_;
  const Problem problem_;
};

}  // namespace svm

#endif  // SVM_API_VIEWS_H_
