// Models as text and as arrays, and their predictors.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/border.h"
#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "base/io/output_file.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "kernels/caller_rows.h"
#include "model/model_file.h"
#include "model/model_memory.h"
#include "model/model_view.h"
#include "model/pairs.h"
#include "model/predictor.h"
#include "model/svm_type.h"
#include "svm_ext.h"

namespace svm {
namespace {

// Adds a warning. Prediction works as in LIBSVM, which also reads such models: a NaN decision value
// is a vote for the second class of the pair.
ModelPtr with_warning(ModelPtr model, const std::string& name) {
  const ModelView view(*model);
  const bool has_nan = std::any_of(view.rho, view.rho + view.functions(),
                                   [](double threshold) { return std::isnan(threshold); });
  if (has_nan || !has_finite_coefficients(view)) {
    process_messages().warn("WARNING: " + name +
                            ": coefficients or thresholds are infinite or NaN, as of a nu-SVC "
                            "without a margin or after an overflow: the model is of no use\n");
  }
  return model;
}

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

// What a svm_predictor, which is never defined, points to.
struct Prepared {
  Prepared(ModelPtr copy_of_model, const svm_model& borrowed)
      : copy(std::move(copy_of_model)),
        model(copy == nullptr ? borrowed : *copy),
        predictor(model, current_messages(), kTimes * support_vector_bytes(model)) {
    predictor.pack();
  }

  ModelPtr copy;  // null if the model is borrowed
  const svm_model& model;
  Predictor predictor;

 private:
  // Doubles for all features need less than so many times the bytes of the support vectors if at
  // least an eighth of the values are given; the weights of many linear functions may need much
  // more.
  static constexpr std::size_t kTimes = 4;
};

const Prepared& prepared(const svm_predictor* predictor) {
  return *reinterpret_cast<const Prepared*>(predictor);
}

}  // namespace

ModelDigits digits_of(int features) {
  ModelDigits digits;
  if (features == 0) return digits;
  if (features < 1 || features > kMostDigits) {
    throw std::invalid_argument("digits must be from 1 to 17, or 0");
  }
  digits.features = features;
  return digits;
}

char* text_of(const std::function<void(const TextSink&)>& write, std::size_t* size) {
  std::string text;
  write([&text](std::string_view piece) { text += piece; });
  char* const copy = malloc_copy(text.c_str(), text.size() + 1);
  if (size != nullptr) *size = text.size();
  return copy;
}

ModelPtr load_model(const char* file) { return parse_file(read_whole_file(file), file); }

ModelPtr parse_file(const std::string& text, const char* file) {
  require_exact_arithmetic();
  try {
    return with_warning(parse_model(text), file);
  } catch (const ModelError& error) {
    const std::string what = std::string(file) + ": " + error.what();
    const Messages messages = process_messages();
    if (!error.legacy().empty()) messages.warn(error.legacy() + "\n");
    messages.warn("ERROR: fscanf failed to read model\n");
    messages.warn(what + "\n");
    throw std::runtime_error(what);
  }
}

unsigned threads_for_rows(std::size_t threads, std::size_t rows) {
  const std::size_t most = (rows + Predictor::kRows - 1) / Predictor::kRows;
  const std::size_t wanted = thread_count_of_call(threads);
  return static_cast<unsigned>(std::min(wanted, std::max<std::size_t>(most, 1)));
}

}  // namespace svm

int svm_write_model(const char* model_file_name, const svm_model* model, int digits) {
  return svm::guarded("svm_write_model", -1, [&] {
    const svm::ModelDigits all = svm::digits_of(digits);  // before the file is opened
    svm::save_text(svm::OutputFile(model_file_name),
                   [&](const svm::TextSink& out) { svm::write_model(out, *model, all); });
    return 0;
  });
}

char* svm_model_text(const svm_model* model, int digits, size_t* size) {
  return svm::guarded<char*>("svm_model_text", nullptr, [&] {
    return svm::text_of(
        [&](const svm::TextSink& out) { svm::write_model(out, *model, svm::digits_of(digits)); },
        size);
  });
}

svm_model* svm_parse_model(const char* text, size_t size) {
  return svm::guarded_model("svm_parse_model", [&] {
    svm::require_exact_arithmetic();
    return svm::with_warning(svm::parse_model(std::string_view(text, size)), "the model");
  });
}

void svm_free_text(char* text) { std::free(text); }

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

svm_predictor* svm_make_predictor(const svm_model* model, int copy) {
  return svm::guarded<svm_predictor*>("svm_make_predictor", nullptr, [&] {
    svm::check_instruction_set();
    svm::require_exact_arithmetic();
    svm::ModelPtr own;
    if (copy != 0) {
      own = svm::make_model(*model, svm::VectorOrigin::kOwn);
      svm::drop_class_weights(*own);
    }
    return reinterpret_cast<svm_predictor*>(
        std::make_unique<svm::Prepared>(std::move(own), *model).release());
  });
}

int svm_predict_rows(const svm_predictor* predictor, const svm_rows* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    const svm::Prepared& model = svm::prepared(predictor);
    if (probabilities != nullptr && !svm::has_probabilities(model.model)) {
      throw std::invalid_argument("the model has no probability estimates");
    }
    const svm::CallerRows given(*rows, model.model.param.kernel_type);
    const svm::PredictionArrays to = {predictions, values, probabilities};
    if (given.size() == 1 && threads <= svm::kMaxThreads) {
      model.predictor.predict(given.rows(), 1, probabilities != nullptr, to);
      return 0;
    }
    const unsigned most = svm::threads_for_rows(threads, given.size());
    svm::ThreadPool pool(static_cast<unsigned>(given.threads(most)));
    model.predictor.predict(given.rows(), given.size(), probabilities != nullptr, pool, to);
    return 0;
  });
}

size_t svm_predictor_bytes(const svm_predictor* predictor) {
  const svm::ModelView& model = svm::prepared(predictor).predictor.model();
  const std::size_t of_copy =
      svm::prepared(predictor).copy == nullptr
          ? 0
          : svm::support_vector_bytes(model) + model.count * model.arrays() * sizeof(double);
  return sizeof(svm::Prepared) + svm::prepared(predictor).predictor.bytes() + of_copy;
}

void svm_free_predictor(svm_predictor* predictor) {
  delete reinterpret_cast<svm::Prepared*>(predictor);
}
