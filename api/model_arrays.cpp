// Makes models of the caller's arrays.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/border.h"
#include "kernels/view_rows.h"
#include "model/model_memory.h"
#include "model/model_view.h"
#include "model/pairs.h"
#include "model/svm_type.h"
#include "svm.h"
#include "training/call.h"

namespace svm {
namespace {

[[noreturn]] void refuse_arrays(const std::string& fault) {
  throw std::invalid_argument("svm_model_arrays: " + fault);
}

void demand(bool holds, const char* fault) {
  if (!holds) refuse_arrays(fault);
}

void check_arrays(const svm_model_arrays& arrays) {
  if (const char* const fault =
          size_fault(arrays, "svm_model_arrays: size is not set",
                     "svm_model_arrays: size is larger than this version of the library knows")) {
    throw std::invalid_argument(fault);
  }
  demand(arrays.size == sizeof(arrays), "size is too small");
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
  demand(arrays.sv_coef != nullptr || arrays.l == 0, "sv_coef is null");
  demand(arrays.rho != nullptr || (is_classification(type) && arrays.nr_class == 1), "rho is null");
  if (kernel == PRECOMPUTED) {
    demand(arrays.sv_indices != nullptr || arrays.l == 0, "sv_indices is null");
  } else {
    demand(arrays.sv != nullptr, "sv is null");
    demand(arrays.sv->rows == static_cast<std::size_t>(arrays.l), "sv does not have l rows");
  }
}

// The contents without the support vectors themselves.  `coefficients` receives where the rows of
// sv_coef begin.
ModelView view_of(const svm_model_arrays& arrays, std::vector<const double*>& coefficients) {
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
  for (std::size_t n = 0; n + 1 < view.classes; ++n) {
    coefficients.push_back(arrays.sv_coef == nullptr ? nullptr : arrays.sv_coef + n * view.count);
  }
  view.coefficients = coefficients.data();
  view.rho = arrays.rho;
  view.labels = arrays.label;
  view.slopes = arrays.prob_a;
  view.offsets = arrays.prob_b;
  if (view.param.svm_type == ONE_CLASS) view.marks = arrays.prob_density_marks;
  return view;
}

ModelPtr make_model_of_arrays(const svm_model_arrays& arrays) {
  check_arrays(arrays);
  std::vector<const double*> coefficients;
  ModelView view = view_of(arrays, coefficients);
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
    const ViewRows rows(*arrays.sv);
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
  return svm::guarded<svm_model*>("svm_model_from_arrays", nullptr,
                                  [&] { return svm::make_model_of_arrays(*arrays).release(); });
}
