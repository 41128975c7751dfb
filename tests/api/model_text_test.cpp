// Models as text in memory and in files, with a given number of digits.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/model_texts.h"
#include "tests/temp_dir.h"
#include "tests/text.h"
#include "tests/train_solver_cli.h"

namespace svm {
namespace {

using test::OwnedModel;

// A text that ends with its memory, so that sanitizers find reads behind it.
struct Exact {
  explicit Exact(const std::string& text) : bytes(new char[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), size);
  }
  OwnedModel load() const { return OwnedModel(svm_parse_model(bytes.get(), size)); }
  std::unique_ptr<char[]> bytes;
  std::size_t size;
};

std::string saved(const svm_model& model, int digits = 0) {
  std::size_t size = 7;
  char* const text = svm_model_text(&model, digits, &size);
  if (text == nullptr) {
    EXPECT_EQ(size, 7U);
    return "none";
  }
  EXPECT_EQ(std::strlen(text), size);
  std::string copy(text, size);
  svm_free_text(text);
  return copy;
}

class ModelInMemory : public test::Extension {
 protected:
  // The error of a file with this text, without the file name, and that of the text in memory.
  std::pair<std::string, std::string> errors(const std::string& text) {
    const std::string file = folder_.write("model", text);
    const OwnedModel from_file(svm_load_model(file.c_str()));
    std::string of_file = from_file ? "none" : svm_last_error();
    const OwnedModel from_memory = Exact(text).load();
    std::string of_memory = from_memory ? "none" : svm_last_error();
    const std::string first = "svm_load_model: " + file + ": ";
    const std::string second = "svm_parse_model: ";
    if (of_file.rfind(first, 0) == 0) of_file.erase(0, first.size());
    if (of_memory.rfind(second, 0) == 0) of_memory.erase(0, second.size());
    if (from_file && from_memory) {
      EXPECT_EQ(saved(*from_file), saved(*from_memory));
    }
    return {of_file, of_memory};
  }

  const test::TempDir folder_;
};

TEST_F(ModelInMemory, IsThatOfTheFile) {
  for (const std::string& text : test::valid_models()) {
    const OwnedModel model = Exact(text).load();
    ASSERT_NE(model, nullptr) << svm_last_error();
    EXPECT_EQ(saved(*model), text);
    EXPECT_EQ(model->free_sv, 1);
    const std::string file = folder_.file("saved");
    EXPECT_EQ(svm_save_model(file.c_str(), model.get()), 0);
    EXPECT_EQ(folder_.read("saved"), text);
    EXPECT_EQ(errors(text).first, "none");
  }
}

TEST_F(ModelInMemory, NeedsNoSize) {
  const OwnedModel model = train();
  char* const text = svm_model_text(model.get(), 0, nullptr);
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text, saved(*model));
  svm_free_text(text);
  svm_free_text(nullptr);
}

// The text is longer than the pieces in which it is written.
TEST_F(ModelInMemory, MayBeLong) {
  data_ = test::random_data(1500, 12, true, 3);
  problem_ = data_.problem();
  const OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  const std::string text = saved(*model);
  EXPECT_GT(text.size(), 200000U);
  EXPECT_EQ(saved(*Exact(text).load()), text);
}

TEST_F(ModelInMemory, EveryTruncationIsRefusedAsThatOfAFile) {
  for (const std::string& text : test::valid_models()) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      const auto [of_file, of_memory] = errors(text.substr(0, size));
      EXPECT_EQ(of_memory, of_file) << size;
    }
  }
  EXPECT_EQ(errors("").second, "the file is empty");
  EXPECT_EQ(svm_parse_model(nullptr, 0), nullptr);
}

TEST_F(ModelInMemory, NullsAndOddBytesAreRefusedAsThoseOfAFile) {
  const std::string text = test::valid_models().front();
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char odd : {'\0', ':'}) {
      std::string changed = text;
      changed[at] = odd;
      const auto [of_file, of_memory] = errors(changed);
      EXPECT_EQ(of_memory, of_file) << at;
      if (odd == '\0') {
        EXPECT_NE(of_memory, "none") << at;
      }
    }
  }
}

TEST_F(ModelInMemory, WithoutAKnownTypeIsNotSaved) {
  const OwnedModel model = train();
  model->param.svm_type = 7;
  EXPECT_EQ(saved(*model), "none");
  EXPECT_STREQ(svm_last_error(), "svm_model_text: svm_type is out of range");
  EXPECT_EQ(svm_save_model(folder_.file("model").c_str(), model.get()), -1);
  EXPECT_FALSE(folder_.exists("model"));
}

// --- digits ---

std::string printed(double value, int count) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

TEST_F(ModelInMemory, DigitsAreThoseOfPrintf) {
  const OwnedModel model = train();
  const double feature = model->SV[0][0].value, coefficient = model->sv_coef[0][0];
  for (int count = 0; count <= 17; ++count) {
    const std::string text = saved(*model, count);
    EXPECT_TRUE(test::contains(text, "\nrho " + printed(model->rho[0], 17) + "\n"));
    EXPECT_TRUE(test::contains(text, "\nSV\n" + printed(coefficient, 17) +
                                         " 1:" + printed(feature, count == 0 ? 8 : count) + " 2:"));
    const std::string file = folder_.file("model");
    EXPECT_EQ(svm_write_model(file.c_str(), model.get(), count), 0);
    EXPECT_EQ(folder_.read("model"), text);
    EXPECT_NE(Exact(text).load(), nullptr);
  }
  EXPECT_EQ(svm_save_model(folder_.file("model").c_str(), model.get()), 0);
  EXPECT_EQ(folder_.read("model"), saved(*model));
}

TEST_F(ModelInMemory, OtherDigitsAreRefused) {
  const OwnedModel model = train();
  const std::string file = folder_.file("model");
  for (const int wrong : {-1, 18, 1000000}) {
    EXPECT_EQ(saved(*model, wrong), "none");
    EXPECT_STREQ(svm_last_error(), "svm_model_text: digits must be from 1 to 17, or 0");
    EXPECT_EQ(svm_write_model(file.c_str(), model.get(), wrong), -1);
    EXPECT_STREQ(svm_last_error(), "svm_write_model: digits must be from 1 to 17, or 0");
    EXPECT_FALSE(folder_.exists("model"));
  }
}

// The trained and the loaded model predict the same bits; the features need 17 digits.
TEST_F(ModelInMemory, WithAllDigitsPredictsTheSameBits) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      const bool classes = test::is_classification(type);
      data_ = classes ? test::four_classes(120, 5) : test::random_data(120, 3, false, 5);
      problem_ = data_.problem();
      param_ = test::parameters(type, kernel);
      param_.nu = 0.2;
      param_.probability = 1;
      param_.coef0 = 1.0 / 3;
      const OwnedModel trained = train();
      ASSERT_NE(trained, nullptr) << svm_last_error();
      const OwnedModel loaded = Exact(saved(*trained, 17)).load();
      ASSERT_NE(loaded, nullptr) << svm_last_error();
      std::vector<double> values(test::value_count(*trained)), same(values.size());
      std::vector<double> p(4), q(4);
      for (std::size_t t = 0; t < data_.size(); ++t) {
        EXPECT_EQ(svm_predict_values(trained.get(), data_.row(t), values.data()),
                  svm_predict_values(loaded.get(), data_.row(t), same.data()));
        ASSERT_EQ(std::memcmp(values.data(), same.data(), values.size() * sizeof(double)), 0)
            << type << ' ' << kernel << ' ' << t;
        svm_predict_probability(trained.get(), data_.row(t), p.data());
        svm_predict_probability(loaded.get(), data_.row(t), q.data());
        ASSERT_EQ(std::memcmp(p.data(), q.data(), p.size() * sizeof(double)), 0);
      }
    }
  }
}

// --- svm-train --digits ---

class DigitsCli : public test::TrainSolverCli {};

TEST_F(DigitsCli, ChangesTheFeaturesOnly) {
  const std::string plain = model_of({});
  EXPECT_EQ(model_of({"--digits", "8"}), plain);
  const std::string exact = model_of({"--digits", "17"}), brief = model_of({"--digits=2"});
  const auto head = [](const std::string& text) { return text.substr(0, text.find(':')); };
  EXPECT_EQ(head(exact), head(plain));
  EXPECT_EQ(head(brief), head(plain));
  EXPECT_GT(exact.size(), plain.size());
  EXPECT_LT(brief.size(), plain.size());
}

TEST_F(DigitsCli, OutOfRangeIsRefused) {
  for (const char* wrong : {"0", "18", "-3"}) {
    const test::ProcessResult result = train({"--digits", wrong, "data", "model"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(test::first_line(result.err), std::string("svm-train: option --digits: '") + wrong +
                                                "' is out of range; allowed is 1 to 17");
  }
  EXPECT_EQ(train({"--digits", "x", "data", "model"}).status, 1);
  EXPECT_FALSE(folder_.exists("model"));
}

}  // namespace
}  // namespace svm
