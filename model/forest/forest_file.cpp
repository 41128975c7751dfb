#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "base/io/text_cursor.h"
#include "model/forest/forest.h"

namespace svm {
namespace {

constexpr std::string_view kFirstWord = "svm_forest";
constexpr int kVersion = 1, kVersionWithWeights = 2;

class ForestReader {
 public:
  explicit ForestReader(std::string_view text) : text_(text) {}

  Forest read() {
    const std::string_view first = text_.word();
    if (first != kFirstWord) text_.fail(first, "a forest begins with svm_forest");
    const int version = text_.integer(kFirstWord);
    if (version != kVersion && version != kVersionWithWeights) {
      text_.fail_here("a forest of this version is unknown; it is from a later csmo");
    }
    forest_.common = read_model(text_, true);
    check_common();
    if (version == kVersionWithWeights) read_weights();
    const std::string_view word = text_.word();
    if (word != "trees") text_.fail(word, "expected the number of trees");
    const int trees = text_.integer(word);
    if (trees < 1) text_.fail_here("a forest has at least one tree");
    for (int t = 0; t < trees; ++t) read_tree();
    return std::move(forest_);
  }

 private:
  void check_common() const {
    const svm_model& common = *forest_.common;
    if (common.param.kernel_type == PRECOMPUTED) {
      text_.fail_here("a forest has no precomputed kernel");
    }
    double last = 0;
    for (int i = 0; i < common.l; ++i) {
      const double number = common.sv_coef[0][i];
      if (!(number > last && number <= std::numeric_limits<int>::max()) ||
          number != std::floor(number)) {
        text_.fail_here("row " + std::to_string(i + 1) +
                        " does not begin with its number, which must ascend from 1");
      }
      last = number;
    }
  }

  double read_weight() {
    const double weight = text_.real("the weight of a feature", true);
    if (weight < 0) text_.fail_here("a weight is negative");
    return weight;
  }

  void read_weights() {
    const std::string_view word = text_.word();
    if (word != "weights") text_.fail(word, "expected the weights of features");
    const int count = text_.integer(word);
    const double others = read_weight();
    std::vector<int> indices;
    std::vector<double> weights;
    for (int k = 0; k < count; ++k) {
      const int index = text_.integer("the index of a weight");
      if (!indices.empty() && index <= indices.back()) {
        text_.fail_here("the indices of weights must ascend");
      }
      indices.push_back(index);
      weights.push_back(read_weight());
    }
    forest_.weights = {std::move(indices), std::move(weights), others};
  }

  void read_tree() {
    Tree& tree = forest_.trees.emplace_back();
    for (std::size_t wanted = 1; wanted > 0; --wanted) {  // nodes
      ForestNode& node = tree.emplace_back();
      const std::string_view word = text_.word();
      if (word == "split") {
        wanted += 2;
        node.right = 1;  // set below
        node.split.feature = text_.integer("the feature of a split");
        if (node.split.feature < 0) text_.fail_here("the feature of a split is negative");
        node.split.threshold = text_.real("the threshold of a split", true);
      } else if (word == "leaf") {
        node.machine = read_leaf(word);
      } else if (word != "untrained") {
        text_.fail(word, "expected split, leaf or untrained");
      }
    }
    place_halves(tree);
  }

  ModelPtr read_leaf(std::string_view word) {
    ModelPtr leaf = read_model(text_);
    const svm_model& common = *forest_.common;
    if (leaf->param.svm_type != common.param.svm_type ||
        leaf->param.kernel_type != common.param.kernel_type ||
        (leaf->label != nullptr) != (common.label != nullptr)) {
      text_.fail(word, "the model of this leaf is not of the forest's type");
    }
    for (int c = 0; leaf->label != nullptr && c < leaf->nr_class; ++c) {
      const int *const labels = leaf->label, *const of_forest = common.label;
      const int* const last = of_forest + common.nr_class;
      if (std::find(of_forest, last, labels[c]) == last ||
          std::find(labels, labels + c, labels[c]) != labels + c) {
        text_.fail(word, "this leaf has a class twice, or one that the forest lacks");
      }
    }
    leaf->sv_indices = malloc_array<int>(count_or_zero(leaf->l));
    for (int s = 0; s < leaf->l; ++s) {
      const svm_node* const node = leaf->SV[s];
      const bool is_number = node->index == 0 && node[1].index == -1 && node->value >= 1 &&
                             node->value <= std::numeric_limits<int>::max();
      if (!is_number) text_.fail(word, "a support vector of this leaf is not 0:number of a row");
      leaf->sv_indices[s] = static_cast<int>(node->value);
    }
    if (const int missing = point_to_rows(common, *leaf)) {
      text_.fail(word, "a support vector of this leaf is row " + std::to_string(missing) +
                           ", which the forest lacks");
    }
    return leaf;
  }

  TextCursor text_;
  Forest forest_;
};

// The leaf's model with the numbers of rows in place of the rows.
void write_leaf(const TextSink& out, const svm_model& machine) {
  std::vector<svm_node> numbers;
  std::vector<svm_node*> rows;
  numbers.reserve(2 * count_or_zero(machine.l));
  for (int s = 0; s < machine.l; ++s) {
    numbers.push_back({0, static_cast<double>(machine.sv_indices[s])});
    numbers.push_back({-1, 0});
    rows.push_back(&numbers[numbers.size() - 2]);
  }
  svm_model leaf = machine;
  leaf.SV = rows.data();
  ModelDigits digits;
  digits.features = digits.numbers;
  write_model(out, leaf, digits);
}

}  // namespace

bool is_forest_text(std::string_view text) {
  return text.substr(0, kFirstWord.size()) == kFirstWord;
}

void write_forest(const TextSink& out, const Forest& forest, const ModelDigits& digits) {
  const FeatureWeights& weights = forest.weights;
  const int version = weights.empty() ? kVersion : kVersionWithWeights;
  out(std::string(kFirstWord) + " " + std::to_string(version) + "\n");
  write_model(out, *forest.common, digits);
  if (!weights.empty()) {
    std::string text = "weights " + std::to_string(weights.indices().size()) + " ";
    append_real(text, weights.others(), digits.numbers);
    for (std::size_t k = 0; k < weights.indices().size(); ++k) {
      text += "\n" + std::to_string(weights.indices()[k]) + " ";
      append_real(text, weights.weights()[k], digits.numbers);
    }
    out(text + "\n");
  }
  out("trees " + std::to_string(forest.trees.size()) + "\n");
  for (const Tree& tree : forest.trees) {
    for (const ForestNode& node : tree) {
      if (node.is_leaf()) {
        out(node.machine ? "leaf\n" : "untrained\n");
        if (node.machine) write_leaf(out, *node.machine);
        continue;
      }
      std::string line = "split " + std::to_string(node.split.feature) + " ";
      append_real(line, node.split.threshold, digits.numbers);
      out(line + "\n");
    }
  }
}

Forest parse_forest(std::string_view text) {
  check_model_text(text);
  try {
    return ForestReader(text).read();
  } catch (const InputError& error) {
    throw ModelError(error.legacy(), error.what());
  }
}

}  // namespace svm
