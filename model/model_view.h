// The parts of a model that prediction needs, wherever they are stored; and svm_model made of them.
#ifndef SVM_MODEL_MODEL_VIEW_H_
#define SVM_MODEL_MODEL_VIEW_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "model/model_memory.h"
#include "model/svm_type.h"
#include "svm.h"

namespace svm {

// Number of decision functions: the number of decision values of a row.
constexpr std::size_t function_count(int svm_type, std::size_t classes) {
  return is_classification(svm_type) ? pair_count(classes) : 1;
}
std::size_t value_count(const svm_model& model);

// Decision functions over support vectors: one for each pair of classes, or one for regression and
// one-class.  Borrows all arrays.
struct ModelView {
  ModelView() = default;
  ModelView(const svm_model& model);  // NOLINT(google-explicit-constructor): the same to prediction

  svm_parameter param{};
  std::size_t classes = 2;  // nr_class; also 2 for regression and one-class
  DataRows vectors;
  std::size_t count = 0;  // number of support vectors
  // Classifiers: the vectors of class c are [start[c], start[c + 1]).
  std::vector<std::size_t> start;
  // arrays() arrays of length `count`; null if there are none.
  const double* const* coefficients = nullptr;
  const double* rho = nullptr;  // for each function
  const int* labels = nullptr;  // for each class

  // Probability estimates; null if there are none.
  const double* slopes = nullptr;   // for each function's sigmoid; regression: the width
  const double* offsets = nullptr;  // for each function's sigmoid
  const double* marks = nullptr;    // one-class: kDensityMarks of them

  bool is_classifier() const { return is_classification(param.svm_type); }
  std::size_t functions() const { return function_count(param.svm_type, classes); }
  std::size_t arrays() const {
    return coefficients == nullptr || classes < 2 ? 0 : classes - 1;  // as coefficient_arrays()
  }

  // Calls add(coefficients, function, begin, end) for each stretch of support vectors in [first,
  // last) that has coefficients in a function: coefficients[s] for s in [begin, end).  The
  // stretches of a function come in the order of the support vectors, so a pair's sum runs over its
  // first class and then over its second.
  template <typename Add>
  void for_each_stretch(std::size_t first, std::size_t last, const Add& add) const {
    if (!is_classifier()) return add(coefficients[0], std::size_t{0}, first, last);
    for (std::size_t c = 0; c < classes && start[c] < last; ++c) {
      const std::size_t begin = std::max(first, start[c]), end = std::min(last, start[c + 1]);
      if (begin >= end) continue;
      for (std::size_t other = 0; other < classes; ++other) {
        if (other == c) continue;
        add(coefficients[coefficient_array(c, other)], pair_number(classes, c, other), begin, end);
      }
    }
  }

  // Calls add(coefficients, begin, end) for the stretches of one function, in their order: those of
  // the pair's classes a and b, or all support vectors if there is one function.  Requires that
  // these are those of the classes.
  template <typename Add>
  void for_stretches_of(std::size_t a, std::size_t b, const Add& add) const {
    if (functions() == 1) return add(coefficients[0], std::size_t{0}, count);
    add(coefficients[coefficient_array(a, b)], start[a], start[a + 1]);
    add(coefficients[coefficient_array(b, a)], start[b], start[b + 1]);
  }
};

// True if all coefficients are finite.  Those of a nu-SVC without a margin are not.
bool has_finite_coefficients(const ModelView& model);

// Whether the support vectors are rows of the training data.
enum class VectorOrigin { kRows, kOwn };

// A model with everything but its support vectors and their number, which own_support_vectors()
// adds.  Throws std::bad_alloc.
ModelPtr make_model_without_vectors(const ModelView& view);

// A model with its support vectors.  Training rows that are nodes are pointed to and stay the
// caller's; all other rows are copied into the model.  For training rows, sv_indices has their
// numbers in the data set, from 1.  Throws std::bad_alloc.
ModelPtr make_model(const ModelView& view, VectorOrigin origin);

// Copies the support vectors into the model unless it has its own.  Throws std::bad_alloc.
void own_vectors(svm_model& model);

}  // namespace svm

#endif  // SVM_MODEL_MODEL_VIEW_H_
