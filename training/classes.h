// Groups rows by class.
#ifndef SVM_TRAINING_CLASSES_H_
#define SVM_TRAINING_CLASSES_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "training/problem.h"

namespace svm {

struct Classes {
  // Labels as in class_label(), in the order that group_classes() was asked to use.
  std::vector<int> labels;
  std::vector<std::size_t> start;  // first row of each class in `order`
  std::vector<std::size_t> count;
  std::vector<std::size_t> order;  // rows by class, in ascending order within a class

  std::size_t size() const { return labels.size(); }
};

// Truncates a label to int, as x86-64 does: INT_MIN if it does not fit.
int class_label(double label);

// By default, classes are in LIBSVM's order: that of their first rows, except that +1 comes first
// if the classes are -1 and +1.  With `sorted`, labels ascend.
Classes group_classes(const Problem& problem, bool sorted = false);

}  // namespace svm

#endif  // SVM_TRAINING_CLASSES_H_
