// Rows grouped by class.
#ifndef SVM_TRAINING_CLASSES_H_
#define SVM_TRAINING_CLASSES_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "training/problem.h"

namespace svm {

struct Classes {
  // Labels (cast to int), in the order that group_classes() was asked for.
  std::vector<int> labels;
  std::vector<std::size_t> start;  // of each class in `order`
  std::vector<std::size_t> count;
  std::vector<std::size_t> order;  // rows by class, in their old order within a class

  std::size_t size() const { return labels.size(); }
};

// The label as an int, as the machine truncates it; the least int where it does not fit.
int class_label(double label);

// By default classes stand in LIBSVM's order: that of their first rows, but -1 then +1, if these
// are all, is turned round, so that +1 comes first.  With `sorted` they stand in ascending order of
// their labels.
Classes group_classes(const Problem& problem, bool sorted = false);

}  // namespace svm

#endif  // SVM_TRAINING_CLASSES_H_
