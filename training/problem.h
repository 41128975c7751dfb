// What is trained on: rows of a data set, by number, with labels and weights, and their classes.
#ifndef SVM_TRAINING_PROBLEM_H_
#define SVM_TRAINING_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// Places of rows in a problem.
using RowNumbers = std::vector<std::uint32_t>;

// A struct svm_problem with rows in any layout, or some rows of one.  Borrows all arrays.
struct Problem {
  Problem(const svm_problem& problem) : l(problem.l), y(problem.y), x(problem.x) {}
  Problem(int rows, const double* labels, const DataRows& data, const double* row_weights = nullptr)
      : l(rows), y(labels), x(data), weights(row_weights) {}

  std::size_t size() const { return static_cast<std::size_t>(l); }
  double weight(std::size_t t) const { return weights == nullptr ? 1 : weights[t]; }

  int l;
  const double* y;
  DataRows x;
  const double* weights = nullptr;  // one for each row; null if all are 1
};

// Some rows of a problem: their numbers in the data set, their labels, and their weights if the
// problem has weights.
class Subset {
 public:
  explicit Subset(const Problem& whole) : whole_(whole) {}
  template <typename Places>
  Subset(const Problem& whole, const Places& places) : Subset(whole) {
    reserve(places.size());
    for (const std::size_t t : places) add(t);
  }

  void reserve(std::size_t rows) {
    numbers_.reserve(rows);
    labels_.reserve(rows);
  }
  // Adds row t of the whole problem.
  void add(std::size_t t, double label) {
    numbers_.push_back(whole_.x.number(t));
    labels_.push_back(label);
    if (whole_.weights != nullptr) weights_.push_back(whole_.weights[t]);
  }
  void add(std::size_t t) { add(t, whole_.y[t]); }

  std::size_t size() const { return numbers_.size(); }
  // Valid until a row is added, and while this object and the data set exist.
  Problem problem() const {
    return {static_cast<int>(size()), labels_.data(), whole_.x.select(numbers_.data()),
            weights_.empty() ? nullptr : weights_.data()};
  }

 private:
  const Problem whole_;
  std::vector<std::uint32_t> numbers_;
  std::vector<double> labels_;
  std::vector<double> weights_;
};

// Rows grouped by class.
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

#endif  // SVM_TRAINING_PROBLEM_H_
