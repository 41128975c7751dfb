// What prediction needs of a model, wherever it comes from; and struct svm_model, made of it.
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

// Number of decision functions, and so of decision values of a row.
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
  std::size_t classes = 2;  // nr_class: 2 for regression and one-class, too
  DataRows vectors;
  std::size_t count = 0;  // of support vectors
  // Classifiers: the vectors of class c are [start[c], start[c + 1]).
  std::vector<std::size_t> start;
  // Arrays of `count` each: classes - 1 of them, see coefficient_array().
  std::vector<const double*> coefficients;
  const double* rho = nullptr;  // of each function
  const int* labels = nullptr;  // of the classes

  // Estimates of probabilities; null if there are none.
  const double* slopes = nullptr;   // of each function's sigmoid; of a regression the width
  const double* offsets = nullptr;  // of each function's sigmoid
  const double* marks = nullptr;    // one-class: kDensityMarks

  bool is_classifier() const { return is_classification(param.svm_type); }
  std::size_t functions() const { return function_count(param.svm_type, classes); }

  // Calls add(coefficients, function, begin, end) for each stretch of support vectors in [first,
  // last) that has coefficients in a function: coefficients[s] for s in [begin, end).  The
  // stretches of a function come in the order of the support vectors: a pair's sum goes through its
  // first class and then through its second.
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
};

// Are all coefficients finite?  Those of a nu-SVC without a margin are not.
bool has_finite_coefficients(const ModelView& model);

// Whether the support vectors are rows of the data that the model was trained on.
enum class VectorOrigin { kRows, kOwn };

// All but the support vectors and their number, which own_support_vectors() adds.
ModelPtr make_model_without_vectors(const ModelView& view);

// Rows that are nodes are pointed to and stay the caller's, and sv_indices has their numbers in the
// data set, from 1; all others are copied into the model.  Throws std::bad_alloc.
ModelPtr make_model(const ModelView& view, VectorOrigin origin);

}  // namespace svm

#endif  // SVM_MODEL_MODEL_VIEW_H_
