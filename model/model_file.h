// Reads and writes LIBSVM's model files.
#ifndef SVM_MODEL_MODEL_FILE_H_
#define SVM_MODEL_MODEL_FILE_H_

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "model/model_memory.h"
#include "model/svm_type.h"
#include "svm.h"

namespace svm {

class OutputFile;
class TextCursor;

// Names of the types in model files, indexed by svm_parameter::svm_type and ::kernel_type.
inline constexpr std::array<const char*, 5> kSvmTypeWords = {"c_svc", "nu_svc", "one_class",
                                                             "epsilon_svr", "nu_svr"};
inline constexpr std::array<const char*, kKernelCount> kKernelTypeWords = [] {
  std::array<const char*, kKernelCount> words{};
  for (std::size_t type = 0; type < words.size(); ++type) words[type] = kKernelTypes[type].word;
  return words;
}();

// Significant digits of saved numbers. The defaults restore any double, and are LIBSVM's for
// feature values.
struct ModelDigits {
  int numbers = 17;
  int features = 8;
};

using TextSink = std::function<void(std::string_view)>;

// Passes the model's text to `out` piece by piece, so that a large model needs no second copy.
// Throws what `out` throws, and ModelError if the type of the model is unknown.
void write_model(const TextSink& out, const svm_model& model, const ModelDigits& digits);

// Writes what `write` passes on to a file and commits it. Throws std::system_error as well.
void save_text(OutputFile file, const std::function<void(const TextSink&)>& write);

// A malformed model. legacy() is the line that LIBSVM prints first, or empty ("unknown svm type.",
// "unknown kernel function.", "unknown text in model file: [x]"). what() has the fault and its
// position.
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string legacy, const std::string& detail)
      : std::runtime_error(detail), legacy_(std::move(legacy)) {}
  const std::string& legacy() const { return legacy_; }

 private:
  std::string legacy_;
};

// Parses the text of a whole model file. Every count is checked against the text before memory is
// allocated. Throws ModelError and std::bad_alloc.
ModelPtr parse_model(std::string_view text);

// Throws ModelError if the text is empty or in an encoding that no model has.
void check_model_text(std::string_view text);

// Reads a model from a longer text.  What the leaves of a forest have in common lacks thresholds
// and numbers of support vectors, which have one coefficient each.  Throws InputError.
ModelPtr read_model(TextCursor& text, bool is_forest = false);

}  // namespace svm

#endif  // SVM_MODEL_MODEL_FILE_H_
