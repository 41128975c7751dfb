// Functions of the C interface that train.
#ifndef SVM_API_TRAINING_CALLS_H_
#define SVM_API_TRAINING_CALLS_H_

#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Train with these options and fill the result; both may be null. Throw whatever makes a call fail.
// With `sorted_classes`, the classes are ordered by their labels, otherwise as in LIBSVM.
ModelPtr train_by_options(const Problem& problem, const svm_parameter& param,
                          const svm_options* options, svm_result* result,
                          bool sorted_classes = false);
std::vector<double> cross_validate_by_options(const Problem& problem, const svm_parameter& param,
                                              int folds, const svm_options* options,
                                              svm_result* result);

// Sets every target to NaN on destruction unless write() was called.
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
