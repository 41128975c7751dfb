#include "model/vector_list.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "kernels/features.h"
#include "kernels/precomputed_row.h"
#include "model/model_view.h"
#include "model/pairs.h"

namespace svm {
namespace {

KeptNodes kept_nodes(const svm_node* row, bool precomputed) {
  if (precomputed) {
    return row->index == 0 && serial_number(row) ? KeptNodes::kSerial : KeptNodes::kAll;
  }
  return is_orderly(row) ? KeptNodes::kNonzero : KeptNodes::kAll;
}

}  // namespace

VectorList::VectorList(const svm_model& model) : width(coefficient_arrays(model.nr_class)) {
  const ModelView view(model);
  std::vector<std::size_t> start = {0, view.count};  // where each class begins, and the end
  if (view.is_classifier()) {
    for (std::size_t c = 0; c < view.classes && model.nSV != nullptr; ++c) {
      if (model.nSV[c] < 0) throw std::invalid_argument("a number of support vectors is below 0");
    }
    start = view.start;
  }
  if (start.back() != view.count) {
    throw std::invalid_argument("the numbers of support vectors by class do not sum to theirs");
  }
  const bool precomputed = view.param.kernel_type == PRECOMPUTED;
  vectors.reserve(view.count);
  coefficients.reserve(view.count * width);
  for (std::size_t c = 0; c + 1 < start.size(); ++c) {
    for (std::size_t s = start[c]; s < start[c + 1]; ++s) {
      add({model.SV[s], c, kept_nodes(model.SV[s], precomputed)});
      for (std::size_t n = 0; n < width; ++n) {
        coefficients_of(s)[n] = view.coefficients[n][s];
        if (!std::isfinite(view.coefficients[n][s])) vectors[s].kept = KeptNodes::kAll;
      }
    }
  }
}

ModelPtr VectorList::to_model(const svm_model& model) const {
  ModelView view(model);
  view.count = size();
  std::vector<std::vector<double>> arrays(width, std::vector<double>(size()));
  std::vector<const double*> begins;
  for (std::size_t n = 0; n < width; ++n) {
    for (std::size_t s = 0; s < size(); ++s) arrays[n][s] = coefficients_of(s)[n];
    begins.push_back(arrays[n].data());
  }
  view.coefficients = begins.data();
  if (view.is_classifier()) {
    view.start.assign(view.classes + 1, 0);
    for (const SupportVector& vector : vectors) ++view.start[vector.class_number + 1];
    std::partial_sum(view.start.begin(), view.start.end(), view.start.begin());
  }
  ModelPtr copy = make_model_without_vectors(view);
  drop_class_weights(*copy);
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
