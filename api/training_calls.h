// Calls of the C interface that train.
#ifndef SVM_API_TRAINING_CALLS_H_
#define SVM_API_TRAINING_CALLS_H_

#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// By options and to a result, which may be null.  Throw for all that a call refuses.  With
// `sorted_classes` the classes stand in ascending order of their labels, else in LIBSVM's order.
ModelPtr train_by_options(const Problem& problem, const svm_parameter& param,
                          const svm_options* options, svm_result* result,
                          bool sorted_classes = false);
std::vector<double> cross_validate_by_options(const Problem& problem, const svm_parameter& param,
                                              int folds, const svm_options* options,
                                              svm_result* result);

// Makes every target NaN in the end, unless they were written.
class Targets {
 public:
  Targets(double* target, std::size_t count) : target_(target), count_(count) {}
  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;
  ~Targets();
  void write(const std::vector<double>& predictions);

 private:
  double* const target_;
  std::size_t count_;
};

}  // namespace svm

#endif  // SVM_API_TRAINING_CALLS_H_
