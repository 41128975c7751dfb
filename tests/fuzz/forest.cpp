// Files of forests: a forest that was read can be written, read again and used for prediction, of
// one row or many.
#include "model/forest/forest.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/pool.h"
#include "model/forest/forest_predictor.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

std::string written(const Forest& forest) {
  std::string text;
  write_forest([&](std::string_view piece) { text += piece; }, forest, ModelDigits());
  return text;
}

// Rows of several kinds, with the forest's own.
std::vector<std::vector<svm_node>> rows_for(const svm_model& common) {
  constexpr int kMostOwn = 4;
  std::vector<std::vector<svm_node>> rows = {
      {{-1, 0}},
      {{0, 1}, {1, 0.5}, {2, -1}, {3, 2}, {4, 1}, {5, 0}, {6, 1e300}, {-1, 0}},
      {{3, -0.25}, {70, 1e-5}, {2147483647, 1}, {-1, 0}}};
  for (int i = 0; i < common.l && i < kMostOwn; ++i) {
    const svm_node* end = common.SV[i];
    while (end->index != -1) ++end;
    rows.emplace_back(static_cast<const svm_node*>(common.SV[i]), end + 1);
  }
  return rows;
}

struct Predictions {
  Predictions(const svm_model& common, std::size_t width, std::size_t rows)
      : classes(static_cast<std::size_t>(common.nr_class)),
        labels(rows),
        values(rows * width),
        probabilities(rows * classes) {}
  std::size_t classes;
  std::vector<double> labels, values, probabilities;
};

void require_same(const std::vector<double>& one, const std::vector<double>& many) {
  for (std::size_t k = 0; k < one.size(); ++k) {
    require(is_same(one[k], many[k]), "one row is predicted as many are");
  }
}

void predict(const Forest& forest) {
  const std::vector<std::vector<svm_node>> rows = rows_for(*forest.common);
  std::vector<const svm_node*> views;
  views.reserve(rows.size());
  for (const auto& row : rows) views.push_back(row.data());
  const Messages silence([](const char*) {}, [](const char*) {});
  ThreadPool pool(1);
  const ForestPredictor kept(forest, silence, true), plain(forest, silence, false);
  const bool has_estimates = has_probabilities(*forest.common) && forest.common->label != nullptr;
  const std::size_t width = kept.functions();
  for (const bool by_probability : {false, has_estimates}) {
    Predictions one(*forest.common, width, rows.size()), many = one;
    const auto arrays = [&](Predictions& to, std::size_t i) {
      return PredictionArrays{to.labels.data() + i, to.values.data() + i * width,
                              by_probability ? to.probabilities.data() + i * to.classes : nullptr};
    };
    plain.predict(views.data(), rows.size(), by_probability, pool, arrays(many, 0));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      kept.predict(views.data() + i, 1, by_probability, pool, arrays(one, i));
    }
    require_same(one.labels, many.labels);
    require_same(one.values, many.values);
    require_same(one.probabilities, many.probabilities);
  }
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace svm::fuzz;
  svm::Forest forest;
  try {
    forest = svm::parse_forest(text_of(data, size));
  } catch (const svm::ModelError&) {
    return 0;
  }
  require(forest.leaves() > 0 && svm::forest_bytes(forest) > 0, "a forest has leaves");
  const std::string text = written(forest);
  require(written(svm::parse_forest(text)) == text || may_have_subnormals(text),
          "a forest that was saved is saved the same");
  if (forest.is_complete()) predict(forest);
  return 0;
}
