// Reads and writes files of forests (docs/forest.md has the format).
#ifndef SVM_MODEL_FOREST_FOREST_FILE_H_
#define SVM_MODEL_FOREST_FOREST_FILE_H_

#include <string_view>

#include "model/forest/forest.h"
#include "model/model_file.h"

namespace svm {

// True if a text is that of a forest, and not of a model.
bool is_forest_text(std::string_view text);

// As write_model().
void write_forest(const TextSink& out, const Forest& forest, const ModelDigits& digits);

// As parse_model().
Forest parse_forest(std::string_view text);

}  // namespace svm

#endif  // SVM_MODEL_FOREST_FOREST_FILE_H_
