// Forests of small cells for the tests.
#ifndef SVM_TESTS_FORESTS_H_
#define SVM_TESTS_FORESTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/number_text.h"
#include "base/threads/pool.h"
#include "model/forest/forest.h"
#include "model/forest/forest_predictor.h"
#include "tests/extension.h"
#include "tests/training_data.h"
#include "training/call.h"
#include "training/check.h"
#include "training/forest/train_forest.h"

namespace svm::test {

// The text of a forest, with all digits.
inline std::string text_of(const Forest& forest) {
  std::string text;
  ModelDigits digits;
  digits.features = kMostDigits;
  write_forest([&](std::string_view piece) { text += piece; }, forest, digits);
  return text;
}

inline std::string text_of(const svm_model& model) {
  std::string text;
  write_model([&](std::string_view piece) { text += piece; }, model, ModelDigits());
  return text;
}

struct Predictions {
  std::vector<double> labels, values, probabilities;
  bool operator==(const Predictions& other) const {
    return labels == other.labels && values == other.values && probabilities == other.probabilities;
  }
};

// The predictions of rows by a forest, `at_once` of them in a call.
inline Predictions predictions(const Forest& forest, DataRows rows, std::size_t count,
                               std::size_t at_once, unsigned threads = 1, bool keeps = false) {
  const ForestPredictor predictor(forest, Messages(nullptr), keeps);
  const bool probable = has_probabilities(*forest.common) && forest.common->label != nullptr;
  const std::size_t width = predictor.functions();
  const std::size_t classes = probable ? static_cast<std::size_t>(forest.common->nr_class) : 0;
  Predictions all = {std::vector<double>(count), std::vector<double>(count * width),
                     std::vector<double>(count * classes)};
  ThreadPool pool(threads);
  for (std::size_t i = 0; i < count; i += at_once) {
    predictor.predict(rows + i, std::min(at_once, count - i), probable, pool,
                      {all.labels.data() + i, all.values.data() + i * width,
                       probable ? all.probabilities.data() + i * classes : nullptr});
  }
  return all;
}

inline Predictions predictions(const Forest& forest, Data& data) {
  return predictions(forest, data.problem().x, data.size(), data.size());
}

// The part of the rows whose label is predicted.
inline double accuracy(const Forest& forest, Data& data) {
  const Predictions found = predictions(forest, data);
  double right = 0;
  for (std::size_t i = 0; i < data.size(); ++i) right += found.labels[i] == data.label(i) ? 1 : 0;
  return right / static_cast<double>(data.size());
}

// Trains by csmo, unless the options say something else.
class ForestTest : public testing::Test {
 protected:
  ForestTest() {
    options_.solver = "csmo";
    options_.quiet = 1;
    options_.warn = [](const char* text, void* user) { *static_cast<std::string*>(user) += text; };
    options_.warn_user = &warned_;
    plan_.cell = 50;
    plan_.trees = 2;
  }

  Forest train(const Problem& problem) {
    warned_.clear();
    svm::Run run(Messages(nullptr));
    configure(run, param_, &options_);
    RowSource source(with_weights(problem, param_, options_.row_weights));
    Forest forest = train_forest(source, param_, plan_, run);
    interruption_ = run.interruption();
    return forest;
  }
  Forest train(Data& data) { return train(Problem(data.problem())); }

  // What a training is refused for.
  std::string refusal(Data& data) {
    try {
      train(data);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }

  svm_parameter param_ = parameters(C_SVC, RBF);
  svm_options options_ = default_options();
  ForestPlan plan_;
  std::string warned_;  // by the last training
  std::optional<svm_status> interruption_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_FORESTS_H_
