// Models with random damage: read or refused, and in the same way however they are read.
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/model_file.h"
#include "tests/model_texts.h"

namespace svm {
namespace {

using test::valid_models;
using test::written;

// Damaged models must be refused or read, never crash; sanitizers watch.
TEST(DamagedModel, SurvivesDamage) {
  std::mt19937 random(4711);
  const std::vector<std::string> pieces = {
      "-1",    "2147483647", "99999999999", "nan",        "inf",
      "1e999", "0",          ":",           "\n",         " ",
      "SV\n",  "rho ",       "1:1",         "nr_class 9", "total_sv 9",
      "\r",    "x",          "0x1p-3",      "label ",     std::string(1, '\0')};
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = valid_models()[below(valid_models().size())];
    for (std::size_t change = below(3) + 1; change > 0; --change) {
      const std::size_t at = below(text.size() + 1);
      switch (below(5)) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text.insert(at, pieces[below(pieces.size())]);
          break;
        case 2:
          text.erase(at, below(12));
          break;
        case 3:
          if (at < text.size()) text[at] = static_cast<char>(random());
          break;
        default:
          text.insert(at, text.substr(below(text.size() + 1), below(20)));
          break;
      }
    }
    try {
      const ModelPtr model = parse_model(text);
      // What was read can be written and read again.
      const std::string once = written(*model);
      EXPECT_EQ(written(*parse_model(once)), once);
      ++read;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()), "");
      ++refused;
    }
  }
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 100);
}

// What parse_model() makes of a text: the model written again, or the error.
std::string outcome(const std::string& text) {
  try {
    return written(*parse_model(text));
  } catch (const ModelError& error) {
    return error.what();
  }
}

// Lines with enough text behind them are read the quick way, those at the end the careful way.
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

TEST(DamagedModel, EveryPrefixIsReadOrRefused) {
  for (const std::string& text : valid_models()) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      try {
        parse_model(std::string(text, 0, length));
      } catch (const ModelError&) {
        continue;
      }
    }
  }
}

}  // namespace
}  // namespace svm
