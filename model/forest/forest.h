// Forests of cells: trees that cut the rows into leaves, and a machine for each leaf.  A row is
// predicted from the mean of its decision values in all trees.
#ifndef SVM_MODEL_FOREST_FOREST_H_
#define SVM_MODEL_FOREST_FOREST_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/feature_weights.h"
#include "model/model_file.h"
#include "model/model_memory.h"
#include "svm.h"

namespace svm {

// Rows whose value of a feature is above a threshold are on the left.
struct Split {
  int feature = 0;
  double threshold = 0;

  double value(const DataRow& row) const;
  bool is_left(const DataRow& row) const { return value(row) > threshold; }
};

// A node of a tree.  A tree has each node before its left half, and that before its right half.
struct ForestNode {
  std::size_t right = 0;  // so far behind this node is that of the right half; 0: a leaf
  Split split;
  // The machine of a leaf, perhaps of fewer classes than the forest's; null if it is not trained.
  // Its support vectors point to rows of the forest, and sv_indices has their numbers.
  ModelPtr machine;

  bool is_leaf() const { return right == 0; }
};
using Tree = std::vector<ForestNode>;

// Sets `right` of the splits, which need only be above 0 before.
void place_halves(Tree& tree);

// The place of the leaf that a row falls into.
std::size_t leaf_of(const Tree& tree, const DataRow& row);

struct Forest {
  // What the leaves have in common: types, kernel, classes, probability estimates.  Its support
  // vectors are those of all leaves, each once.  Their only coefficient is the number of the row
  // in the training data, from 1, by which they are sorted.  There are no thresholds.
  ModelPtr common;
  std::vector<Tree> trees;
  // Support vectors have weighted features, the splits of trees values without weights.
  FeatureWeights weights = {};
  std::vector<std::vector<svm_node>> rows = {};  // memory of `common`, unless it owns its rows

  Forest() = default;
  // Without trees.  `labels` has those of the classes, or is null for regressions, with nr_class 2.
  Forest(const svm_parameter& param, int nr_class, const int* labels);

  bool is_complete() const;  // every leaf is trained
  std::size_t leaves() const;
};

// True if a text is that of a forest, and not of a model.
bool is_forest_text(std::string_view text);

// As write_model() and parse_model(); docs/forest.md has the format.
void write_forest(const TextSink& out, const Forest& forest, const ModelDigits& digits);
Forest parse_forest(std::string_view text);

// Bytes of memory of a forest.
std::size_t forest_bytes(const Forest& forest);

// Makes the support vectors of a leaf's machine, whose numbers are in sv_indices, those of the
// forest.  Returns the number of one that the forest lacks, else 0.
int point_to_rows(const svm_model& common, svm_model& machine);

}  // namespace svm

#endif  // SVM_MODEL_FOREST_FOREST_H_
