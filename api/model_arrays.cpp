// Makes models of the caller's arrays, and shows the arrays of models.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/border.h"
#include "kernels/caller_rows.h"
#include "model/model_memory.h"
#include "model/model_view.h"
#include "model/pairs.h"
#include "model/svm_type.h"
#include "svm_ext.h"

namespace svm {
namespace {

[[noreturn]] void refuse_arrays(const std::string& fault) {
  throw std::invalid_argument("svm_model_arrays: " + fault);
}

void demand(bool holds, const char* fault) {
  if (!holds) refuse_arrays(fault);
}

void check_arrays(const svm_model_arrays& arrays) {
  demand(arrays.size == sizeof(arrays), "size is wrong");
  demand(arrays.param != nullptr, "param is null");
  const int type = arrays.param->svm_type, kernel = arrays.param->kernel_type;
  demand(type >= C_SVC && type <= NU_SVR, "unknown svm type");
  demand(is_kernel_type(kernel), "unknown kernel type");
  demand(arrays.l >= 0, "l < 0");
  if (is_classification(type)) {
    demand(arrays.nr_class >= 1, "nr_class < 1");
    demand(arrays.nr_class > 1 || arrays.l == 0, "a model of one class has no support vectors");
    demand(arrays.label != nullptr && arrays.nr_sv != nullptr, "label or nr_sv is null");
    const int* const end = arrays.nr_sv + arrays.nr_class;
    demand(std::all_of(arrays.nr_sv, end, [](int number) { return number >= 0; }), "nr_sv < 0");
    demand(std::accumulate(arrays.nr_sv, end, 0LL) == arrays.l, "nr_sv does not sum to l");
  }
  const int classes = is_classification(type) ? arrays.nr_class : 2;
  for (int n = 0; n + 1 < classes && arrays.l > 0; ++n) {
    demand(arrays.sv_coef != nullptr && arrays.sv_coef[n] != nullptr, "sv_coef is null");
  }
  demand(arrays.rho != nullptr || (is_classification(type) && arrays.nr_class == 1), "rho is null");
  if (kernel == PRECOMPUTED) {
    demand(arrays.sv_indices != nullptr || arrays.l == 0, "sv_indices is null");
  } else {
    demand(arrays.sv != nullptr, "sv is null");
    demand(arrays.sv->rows == static_cast<std::size_t>(arrays.l), "sv does not have l rows");
  }
}

// The contents without the support vectors themselves.
ModelView view_of(const svm_model_arrays& arrays) {
  ModelView view;
  view.param = *arrays.param;
  view.count = static_cast<std::size_t>(arrays.l);
  if (view.is_classifier()) {
    view.classes = static_cast<std::size_t>(arrays.nr_class);
    view.start.assign(1, 0);
    for (std::size_t c = 0; c < view.classes; ++c) {
      view.start.push_back(view.start.back() + static_cast<std::size_t>(arrays.nr_sv[c]));
    }
  }
  view.coefficients = arrays.sv_coef;
  view.rho = arrays.rho;
  view.labels = arrays.label;
  view.slopes = arrays.prob_a;
  view.offsets = arrays.prob_b;
  if (view.param.svm_type == ONE_CLASS) view.marks = arrays.prob_density_marks;
  return view;
}

ModelPtr make_model_of_arrays(const svm_model_arrays& arrays) {
  check_arrays(arrays);
  ModelView view = view_of(arrays);
  const std::vector<const double*> empty(view.classes - 1);
  if (view.count == 0) view.coefficients = empty.data();
  ModelPtr model;
  if (view.param.kernel_type == PRECOMPUTED) {
    model = make_model_without_vectors(view);
    own_support_vectors(
        view.count,
        [&](std::size_t s, const auto& visit) {
          visit(0, static_cast<double>(arrays.sv_indices[s]));
        },
        *model);
  } else {
    const CallerRows rows(*arrays.sv, view.param.kernel_type);
    view.vectors = rows.rows();
    model = make_model(view, VectorOrigin::kOwn);
  }
  if (arrays.sv_indices != nullptr) {
    model->sv_indices = malloc_copy(arrays.sv_indices, view.count);
  }
  drop_class_weights(*model);
  return model;
}

}  // namespace
}  // namespace svm

svm_model* svm_model_from_arrays(const svm_model_arrays* arrays) {
  return svm::guarded_model("svm_model_from_arrays",
                            [&] { return svm::make_model_of_arrays(*arrays); });
}

int svm_arrays_of_model(const svm_model* model, svm_model_arrays* arrays, svm_rows* sv) {
  return svm::guarded("svm_arrays_of_model", -1, [&] {
    svm::demand(arrays->size == sizeof(*arrays) && sv->size == sizeof(*sv), "size is wrong");
    *sv = {};
    sv->size = sizeof(*sv);
    sv->layout = SVM_NODES;
    sv->rows = static_cast<std::size_t>(std::max(model->l, 0));
    sv->nodes = model->SV;
    *arrays = {};
    arrays->size = sizeof(*arrays);
    arrays->param = &model->param;
    arrays->sv = sv;
    arrays->nr_class = model->nr_class;
    arrays->l = model->l;
    arrays->sv_coef = model->sv_coef;
    arrays->rho = model->rho;
    arrays->label = model->label;
    arrays->nr_sv = model->nSV;
    arrays->prob_a = model->probA;
    arrays->prob_b = model->probB;
    arrays->prob_density_marks = svm::density_marks(*model);
    arrays->sv_indices = model->sv_indices;
    arrays->nr_values = svm::value_count(*model);
    return 0;
  });
}
