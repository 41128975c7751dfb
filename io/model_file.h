// LIBSVM's model file.
#ifndef SVM_IO_MODEL_FILE_H_
#define SVM_IO_MODEL_FILE_H_

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "model/model_memory.h"
#include "svm.h"

namespace svm {

class OutputFile;

// Significant digits of saved numbers: those that restore any double, and those that LIBSVM gives
// feature values.
struct ModelDigits {
  int numbers = 17;
  int features = 8;
};

using TextSink = std::function<void(std::string_view)>;

// Writes the model's text, piece by piece (so a large model needs no second copy).  Throws what
// `out` throws, and ModelError for a model without a known type.
void write_model(const TextSink& out, const svm_model& model, const ModelDigits& digits);

// The same to a file, and commits it.  Throws std::system_error as well.
void save_model(OutputFile file, const svm_model& model, const ModelDigits& digits);

// A malformed model.  legacy() is the line LIBSVM prints first, or empty ("unknown svm type.",
// "unknown kernel function.", "unknown text in model file: [x]"); what() says what and where.
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string legacy, const std::string& detail)
      : std::runtime_error(detail), legacy_(std::move(legacy)) {}
  const std::string& legacy() const { return legacy_; }

 private:
  std::string legacy_;
};

// Parses a whole model file.  Every count is checked against the text before memory is taken.
// Throws ModelError and std::bad_alloc.
ModelPtr parse_model(std::string_view text);

}  // namespace svm

#endif  // SVM_IO_MODEL_FILE_H_
