// Access to the contents of a model, beyond what LIBSVM has functions for.
#include <algorithm>
#include <cstddef>

#include "model/model_memory.h"
#include "model/model_view.h"
#include "model/pairs.h"
#include "svm.h"

namespace {

// Copies an array that the model may lack. Returns 1 if the model has it, else 0.
template <typename T>
int copy_array(const T* from, std::size_t count, T* to) {
  if (from == nullptr) return 0;
  std::copy_n(from, count, to);
  return 1;
}

std::size_t class_number(const svm_model* model) {
  return static_cast<std::size_t>(std::max(model->nr_class, 0));
}

std::size_t vector_number(const svm_model* model) {
  return static_cast<std::size_t>(std::max(model->l, 0));
}

}  // namespace

int svm_get_kernel_type(const svm_model* model) { return model->param.kernel_type; }

int svm_get_degree(const svm_model* model) { return model->param.degree; }

double svm_get_gamma(const svm_model* model) { return model->param.gamma; }

double svm_get_coef0(const svm_model* model) { return model->param.coef0; }

size_t svm_get_nr_values(const svm_model* model) { return svm::value_count(*model); }

int svm_get_rho(const svm_model* model, double* rho) {
  return copy_array(model->rho, svm::value_count(*model), rho);
}

int svm_get_sv_coef(const svm_model* model, double* sv_coef) {
  if (model->sv_coef == nullptr) return 0;
  for (std::size_t k = 0; k < svm::coefficient_arrays(model->nr_class); ++k) {
    sv_coef = std::copy_n(model->sv_coef[k], vector_number(model), sv_coef);
  }
  return 1;
}

int svm_get_nr_sv_by_class(const svm_model* model, int* nr_sv) {
  return copy_array(model->nSV, class_number(model), nr_sv);
}

int svm_get_prob_a(const svm_model* model, double* prob_a) {
  return copy_array(model->probA, svm::value_count(*model), prob_a);
}

int svm_get_prob_b(const svm_model* model, double* prob_b) {
  return copy_array(model->probB, svm::value_count(*model), prob_b);
}

int svm_get_prob_density_marks(const svm_model* model, double* marks) {
  return copy_array(svm::density_marks(*model), svm::kDensityMarks, marks);
}

size_t svm_get_sv(const svm_model* model, int s, int* index, double* value) {
  if (model->SV == nullptr || s < 0 || s >= model->l) return 0;
  const svm_node* const first = model->SV[s];
  const svm_node* node = first;
  for (; node->index != -1; ++node) {
    const auto place = static_cast<std::size_t>(node - first);
    if (index != nullptr) index[place] = node->index;
    if (value != nullptr) value[place] = node->value;
  }
  return static_cast<std::size_t>(node - first);
}
