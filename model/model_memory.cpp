#include "model/model_memory.h"

#include "model/kept_predictor.h"
#include "model/pairs.h"

namespace svm {
namespace {

template <typename T>
void free_and_null(T*& block) noexcept {
  std::free(block);
  block = nullptr;
}

}  // namespace

void free_model_content(svm_model* model) noexcept {
  if (model == nullptr) return;
  free_kept_predictor(*model);
  // A loaded model keeps all its nodes in one block that starts at SV[0].
  if (model->free_sv != 0 && model->l > 0 && model->SV != nullptr) std::free(model->SV[0]);
  if (model->sv_coef != nullptr) {
    for (std::size_t k = 0; k < coefficient_arrays(model->nr_class); ++k) {
      std::free(model->sv_coef[k]);
    }
  }
  free_and_null(model->SV);
  free_and_null(model->sv_coef);
  free_and_null(model->rho);
  free_and_null(model->label);
  free_and_null(model->probA);
  free_and_null(model->probB);
  std::free(density_marks(*model));
  model->prob_density_marks = nullptr;
  free_and_null(model->sv_indices);
  free_and_null(model->nSV);
}

void ModelDeleter::operator()(svm_model* model) const noexcept {
  free_model_content(model);
  std::free(model);
}

void drop_class_weights(svm_model& model) {
  model.param.nr_weight = 0;
  model.param.weight_label = nullptr;
  model.param.weight = nullptr;
}

ModelPtr new_model() { return ModelPtr(malloc_array<svm_model>(1)); }

}  // namespace svm
