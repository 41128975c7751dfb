#include "model/model_view.h"

#include <cmath>
#include <cstdlib>
#include <memory>

#include "kernels/precomputed_row.h"
#include "model/pairs.h"

namespace svm {
namespace {

// Of a precomputed support vector, a model needs the first pair only.
void copy_vectors(const ModelView& view, svm_model& model) {
  const bool precomputed = view.param.kernel_type == PRECOMPUTED;
  const auto for_each_pair_kept = [&](std::size_t s, const auto& visit) {
    const DataRow row = view.vectors[s];
    if (precomputed) return visit(first_index(row), value_at(row, 0));
    row.for_each(visit);
  };
  own_support_vectors(view.count, for_each_pair_kept, model);
}

void point_to_vectors(const ModelView& view, svm_model& model) {
  model.l = static_cast<int>(view.count);
  model.SV = malloc_array<svm_node*>(view.count);
  for (std::size_t s = 0; s < view.count; ++s) {
    model.SV[s] = const_cast<svm_node*>(view.vectors[s].nodes());  // svm_model has no const view
  }
}

template <typename T>
T* copy_if_any(const T* values, std::size_t count) {
  return values == nullptr ? nullptr : malloc_copy(values, count);
}

}  // namespace

std::size_t value_count(const svm_model& model) {
  return function_count(model.param.svm_type, count_or_zero(model.nr_class));
}

ModelView::ModelView(const svm_model& model)
    : param(model.param),
      classes(count_or_zero(model.nr_class)),
      vectors(model.SV),
      count(count_or_zero(model.l)),
      coefficients(model.sv_coef),
      rho(model.rho),
      labels(model.label),
      slopes(model.probA),
      offsets(model.probB),
      marks(density_marks(model)) {
  if (is_classifier()) {
    start.assign(classes + 1, 0);
    for (std::size_t c = 0; c < classes && model.nSV != nullptr; ++c) {
      start[c + 1] = start[c] + count_or_zero(model.nSV[c]);
    }
  }
}

bool has_finite_coefficients(const ModelView& model) {
  for (std::size_t n = 0; n < model.arrays(); ++n) {
    for (std::size_t s = 0; s < model.count; ++s) {
      if (!std::isfinite(model.coefficients[n][s])) return false;
    }
  }
  return true;
}

ModelPtr make_model_without_vectors(const ModelView& view) {
  ModelPtr model = new_model();
  model->param = view.param;
  model->nr_class = static_cast<int>(view.classes);
  model->rho = copy_if_any(view.rho, view.functions());
  model->probA = copy_if_any(view.slopes, view.functions());
  model->probB = copy_if_any(view.offsets, view.functions());
  model->prob_density_marks = copy_if_any(view.marks, kDensityMarks);
  if (view.is_classifier()) {
    model->label = copy_if_any(view.labels, view.classes);
    model->nSV = malloc_array<int>(view.classes);
    for (std::size_t c = 0; c < view.classes; ++c) {
      model->nSV[c] = static_cast<int>(view.start[c + 1] - view.start[c]);
    }
  }
  model->sv_coef = malloc_array<double*>(view.arrays());
  for (std::size_t n = 0; n < view.arrays(); ++n) {
    model->sv_coef[n] = malloc_copy(view.coefficients[n], view.count);
  }
  return model;
}

ModelPtr make_model(const ModelView& view, VectorOrigin origin) {
  ModelPtr model = make_model_without_vectors(view);
  if (origin == VectorOrigin::kRows) {
    model->sv_indices = malloc_array<int>(view.count);
    for (std::size_t s = 0; s < view.count; ++s) {
      model->sv_indices[s] = static_cast<int>(view.vectors.number(s)) + 1;
    }
  }
  const bool are_nodes = view.count == 0 || view.vectors[0].nodes() != nullptr;
  if (origin == VectorOrigin::kRows && are_nodes) {
    point_to_vectors(view, *model);
  } else {
    copy_vectors(view, *model);
  }
  return model;
}

void own_vectors(svm_model& model) {
  if (model.free_sv != 0) return;
  const ModelView view(model);
  const std::unique_ptr<svm_node*, void (*)(void*)> rows(model.SV, std::free);
  model.SV = nullptr;
  copy_vectors(view, model);
}

}  // namespace svm
