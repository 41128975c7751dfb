// Models with random damage are read or refused, with the same result by all ways of reading.
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model_texts.h"

namespace svm {
namespace {

using test::OwnedModel;
using test::parsed;
using test::refusal;
using test::valid_models;
using test::written;

// Checks properties that every model has after reading, however damaged its text was.
void expect_sound(const svm_model& model) {
  const std::string text = written(model);
  const OwnedModel again = parsed(text);
  ASSERT_NE(again, nullptr) << refusal();
  EXPECT_EQ(written(*again), text);
  int vectors = 0;
  for (int k = 0; k < model.nr_class && model.nSV != nullptr; ++k) {
    EXPECT_GE(model.nSV[k], 0);
    vectors += model.nSV[k];
  }
  if (model.nSV != nullptr) {
    EXPECT_EQ(vectors, model.l);
  }
  for (int s = 0; s < model.l; ++s) {
    for (int k = 0; k + 1 < model.nr_class; ++k) EXPECT_TRUE(std::isfinite(model.sv_coef[k][s]));
    for (const svm_node* node = model.SV[s]; node->index != -1; ++node) {
      EXPECT_TRUE(std::isfinite(node->value));
      EXPECT_TRUE(node[1].index == -1 || node[1].index > node->index);
    }
  }
}

// Every refusal gives a reason and a position.
void expect_reason() {
  const std::string what = refusal();
  EXPECT_TRUE(what == "the file is empty" || what.rfind("line ", 0) == 0) << what;
}

class Damage {
 public:
  // Changes one digit, which most models survive.
  void change_digit(std::string& text) {
    const std::size_t at = text.find_first_of("0123456789", below(text.size()));
    if (at != std::string::npos) text[at] = static_cast<char>('0' + below(10));
  }
  void change_anything(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.insert(at, pieces_[below(pieces_.size())]);
        break;
      case 2:
        text.erase(at, below(12));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      default:
        text.insert(at, text.substr(below(text.size() + 1), below(20)));
        break;
    }
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_()) % limit; }

 private:
  std::mt19937 random_{4711};
  const std::vector<std::string> pieces_ = {
      "-1",    "2147483647", "99999999999", "nan",        "inf",
      "1e999", "0",          ":",           "\n",         " ",
      "SV\n",  "rho ",       "1:1",         "nr_class 9", "total_sv 9",
      "\r",    "x",          "0x1p-3",      "label ",     std::string(1, '\0')};
};

// Damaged models are refused or read as they are; sanitizers check memory.
TEST(DamagedModel, IsRefusedOrSound) {
  Damage damage;
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = valid_models()[damage.below(valid_models().size())];
    for (std::size_t change = damage.below(3) + 1; change > 0; --change) {
      if (i % 2 == 0) {
        damage.change_digit(text);
      } else {
        damage.change_anything(text);
      }
    }
    SCOPED_TRACE(text);
    if (const OwnedModel model = parsed(text)) {
      expect_sound(*model);
      ++read;
    } else {
      expect_reason();
      ++refused;
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 1000);
}

// The result of reading: the model written again, or the error.
std::string outcome(const std::string& text) {
  const OwnedModel model = parsed(text);
  return model != nullptr ? written(*model) : refusal();
}

// Lines with enough text behind them are read by the scanner, the last ones by the parser.
TEST(DamagedModel, BothWaysOfReadingLinesAgree) {
  const std::string alphabet("0123456789:: \t\r\v.-+eExXnainf\0", 29);
  const std::string behind(100, '#');
  std::mt19937 random(12);
  for (const std::string& model : valid_models()) {
    const std::size_t vectors = model.find("\nSV\n") + 4;
    EXPECT_EQ(outcome(model + behind), model);
    for (int i = 0; i < 3000 && vectors < model.size(); ++i) {
      std::string text = model;
      for (auto change = 1 + random() % 2; change > 0; --change) {
        char& c = text[vectors + random() % (text.size() - vectors)];
        if (c != '\n') c = alphabet[random() % alphabet.size()];
      }
      ASSERT_EQ(outcome(text + behind), outcome(text)) << text;
    }
  }
}

// A model without its last lines is refused; without the end of its last line, it may be another
// valid model.
TEST(DamagedModel, APrefixIsNoModel) {
  for (const std::string& text : valid_models()) {
    const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
    for (std::size_t length = 0; length < text.size(); ++length) {
      SCOPED_TRACE(text.substr(0, length));
      if (const OwnedModel model = parsed(text.substr(0, length))) {
        expect_sound(*model);
        EXPECT_GT(length, last_line) << "this is a model";
      } else {
        expect_reason();
      }
    }
  }
}

}  // namespace
}  // namespace svm
