// Files of forests: what is written is read, and what is damaged is refused with the place.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/forest/forest.h"
#include "tests/forests.h"
#include "tests/model_texts.h"
#include "tests/text.h"

namespace svm {
namespace {

using test::Data;
using test::replaced;
using test::text_of;

// Two classes, a split and a leaf that has one class only.
const std::string kSmall =
    "svm_forest 1\n"
    "svm_type c_svc\n"
    "kernel_type rbf\n"
    "gamma 0.5\n"
    "nr_class 2\n"
    "total_sv 3\n"
    "label 1 -1\n"
    "SV\n"
    "2 1:0.5 3:1 \n"
    "5 2:-1 \n"
    "9 \n"
    "trees 2\n"
    "split 3 0.25\n"
    "leaf\n"
    "svm_type c_svc\n"
    "kernel_type rbf\n"
    "gamma 0.5\n"
    "nr_class 2\n"
    "total_sv 2\n"
    "rho 0.125\n"
    "label 1 -1\n"
    "nr_sv 1 1\n"
    "SV\n"
    "1 0:2 \n"
    "-1 0:9 \n"
    "leaf\n"
    "svm_type c_svc\n"
    "kernel_type rbf\n"
    "gamma 0.5\n"
    "nr_class 1\n"
    "total_sv 0\n"
    "rho\n"
    "label -1\n"
    "nr_sv 0\n"
    "SV\n"
    "untrained\n";

// A regression of one leaf.
const std::string kRegression =
    "svm_forest 1\n"
    "svm_type epsilon_svr\n"
    "kernel_type linear\n"
    "nr_class 2\n"
    "total_sv 1\n"
    "probA 0.5\n"
    "SV\n"
    "4 1:1 \n"
    "trees 1\n"
    "leaf\n"
    "svm_type epsilon_svr\n"
    "kernel_type linear\n"
    "nr_class 2\n"
    "total_sv 1\n"
    "rho 2\n"
    "SV\n"
    "0.75 0:4 \n";

std::string written(const Forest& forest) {
  std::string text;
  write_forest([&](std::string_view piece) { text += piece; }, forest, ModelDigits());
  return text;
}

// The forest written again, or why it is refused.
std::string outcome(const std::string& text) {
  try {
    return written(parse_forest(text));
  } catch (const ModelError& error) {
    return error.what();
  }
}

bool is_refusal(const std::string& outcome) {
  return outcome.rfind("line ", 0) == 0 || outcome == "the file is empty";
}

// A text is refused, or read to a forest whose text is read to the same forest.
void expect_sound(const std::string& text) {
  const std::string found = outcome(text);
  if (is_refusal(found)) return;
  EXPECT_EQ(outcome(found), found) << text;
  const Forest forest = parse_forest(text);
  for (const Tree& tree : forest.trees) {
    for (const ForestNode& node : tree) {
      ASSERT_LE(&node + node.right, &tree.back());
      for (int s = 0; node.machine && s < node.machine->l; ++s) {
        EXPECT_TRUE(std::find(forest.common->SV, forest.common->SV + forest.common->l,
                              node.machine->SV[s]) != forest.common->SV + forest.common->l);
      }
    }
  }
}

class ForestFile : public test::ForestTest {};

TEST_F(ForestFile, OfATrainingIsReadAsItWas) {
  Data four = test::four_classes(300, 1), targets = test::random_data(300, 3, false, 1);
  Data two = test::random_data(300, 3, true, 1);
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    for (const int probability : {0, 1}) {
      param_ = test::parameters(C_SVC, kernel);
      param_.probability = probability;
      for (Data* const data : {&four, &two, &targets}) {
        if (data == &targets) param_.svm_type = EPSILON_SVR;
        const Forest forest = train(*data);
        const std::string text = text_of(forest);
        const Forest again = parse_forest(text);
        EXPECT_EQ(text_of(again), text);
        EXPECT_EQ(predictions(again, *data), predictions(forest, *data));
        EXPECT_EQ(outcome(written(forest)), written(forest));  // with less digits
      }
    }
  }
}

TEST_F(ForestFile, MayHaveNoSupportVector) {
  Data data;
  for (int t = 0; t < 100; ++t) data.add(7, {t * 1.0});
  const std::string text = text_of(train(data));
  EXPECT_EQ(outcome(text), text);
  EXPECT_EQ(test::accuracy(parse_forest(text), data), 1);
}

// Of an extracted leaf, 0:number becomes the row that begins with the number.
TEST_F(ForestFile, LeavesAreModels) {
  Data data = test::four_classes(400, 1);
  const Forest forest = train(data);
  const std::vector<std::string> lines = test::lines_of(text_of(forest));
  const auto common = std::find(lines.begin(), lines.end(), "SV");
  std::vector<std::string> rows(data.size() + 1);
  for (auto line = common + 1; line->rfind("trees ", 0) != 0; ++line) {
    const std::size_t end = line->find(' ');
    rows[std::stoul(line->substr(0, end))] = line->substr(end + 1);
  }
  std::size_t leaves = 0;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n] != "leaf") continue;
    ++leaves;
    std::string text;
    for (std::size_t m = n + 1; m < lines.size() && lines[m] != "leaf" && lines[m][1] != 'p'; ++m) {
      const std::size_t at = lines[m].find("0:");
      const bool is_vector = at != std::string::npos && lines[m][at + 1] == ':';
      text +=
          is_vector ? lines[m].substr(0, at) + rows[std::stoul(lines[m].substr(at + 2))] : lines[m];
      text += "\n";
    }
    const ModelPtr model = parse_model(text);
    EXPECT_GT(model->nr_class, 0);
    for (int s = 0; s < model->l; ++s) EXPECT_EQ(model->SV[s]->index, 1);
  }
  EXPECT_EQ(leaves, forest.leaves());
}

TEST_F(ForestFile, SmallOnesAreValid) {
  EXPECT_EQ(outcome(kSmall), kSmall);
  EXPECT_EQ(outcome(kRegression), kRegression);
  EXPECT_EQ(outcome(kRegression + "more"), kRegression);  // as with models
  const std::string large =
      replaced(replaced(kSmall, "\n9 ", "\n2147483647 "), "0:9", "0:2147483647");
  EXPECT_EQ(outcome(large), large);  // with all digits
  EXPECT_TRUE(is_forest_text(kSmall));
  EXPECT_FALSE(is_forest_text("svm_type c_svc\n"));
  EXPECT_FALSE(parse_forest(kSmall).is_complete());
  EXPECT_EQ(parse_forest(kSmall).leaves(), 3U);
}

TEST_F(ForestFile, TellsWhatIsWrong) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    return outcome(replaced(kSmall, from, to));
  };
  EXPECT_EQ(outcome(""), "the file is empty");
  EXPECT_EQ(outcome("svm_type c_svc\n"),
            "line 1, column 1: 'svm_type': a forest begins with svm_forest");
  struct Fault {
    std::string from, to, what;
  };
  for (const auto& [from, to, what] : std::vector<Fault>{
           {"forest 1", "forest 3", "a forest of this version is unknown; it is from a later csmo"},
           {"5 2:-1", "2 2:-1", "row 2 does not begin with its number, which must ascend from 1"},
           {"5 2:-1", "10 2:-1", "row 3 does not begin with its number, which must ascend from 1"},
           {"2 1:0.5", "0 1:0.5", "row 1 does not begin with its number, which must ascend from 1"},
           {"2 1:0.5", "1.5 1:0.5",
            "row 1 does not begin with its number, which must ascend from 1"},
           {"9 \ntrees", "2147483648 \ntrees",
            "row 3 does not begin with its number, which must ascend from 1"},
           {"trees 2", "tree 2", "expected the number of trees"},
           {"trees 2", "trees 0", "a forest has at least one tree"},
           {"trees 2", "trees 3", "expected split, leaf or untrained"},
           {"split 3", "split -1", "the feature of a split is negative"},
           {"split 3", "split 3.5", "the feature of a split"},
           {"3 0.25", "3 nan", "the threshold of a split"},
           {"leaf\n", "blatt\n", "expected split, leaf or untrained"},
           {"gamma 0.5\nnr_class 1", "gamma 0.5\nnr_class -1", "nr_class"},
           {"label -1\n", "label 7\n", "this leaf has a class twice, or one that the forest lacks"},
           {"rho 0.125\nlabel 1 -1", "rho 0.125\nlabel 1 1",
            "this leaf has a class twice, or one that the forest lacks"},
           {"0:9", "0:8", "a support vector of this leaf is row 8, which the forest lacks"},
           {"0:9", "1:9", "a support vector of this leaf is not 0:number of a row"},
           {"0:9", "0:9 1:1", "a support vector of this leaf is not 0:number of a row"},
           {"0:9", "0:0", "a support vector of this leaf is not 0:number of a row"},
           {"0:9", "0:1e99", "a support vector of this leaf is not 0:number of a row"},
           {"1 0:2", "1 ", "a support vector of this leaf is not 0:number of a row"}}) {
    const std::string found = refusal(from, to);
    EXPECT_EQ(found.rfind("line ", 0), 0U) << found;
    EXPECT_TRUE(test::contains(found, what)) << found;
  }
  EXPECT_TRUE(test::contains(outcome("svm_forest 1\nsvm_type c_svc\nkernel_type precomputed\n"
                                     "nr_class 1\ntotal_sv 0\nlabel 4\nSV\ntrees 1\n"),
                             "a forest has no precomputed kernel"));
  EXPECT_TRUE(test::contains(refusal("label 1 -1\nSV", "label -1 -1\nSV"), "the forest lacks"));
  const std::string leaf = kSmall.substr(kSmall.find("leaf\n"));
  for (const std::string type : {"epsilon_svr", "nu_svc", "one_class"}) {
    const std::string other = replaced(leaf, "svm_type c_svc", "svm_type " + type);
    EXPECT_TRUE(is_refusal(outcome(replaced(kSmall, leaf, other)))) << type;
  }
  EXPECT_TRUE(test::contains(
      outcome(replaced(kSmall, leaf, replaced(leaf, "kernel_type rbf", "kernel_type linear"))),
      "the model of this leaf is not of the forest's type"));
  EXPECT_TRUE(test::contains(
      outcome(replaced(kRegression, "1\nleaf\nsvm_type epsilon_svr", "1\nleaf\nsvm_type nu_svr")),
      "the model of this leaf is not of the forest's type"));
}

// A forest without its last words is refused; within the last word it may be another one.
TEST_F(ForestFile, APrefixIsNoForest) {
  for (const std::string& text : {kSmall, kRegression}) {
    const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
    for (std::size_t length = 0; length < text.size(); ++length) {
      SCOPED_TRACE(text.substr(0, length));
      expect_sound(text.substr(0, length));
      EXPECT_TRUE(length > last_line || is_refusal(outcome(text.substr(0, length))));
    }
  }
}

TEST_F(ForestFile, EachWordMayBeDamaged) {
  int refused = 0, words = 0;
  for (const std::string& text : {kSmall, kRegression}) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = text.find_first_not_of(" \n", at);
      if (begin == std::string::npos) break;
      at = text.find_first_of(" \n", begin);
      for (const std::string word :
           {"", "x", "0", "-1", "3", "1e999", "nan", "2147483647", "99999999999", "0:2", "0:5",
            "split 1 0", "leaf", "untrained", "SV", "label", "trees", "\x01"}) {
        const std::string damaged = text.substr(0, begin) + word + text.substr(at);
        SCOPED_TRACE(damaged);
        expect_sound(damaged);
        refused += is_refusal(outcome(damaged)) ? 1 : 0;
        ++words;
      }
    }
  }
  EXPECT_GT(refused, words / 2);
  EXPECT_LT(refused, words);
}

// Neither splits within splits nor huge counts take memory that the file does not have.
TEST_F(ForestFile, DeepTreesAreRead) {
  const std::size_t depth = 1000000;
  const std::string leaf =
      kSmall.substr(kSmall.find("leaf\n"), kSmall.rfind("leaf\n") - kSmall.find("leaf\n"));
  const std::string head = replaced(kSmall.substr(0, kSmall.find("split")), "trees 2", "trees 1");
  std::string left = head, right = head;
  for (std::size_t n = 0; n < depth; ++n) {
    left += "split 1 0\n";
    right += "split 1 0\nuntrained\n";
  }
  EXPECT_TRUE(is_refusal(outcome(left)));
  left += leaf;
  right += leaf;
  for (std::size_t n = 0; n < depth; ++n) left += "untrained\n";
  const test::Row below = {{-1, 0}}, above = {{1, 1}, {-1, 0}};
  for (const bool is_left : {true, false}) {
    const std::string& text = is_left ? left : right;
    const Forest forest = parse_forest(text);
    const Tree& tree = forest.trees[0];
    ASSERT_EQ(tree.size(), 2 * depth + 1);
    EXPECT_EQ(leaf_of(tree, below.data()), 2 * depth);
    EXPECT_EQ(leaf_of(tree, above.data()), is_left ? depth : 1);
    EXPECT_TRUE(written(forest) == text);
  }
}

TEST_F(ForestFile, HugeCountsAreRefused) {
  const std::string most = "2147483647";
  for (const std::string key : {"nr_class 2", "total_sv 3", "trees 2", "nr_sv 1 1"}) {
    EXPECT_TRUE(is_refusal(outcome(replaced(kSmall, key, key.substr(0, key.find(' ') + 1) + most))))
        << key;
  }
  EXPECT_TRUE(is_refusal(outcome(replaced(kSmall, "total_sv 2", "total_sv " + most))));
  EXPECT_TRUE(is_refusal(outcome(replaced(kSmall, "nr_class 1", "nr_class " + most))));
}

}  // namespace
}  // namespace svm
