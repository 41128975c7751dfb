// Rows grouped by class.
#ifndef SVM_TRAINING_CLASSES_H_
#define SVM_TRAINING_CLASSES_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "training/problem.h"

namespace svm {

struct Classes {
  // Labels (cast to int) in order of first appearance; but -1 then +1, if these are all, is turned
  // round, so that +1 comes first.
  std::vector<int> labels;
  std::vector<std::size_t> start;  // of each class in `order`
  std::vector<std::size_t> count;
  std::vector<std::size_t> order;  // rows by class, in their old order within a class

  std::size_t size() const { return labels.size(); }
};

// The label as an int, as the machine truncates it; the least int where it does not fit.
int class_label(double label);

Classes group_classes(const Problem& problem);

}  // namespace svm

#endif  // SVM_TRAINING_CLASSES_H_
