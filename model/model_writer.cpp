#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "base/io/number_text.h"
#include "base/io/output_file.h"
#include "base/platform/files.h"
#include "model/model_file.h"
#include "model/pairs.h"
#include "model/svm_type.h"

namespace svm {
namespace {

constexpr std::size_t kWritePiece = std::size_t{1} << 16;

// Buffers the model's text on its way to the sink.
class ModelText {
 public:
  ModelText(const TextSink& out, const ModelDigits& digits) : out_(out), digits_(digits) {}

  ModelText& operator<<(const char* word) {
    text_ += word;
    return *this;
  }
  ModelText& operator<<(int value) {
    append_int(text_, value);
    return *this;
  }
  ModelText& real(double value) {
    append_real(text_, value, digits_.numbers);
    return *this;
  }
  ModelText& feature(double value) {
    append_real(text_, value, digits_.features);
    return *this;
  }
  void list(const char* key, const double* values, std::size_t count) {
    text_ += key;
    for (std::size_t i = 0; i < count; ++i) (*this << " ").real(values[i]);
    text_ += '\n';
  }
  void list(const char* key, const int* values, std::size_t count) {
    text_ += key;
    for (std::size_t i = 0; i < count; ++i) *this << " " << values[i];
    text_ += '\n';
  }
  // Passes the buffered text to the sink if it has at least this many bytes.
  void pass_on(std::size_t at_least) {
    if (text_.size() < at_least) return;
    out_(text_);
    text_.clear();
  }

 private:
  const TextSink& out_;
  const ModelDigits& digits_;
  std::string text_;
};

// Converts like a C cast, but is defined for every value.
int to_int(double value) {
  constexpr double kBelow = static_cast<double>(std::numeric_limits<int>::min()) - 1;
  constexpr double kAbove = static_cast<double>(std::numeric_limits<int>::max()) + 1;
  return value > kBelow && value < kAbove ? static_cast<int>(value)
                                          : std::numeric_limits<int>::min();
}

bool is_index(int value, std::size_t count) {
  return value >= 0 && static_cast<std::size_t>(value) < count;
}

void write_header(ModelText& text, const svm_model& model) {
  const svm_parameter& param = model.param;
  text << "svm_type " << kSvmTypeWords[static_cast<std::size_t>(param.svm_type)] << "\n";
  text << "kernel_type " << kKernelTypeWords[static_cast<std::size_t>(param.kernel_type)] << "\n";
  if (has_degree(param.kernel_type)) text << "degree " << param.degree << "\n";
  if (has_gamma(param.kernel_type)) (text << "gamma ").real(param.gamma) << "\n";
  if (has_coef0(param.kernel_type)) (text << "coef0 ").real(param.coef0) << "\n";
  text << "nr_class " << model.nr_class << "\n";
  text << "total_sv " << model.l << "\n";

  const std::size_t classes = count_or_zero(model.nr_class);
  const std::size_t pairs = pair_count(classes);
  if (model.rho != nullptr) text.list("rho", model.rho, pairs);
  if (model.label != nullptr) text.list("label", model.label, classes);
  if (model.probA != nullptr) text.list("probA", model.probA, pairs);
  if (model.probB != nullptr) text.list("probB", model.probB, pairs);
  if (const double* const marks = density_marks(model)) {
    text.list("prob_density_marks", marks, kDensityMarks);
  }
  if (model.nSV != nullptr) text.list("nr_sv", model.nSV, classes);
}

void write_row(ModelText& text, const svm_node* node, bool precomputed) {
  if (precomputed) {
    // Prediction needs only the serial number of the row, not its values.
    text << "0:" << to_int(node->value) << " ";
  } else {
    for (; node->index != -1; ++node) {
      (text << node->index << ":").feature(node->value) << " ";
    }
  }
  text << "\n";
}

}  // namespace

void write_model(const TextSink& out, const svm_model& model, const ModelDigits& digits) {
  if (!is_index(model.param.svm_type, kSvmTypeWords.size())) {
    throw ModelError("unknown svm type.", "svm_type is out of range");
  }
  if (!is_index(model.param.kernel_type, kKernelTypeWords.size())) {
    throw ModelError("unknown kernel function.", "kernel_type is out of range");
  }
  ModelText text(out, digits);
  write_header(text, model);
  text << "SV\n";
  const bool precomputed = model.param.kernel_type == PRECOMPUTED;
  // What the leaves of a forest have in common has one, and no thresholds.
  const std::size_t most = coefficient_arrays(model.nr_class);
  const std::size_t arrays = model.rho == nullptr ? std::min<std::size_t>(most, 1) : most;
  for (int i = 0; i < model.l; ++i) {
    for (std::size_t k = 0; k < arrays; ++k) text.real(model.sv_coef[k][i]) << " ";
    write_row(text, model.SV[i], precomputed);
    text.pass_on(kWritePiece);
  }
  text.pass_on(0);
}

void save_text(OutputFile file, const std::function<void(const TextSink&)>& write) {
  write([&file](std::string_view piece) { file.write(piece); });
  file.commit();
}

}  // namespace svm
