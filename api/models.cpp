
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/border.h"
#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "base/io/output_file.h"
#include "base/simd/instruction_set.h"
#include "model/model_file.h"
#include "model/model_view.h"
#include "svm_ext.h"

namespace svm {

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

}  // namespace

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

}  // namespace svm

svm_model* svm_parse_model(const char* text, size_t size) {
  return svm::guarded_model("svm_parse_model", [&] {
    svm::require_exact_arithmetic();
    return svm::with_warning(svm::parse_model(std::string_view(text, size)), "the model");
  });
}

void svm_free_text(char* text) { std::free(text); }
