#include "model/vector_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "kernels/precomputed_row.h"
#include "model/inner_sums.h"
#include "model/svm_type.h"

namespace svm {
namespace {

std::size_t size_of_count(int number) { return number > 0 ? static_cast<std::size_t>(number) : 0; }

KeptNodes kept_nodes(const svm_node* row, bool precomputed) {
  if (precomputed) {
    return row->index == 0 && serial_number(row) ? KeptNodes::kSerial : KeptNodes::kAll;
  }
  return is_orderly(row) ? KeptNodes::kNonzero : KeptNodes::kAll;
}

// Of a classification.
std::vector<std::size_t> class_sizes(const svm_model& model) {
  std::vector<std::size_t> sizes(size_of_count(model.nr_class), 0);
  for (std::size_t c = 0; c < sizes.size() && model.nSV != nullptr; ++c) {
    if (model.nSV[c] < 0) throw std::invalid_argument("a number of support vectors is below 0");
    sizes[c] = size_of_count(model.nSV[c]);
  }
  return sizes;
}

template <typename T>
T* copy_of_array(const T* values, std::size_t count) {
  return values == nullptr ? nullptr : malloc_copy(values, count);
}

}  // namespace

VectorList::VectorList(const svm_model& model) : width(size_of_count(model.nr_class - 1)) {
  const std::size_t count = size_of_count(model.l);
  std::vector<std::size_t> per_class = {count};
  if (is_classification(model.param.svm_type)) per_class = class_sizes(model);
  if (std::accumulate(per_class.begin(), per_class.end(), std::size_t{0}) != count) {
    throw std::invalid_argument("the numbers of support vectors by class do not sum to theirs");
  }
  const bool precomputed = model.param.kernel_type == PRECOMPUTED;
  vectors.reserve(count);
  coefficients.reserve(count * width);
  for (std::size_t c = 0; c < per_class.size(); ++c) {
    for (std::size_t k = 0; k < per_class[c]; ++k) {
      const std::size_t s = vectors.size();
      add({model.SV[s], c, kept_nodes(model.SV[s], precomputed)});
      for (std::size_t n = 0; n < width; ++n) {
        coefficients_of(s)[n] = model.sv_coef[n][s];
        if (!std::isfinite(model.sv_coef[n][s])) vectors[s].kept = KeptNodes::kAll;
      }
    }
  }
}

ModelPtr VectorList::to_model(const svm_model& model) const {
  const std::size_t classes = size_of_count(model.nr_class);
  const std::size_t pairs = pair_count(classes);
  ModelPtr copy = new_model();
  copy->param = model.param;
  drop_class_weights(*copy);
  copy->nr_class = model.nr_class;
  copy->rho = copy_of_array(model.rho, pairs);
  copy->probA = copy_of_array(model.probA, pairs);
  copy->probB = copy_of_array(model.probB, pairs);
  copy->prob_density_marks = copy_of_array(model.prob_density_marks, kDensityMarks);
  if (is_classification(model.param.svm_type)) {
    copy->label = copy_of_array(model.label, classes);
    copy->nSV = malloc_array<int>(classes);
    for (const SupportVector& vector : vectors) ++copy->nSV[vector.class_number];
  }
  copy->sv_coef = malloc_array<double*>(width);
  for (std::size_t n = 0; n < width; ++n) {
    copy->sv_coef[n] = malloc_array<double>(size());
    for (std::size_t s = 0; s < size(); ++s) copy->sv_coef[n][s] = coefficients_of(s)[n];
  }
  copy->free_sv = 1;
  own_support_vectors(
      size(),
      [&](std::size_t s, const auto& visit) {
        VectorNodes from(vectors[s]);
        while (const svm_node* const node = from.next()) visit(node->index, node->value);
      },
      *copy);
  return copy;
}

}  // namespace svm
