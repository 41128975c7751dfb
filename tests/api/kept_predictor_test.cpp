// Models of the library are packed at their second prediction, and predict as before, whatever the
// caller does with them in between.
#include "model/kept_predictor.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

struct Answers {
  std::vector<double> labels, predictions, values, likely, probabilities;

  bool operator==(const Answers& other) const {
    return labels == other.labels && predictions == other.predictions && values == other.values &&
           likely == other.likely && probabilities == other.probabilities;
  }
};

Answers ask(const svm_model& model, const Data& rows) {
  Answers all;
  const std::size_t width = value_count(model);
  const auto classes = static_cast<std::size_t>(model.nr_class);
  std::vector<double> values(width), probabilities(classes, 77);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.labels.push_back(svm_predict(&model, rows.row(i)));
    all.predictions.push_back(svm_predict_values(&model, rows.row(i), values.data()));
    all.values.insert(all.values.end(), values.begin(), values.end());
    all.likely.push_back(svm_predict_probability(&model, rows.row(i), probabilities.data()));
    all.probabilities.insert(all.probabilities.end(), probabilities.begin(), probabilities.end());
  }
  return all;
}

// The predictor that the calls before made, or null.  Comes after two calls at least.
const Predictor* predictor_of(const svm_model& model) {
  return kept_predictor(model, [] { return Messages(nullptr); });
}

// The answers of a model that the library does not know: a copy of the struct.
Answers ask_copy(const svm_model& model, const Data& rows) {
  const svm_model copy = model;
  EXPECT_EQ(predictor_of(copy), nullptr);
  return ask(copy, rows);
}

// The row with all of its eight features.
Row dense(const svm_node* row) {
  std::vector<double> values(8, 0.0);
  for (; row->index != -1; ++row) values[static_cast<std::size_t>(row->index) - 1] = row->value;
  return dense_row(values);
}

bool is_packed(const svm_model& model) {
  const Predictor* const predictor = predictor_of(model);
  return predictor != nullptr && predictor->bytes() > 0;
}

class KeptPredictor : public testing::Test {
 protected:
  KeptPredictor() : data_(random_data(150, 6, true, 3)), rows_(random_data(40, 8, true, 4)) {
    svm_set_print_string_function([](const char*) {});
  }
  ~KeptPredictor() override { svm_set_print_string_function(nullptr); }

  OwnedModel train(int svm_type, int kernel, int classes = 2, bool probability = false) {
    Draws draws(9);
    labelled_ = Data();
    for (std::size_t i = 0; i < data_.size(); ++i) {
      Row row;
      for (const svm_node* node = data_.row(i); node->index != -1; ++node) row.push_back(*node);
      row.push_back({-1, 0});
      const double label = is_classification(svm_type)
                               ? static_cast<double>(draws.below(static_cast<std::size_t>(classes)))
                               : row[0].value;
      labelled_.add_row(label, row);
    }
    svm_parameter param = parameters(svm_type, kernel);
    param.gamma = 0.3;
    param.nu = 0.3;
    param.probability = probability ? 1 : 0;
    problem_ = labelled_.problem();
    return OwnedModel(svm_train(&problem_, &param));
  }

  // Packs the model, lets the caller change it, and expects the answers of the changed model.
  void expect_noticed(svm_model& model, const std::string& what,
                      const std::function<void(svm_model&)>& change) {
    SCOPED_TRACE(what);
    const Answers before = ask(model, rows_);
    ASSERT_TRUE(is_packed(model));
    change(model);
    const Answers after = ask_copy(model, rows_);
    EXPECT_FALSE(before == after) << "the change makes no difference";
    for (int time = 0; time < 2; ++time) {
      const Answers again = ask(model, rows_);
      EXPECT_EQ(again.labels, after.labels);
      EXPECT_EQ(again.predictions, after.predictions);
      EXPECT_EQ(again.values, after.values);
      EXPECT_TRUE(again == after);
    }
  }

  const Setting no_variable_{"LIBSVM_PACKED_MODELS", nullptr};
  Data data_, rows_, labelled_;
  svm_problem problem_{};
};

TEST_F(KeptPredictor, AnswersAreThoseOfTheModel) {
  for (const int svm_type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      for (const int classes : {2, 4}) {
        SCOPED_TRACE(std::to_string(svm_type) + std::to_string(kernel) + std::to_string(classes));
        const OwnedModel model = train(svm_type, kernel, classes, true);
        ASSERT_NE(model, nullptr);
        EXPECT_FALSE(is_packed(*model));
        EXPECT_TRUE(ask(*model, rows_) == ask_copy(*model, rows_));
        EXPECT_TRUE(is_packed(*model));
        std::size_t size = 0;
        const std::unique_ptr<char, void (*)(char*)> text(svm_model_text(model.get(), 0, &size),
                                                          svm_free_text);
        const OwnedModel loaded(svm_parse_model(text.get(), size));
        EXPECT_TRUE(ask(*loaded, rows_) == ask_copy(*loaded, rows_));
        EXPECT_TRUE(is_packed(*loaded));
        const OwnedModel compact(svm_compact_model(model.get()));
        EXPECT_TRUE(ask(*compact, rows_) == ask_copy(*compact, rows_));
      }
    }
  }
}

TEST_F(KeptPredictor, IsMadeAtTheSecondCall) {
  const OwnedModel model = train(C_SVC, RBF);
  svm_predict(model.get(), rows_.row(0));
  EXPECT_FALSE(is_packed(*model));
  svm_predict(model.get(), rows_.row(0));
  EXPECT_TRUE(is_packed(*model));
}

TEST_F(KeptPredictor, ChangesOfTheModelAreNoticed) {
  for (const int kernel : {RBF, LINEAR}) {
    for (const int classes : {2, 3}) {
      const auto noticed = [&](const std::string& what,
                               const std::function<void(svm_model&)>& change) {
        const OwnedModel model = train(C_SVC, kernel, classes);
        expect_noticed(*model, what, change);
      };
      noticed("rho", [](svm_model& model) { model.rho[0] += 5; });
      noticed("coefficients", [](svm_model& model) {
        for (int s = 0; s < model.l; ++s) model.sv_coef[0][s] *= s % 2 == 0 ? 3 : -1;
      });
      noticed("labels", [](svm_model& model) { model.label[0] = 1234; });
      noticed("the first support vector",
              [&](svm_model& model) { model.SV[0] = const_cast<svm_node*>(rows_.row(3)); });
      noticed("the values of support vectors", [](svm_model& model) {
        for (int s = 0; s < model.l; ++s) {
          for (svm_node* node = model.SV[s]; node->index != -1; ++node) node->value *= 2;
        }
      });
      if (kernel == RBF) {
        noticed("gamma", [](svm_model& model) { model.param.gamma *= 2; });
        noticed("the kernel", [](svm_model& model) { model.param.kernel_type = LINEAR; });
      }
    }
    const OwnedModel model = train(EPSILON_SVR, kernel);
    expect_noticed(*model, "l", [](svm_model& m) { m.l -= 3; });
    model->l += 3;  // all of it is freed
  }
}

TEST_F(KeptPredictor, ReplacedArraysAreNoticed) {
  const OwnedModel model = train(C_SVC, RBF);
  double* const old_rho = model->rho;
  double* const old_coefficients = model->sv_coef[0];
  double rho = 0.25;
  std::vector<double> coefficients(static_cast<std::size_t>(model->l), 0.5);
  expect_noticed(*model, "arrays", [&](svm_model& m) {
    m.rho = &rho;
    m.sv_coef[0] = coefficients.data();
  });
  model->rho = old_rho;
  model->sv_coef[0] = old_coefficients;
}

// Rows between two rows that the model tells apart, nearer and nearer to a boundary.
Data rows_near_boundaries(const svm_model& model, const Data& rows) {
  Data near;
  std::vector<double> values(value_count(model));
  const auto label = [&](const Row& row) {
    return svm_predict_values(&model, row.data(), values.data());
  };
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    Row one = dense(rows.row(i)), other = dense(rows.row(i + 1));
    if (label(one) == label(other)) continue;
    const double side = label(one);
    for (int step = 0; step < 45; ++step) {
      Row middle = one;
      for (std::size_t k = 0; k + 1 < middle.size(); ++k) {
        middle[k].value = (one[k].value + other[k].value) / 2;
      }
      near.add_row(0, middle);
      (label(middle) == side ? one : other) = middle;
    }
  }
  return near;
}

// A bound of the errors of float values grows with the coefficients that a caller scales.
TEST_F(KeptPredictor, CoefficientsMayBeScaledInPlace) {
  for (const int kernel : {RBF, LINEAR}) {
    for (const int svm_type : {C_SVC, ONE_CLASS}) {
      for (const int classes : {2, 4}) {
        for (const double scale : {1e-3, 1e3, 1e6}) {
          SCOPED_TRACE(testing::Message() << "kernel " << kernel << ", type " << svm_type << ", "
                                          << classes << " classes, times " << scale);
          const OwnedModel model = train(svm_type, kernel, classes);
          const svm_model copy = *model;
          const Data near = rows_near_boundaries(copy, rows_);
          ASSERT_GT(near.size(), 100U);
          ask(*model, rows_);
          ASSERT_TRUE(is_packed(*model));
          const std::size_t arrays =
              is_classification(svm_type) ? static_cast<std::size_t>(model->nr_class) - 1 : 1;
          for (std::size_t n = 0; n < arrays; ++n) {
            for (int s = 0; s < model->l; ++s) model->sv_coef[n][s] *= scale;
          }
          for (std::size_t f = 0; f < value_count(*model); ++f) model->rho[f] *= scale;
          EXPECT_EQ(ask(*model, near).labels, ask_copy(*model, near).predictions);
        }
      }
    }
  }
}

TEST_F(KeptPredictor, TheVariableTurnsItOffOrLimitsIt) {
  data_ = random_data(1500, 120, true, 3);  // 1.4 MB of doubles
  rows_ = random_data(2, 120, true, 4);
  const OwnedModel trained = train(C_SVC, POLY);
  const auto is_packed_with = [&](const char* wish) {
    const Setting variable("LIBSVM_PACKED_MODELS", wish);
    const OwnedModel model(svm_compact_model(trained.get()));
    EXPECT_TRUE(ask(*model, rows_) == ask_copy(*model, rows_));
    return is_packed(*model);
  };
  for (const char* const wish : {"off", "0", "1"}) EXPECT_FALSE(is_packed_with(wish)) << wish;
  for (const char* const wish : {"2", "4000000000"}) EXPECT_TRUE(is_packed_with(wish)) << wish;
  const Warnings warnings;
  EXPECT_TRUE(is_packed_with(""));
  EXPECT_EQ(warnings.take(), "");
  for (const char* const wish : {"-1", "1x"}) {
    EXPECT_TRUE(is_packed_with(wish)) << wish;
    EXPECT_EQ(warnings.take(), "WARNING: environment variable LIBSVM_PACKED_MODELS: '" +
                                   std::string(wish) +
                                   "' is neither off nor a whole number of megabytes; it is "
                                   "ignored\n");
  }
}

TEST_F(KeptPredictor, TakesNoMoreThanTwiceTheSupportVectors) {
  for (const int kernel : {LINEAR, POLY, RBF}) {
    for (const int svm_type : {C_SVC, EPSILON_SVR}) {
      const OwnedModel model = train(svm_type, kernel, 3);
      ask(*model, rows_);
      const Predictor* const predictor = predictor_of(*model);
      ASSERT_NE(predictor, nullptr);
      EXPECT_GT(predictor->bytes(), 0U);
      EXPECT_LE(predictor->bytes(), 2 * support_vector_bytes(*model));
    }
  }
}

TEST_F(KeptPredictor, FreedContentIsForgotten) {
  OwnedModel model = train(C_SVC, RBF);
  ask(*model, rows_);
  EXPECT_TRUE(is_packed(*model));
  svm_free_model_content(model.get());
  EXPECT_FALSE(is_packed(*model));
  svm_free_model_content(model.get());
  svm_model* const rest = model.release();
  std::free(rest);  // as callers of LIBSVM do
}

TEST_F(KeptPredictor, ModelsOfTheCallerAreLeftAlone) {
  const OwnedModel model = train(C_SVC, RBF);
  const Answers wanted = ask(*model, rows_);
  for (const int filler : {0, 0xFF, 0x5A}) {
    const std::unique_ptr<void, void (*)(void*)> memory(std::malloc(sizeof(svm_model)), std::free);
    std::memset(memory.get(), filler, sizeof(svm_model));
    auto* const own = static_cast<svm_model*>(memory.get());
    own->param = model->param;
    own->nr_class = model->nr_class;
    own->l = model->l;
    own->SV = model->SV;
    own->sv_coef = model->sv_coef;
    own->rho = model->rho;
    own->probA = own->probB = own->prob_density_marks = nullptr;
    own->sv_indices = nullptr;
    own->label = model->label;
    own->nSV = model->nSV;
    own->free_sv = 0;
    EXPECT_TRUE(ask(*own, rows_) == wanted);
    EXPECT_FALSE(is_packed(*own));
  }
  // A copy of all bytes.
  const std::unique_ptr<void, void (*)(void*)> memory(std::malloc(sizeof(svm_model)), std::free);
  std::memcpy(memory.get(), model.get(), sizeof(svm_model));
  EXPECT_TRUE(ask(*static_cast<svm_model*>(memory.get()), rows_) == wanted);
}

// A caller may copy the struct and free() it; the next one may lie at the same address.
TEST_F(KeptPredictor, AnotherModelMayTakeThePlaceOfTheStruct) {
  for (const int calls : {0, 1, 2}) {
    const OwnedModel first = train(C_SVC, RBF);
    const OwnedModel second(svm_compact_model(first.get()));  // with other arrays
    for (int call = 0; call < calls; ++call) svm_predict(first.get(), rows_.row(0));
    svm_model kept = *first;
    svm_model own = *second;
    for (double** const coefficients : {own.sv_coef, kept.sv_coef}) {
      own.sv_coef = coefficients;  // its own, or shared ones
      *first = own;
      for (int time = 0; time < 3; ++time) {
        EXPECT_TRUE(ask(*first, rows_) == ask_copy(own, rows_));
        EXPECT_FALSE(is_packed(*first));
      }
    }
    svm_free_model_content(&kept);
    *first = svm_model{};
  }
}

TEST_F(KeptPredictor, StrangeRowsArePredictedAsBefore) {
  const double inf = std::numeric_limits<double>::infinity();
  Data strange;
  strange.add_row(0, {{3, 0.5}, {2, 0.25}, {9, 1}, {-1, 0}});
  strange.add_row(0, {{3, 0.5}, {3, 0.25}, {-1, 0}});
  strange.add_row(0, {{-7, 0.5}, {0, 1}, {3, 1}, {-1, 0}});
  strange.add_row(0, {{1, 0.5}, {2000000000, 1e-3}, {-1, 0}});
  strange.add_row(0, {{1, inf}, {-1, 0}});
  strange.add_row(0, {{-1, 0}});
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    for (const int classes : {2, 4}) {
      const OwnedModel model = train(C_SVC, kernel, classes);
      ask(*model, rows_);
      const std::string wanted = testing::PrintToString(ask_copy(*model, strange).values);
      const Answers got = ask(*model, strange);
      EXPECT_EQ(testing::PrintToString(got.values), wanted);  // NaN as well
      EXPECT_EQ(got.labels, got.predictions);
      EXPECT_EQ(got.labels, ask_copy(*model, strange).labels);
    }
  }
}

TEST_F(KeptPredictor, ThreadsMayCallAtOnce) {
  for (const int kernel : {LINEAR, RBF}) {
    for (int round = 0; round < 10; ++round) {
      const OwnedModel model = train(C_SVC, kernel, 3, true);
      const Answers wanted = ask_copy(*model, rows_);
      std::atomic<int> wrong{0};
      const auto check = [&] {
        std::array<std::thread, 4> threads;
        for (std::thread& thread : threads) {
          thread = std::thread([&] {
            for (int k = 0; k < 3; ++k) wrong += ask(*model, rows_) == wanted ? 0 : 1;
          });
        }
        for (std::thread& thread : threads) thread.join();
      };
      check();
      EXPECT_EQ(wrong, 0);
      // All threads find at once that the model has changed.
      model->param.degree += 1;
      check();
      EXPECT_EQ(wrong, 0);
      EXPECT_FALSE(is_packed(*model));
    }
  }
}

}  // namespace
}  // namespace svm::test
