// Model files: a model that was read can be written, read again, queried, compacted, packed and
// used for prediction.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/pool.h"
#include "kernels/precomputed_row.h"
#include "model/compact.h"
#include "model/model_file.h"
#include "model/predictor.h"
#include "svm.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

const Messages& silence() {
  static const Messages messages([](const char*) {}, [](const char*) {});
  return messages;
}

std::string written(const svm_model& model) {
  std::string text;
  write_model([&](std::string_view piece) { text += piece; }, model, ModelDigits());
  return text;
}

void ask(const svm_model& model) {
  const auto classes = static_cast<std::size_t>(svm_get_nr_class(&model));
  std::vector<int> labels(classes), rows(static_cast<std::size_t>(svm_get_nr_sv(&model)));
  svm_get_labels(&model, labels.data());
  svm_get_sv_indices(&model, rows.data());
  const int type = svm_get_svm_type(&model);
  const bool is_regression = type == EPSILON_SVR || type == NU_SVR;
  if (svm_check_probability_model(&model) != 0 && is_regression) svm_get_svr_probability(&model);
}

// So many rows are worth a packed model.
constexpr std::size_t kPackedRows = 4;

// Rows of several kinds, enough for the model to be packed; they include the model's own vectors.
std::vector<std::vector<svm_node>> rows_for(const svm_model& model) {
  std::vector<std::vector<svm_node>> rows = {
      {{0, 1}, {1, 0.5}, {2, -1}, {3, 2}, {4, 1}, {5, 0}, {6, 1e300}, {7, 1}, {8, 1}, {-1, 0}},
      {{0, 2}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {-1, 0}}};
  if (model.param.kernel_type == PRECOMPUTED) return rows;
  rows.push_back({{-1, 0}});
  rows.push_back({{3, -0.25}, {70, 1e-5}, {2147483647, 1}, {-1, 0}});
  for (int i = 0; i < model.l && rows.size() < 2 * kPackedRows; ++i) {
    svm_node* end = model.SV[i];
    while (end->index != -1) ++end;
    rows.emplace_back(model.SV[i], end + 1);
  }
  return rows;
}

// Packed models, as svm_predict() keeps them for a loaded model, must give the same predictions.
void predict_packed(const svm_model& model, const std::vector<const svm_node*>& rows,
                    const std::vector<double>& expected) {
  ThreadPool pool(1);
  std::vector<double> predictions(rows.size());
  for (const std::size_t times : {std::size_t{2}, std::size_t{4}}) {
    const Predictor packed(model, silence(), times * support_vector_bytes(model));
    packed.predict(rows.data(), rows.size(), false, pool, {predictions.data()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      require(is_same(packed.predict(rows[i]), expected[i]), "a packed model predicts one row");
      require(is_same(predictions[i], expected[i]), "a packed model predicts many rows");
    }
  }
}

void predict(const svm_model& model) {
  const std::vector<std::vector<svm_node>> rows = rows_for(model);
  std::vector<const svm_node*> views;
  views.reserve(rows.size());
  for (const auto& row : rows) views.push_back(row.data());

  const Predictor single(model, silence(), 0);
  const Predictor batch(model, silence(), Predictor::kNoLimit);
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const std::size_t count = single.functions();
  std::vector<double> values(count), probabilities(classes);
  std::vector<double> all_values(count * rows.size()), all_probabilities(classes * rows.size());
  std::vector<double> predictions(rows.size()), by_probability(rows.size());
  batch.predict(views.data(), rows.size(), false, {predictions.data(), all_values.data()});
  batch.predict(views.data(), rows.size(), true,
                {by_probability.data(), nullptr, all_probabilities.data()});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require(is_same(single.predict(views[i], values.data()), predictions[i]),
            "one row is predicted as many are");
    for (std::size_t k = 0; k < count; ++k) {
      require(is_same(values[k], all_values[i * count + k]),
              "one row has the decision values of many");
    }
    require(is_same(single.predict_probability(views[i], nullptr, probabilities.data()),
                    by_probability[i]),
            "one row is predicted by probability as many are");
  }
  predict_packed(model, views, predictions);
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace svm::fuzz;
  svm::ModelPtr model;
  try {
    model = svm::parse_model(text_of(data, size));
  } catch (const svm::ModelError&) {
    return 0;
  }
  ask(*model);
  const std::string text = written(*model);
  require(written(*svm::parse_model(text)) == text || may_have_subnormals(text),
          "a model that was saved is saved the same");
  const svm::ModelPtr compact = svm::compact_model(*model);
  ask(*compact);
  try {
    predict(*compact);  // which may need fewer rows
    predict(*model);
  } catch (const svm::PrecomputedRowError&) {
    // A serial number beyond the rows at hand.
  }
  return 0;
}
