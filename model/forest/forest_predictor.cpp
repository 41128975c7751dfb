#include "model/forest/forest_predictor.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace svm {
namespace {

// Rows of a leaf that a thread predicts at a time.
constexpr std::size_t kRowsOfPiece = 8 * Predictor::kRows;
// Decision values that are kept at a time.
constexpr std::size_t kMostValues = std::size_t{1} << 23;

struct Piece {
  std::size_t leaf, begin, end;
};

}  // namespace

ForestPredictor::ForestPredictor(const Forest& forest, const Messages& messages, bool keeps_forms)
    : forest_(forest), decisions_(*forest.common, messages), messages_(messages) {
  constexpr std::size_t kTimes = 4;
  if (!forest.is_complete()) {
    throw std::invalid_argument("the forest has leaves that are not trained");
  }
  const int* const labels = forest.common->label;
  const int* const end = labels == nullptr ? labels : labels + decisions_.model().classes;
  for (const Tree& tree : forest.trees) {
    std::vector<Leaf>& leaves = leaves_.emplace_back(tree.size());
    for (std::size_t n = 0; n < tree.size(); ++n) {
      if (!tree[n].is_leaf()) continue;
      Leaf& leaf = leaves[n];
      leaf.model = ModelView(*tree[n].machine);
      for (std::size_t c = 0; leaf.model.is_classifier() && c < leaf.model.classes; ++c) {
        leaf.classes.push_back(
            static_cast<std::size_t>(std::find(labels, end, leaf.model.labels[c]) - labels));
      }
      if (keeps_forms) {
        leaf.predictor = predictor_of(leaf, kTimes * support_vector_bytes(leaf.model));
      }
    }
  }
}

std::unique_ptr<Predictor> ForestPredictor::predictor_of(const Leaf& leaf,
                                                         std::size_t most_bytes) const {
  return std::make_unique<Predictor>(leaf.model, messages_, most_bytes);
}

// Adds the decision values of a leaf to those of the forest.
void ForestPredictor::add_values(const Leaf& leaf, const double* values, double* sums) const {
  if (leaf.classes.empty()) {
    *sums += *values;
    return;
  }
  const std::size_t all = decisions_.model().classes;
  const auto add = [&](std::size_t a, std::size_t b, double value) {
    sums[pair_number(all, a, b)] += a < b ? value : -value;
  };
  for_each_pair(leaf.classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    add(leaf.classes[a], leaf.classes[b], std::max(-1.0, std::min(values[pair], 1.0)));
  });
  if (leaf.classes.size() == all) return;
  std::vector<char> is_in_leaf(all, 0);
  for (const std::size_t c : leaf.classes) is_in_leaf[c] = 1;
  for (const std::size_t c : leaf.classes) {
    for (std::size_t other = 0; other < all; ++other) {
      if (is_in_leaf[other] == 0) add(c, other, 1);
    }
  }
}

void ForestPredictor::add_row(const DataRow& row, const DataRow& weighted, double* sums) const {
  std::vector<double> values(functions());
  for (std::size_t t = 0; t < leaves_.size(); ++t) {
    const Leaf& leaf = leaves_[t][leaf_of(forest_.trees[t], row)];
    if (leaf.model.functions() > 0) {
      (leaf.predictor ? *leaf.predictor : *predictor_of(leaf, 0)).predict(weighted, values.data());
    }
    add_values(leaf, values.data(), sums);
  }
}

// Adds the decision values of rows, sorted by leaf.
void ForestPredictor::add_tree(std::size_t t, DataRows rows, DataRows weighted, std::size_t count,
                               ThreadPool& pool, double* sums) const {
  const Tree& tree = forest_.trees[t];
  std::vector<std::size_t> leaf(count);
  pool.for_chunks(count, kRowsOfPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) leaf[i] = leaf_of(tree, rows[i]);
  });
  std::vector<std::size_t> start(tree.size() + 1, 0), order(count);
  for (const std::size_t n : leaf) ++start[n + 1];
  std::vector<Piece> pieces;
  std::vector<std::unique_ptr<Predictor>> own(tree.size());
  for (std::size_t n = 0; n < tree.size(); ++n) {
    const std::size_t of_leaf = start[n + 1];
    start[n + 1] += start[n];
    for (std::size_t begin = start[n]; begin < start[n + 1]; begin += kRowsOfPiece) {
      pieces.push_back({n, begin, std::min(begin + kRowsOfPiece, start[n + 1])});
    }
    if (of_leaf > 0 && leaves_[t][n].predictor == nullptr) {
      own[n] = predictor_of(leaves_[t][n], Predictor::most_bytes_for(of_leaf));
    }
  }
  std::vector<std::size_t> next = start;
  for (std::size_t i = 0; i < count; ++i) order[next[leaf[i]]++] = i;
  pool.for_chunks(pieces.size(), 1, [&](std::size_t p, std::size_t) {
    const Piece& piece = pieces[p];
    const Leaf& of_piece = leaves_[t][piece.leaf];
    const std::size_t of_leaf = of_piece.model.functions(), size = piece.end - piece.begin;
    std::vector<DataRow> some;
    some.reserve(size);
    for (std::size_t i = piece.begin; i < piece.end; ++i) some.push_back(weighted[order[i]]);
    std::vector<double> values(std::max<std::size_t>(of_leaf, 1) * size);
    if (of_leaf > 0) {
      (own[piece.leaf] ? *own[piece.leaf] : *of_piece.predictor)
          .predict(some.data(), size, false, {nullptr, values.data()});
    }
    for (std::size_t i = 0; i < size; ++i) {
      add_values(of_piece, values.data() + i * of_leaf,
                 sums + order[piece.begin + i] * functions());
    }
  });
}

void ForestPredictor::predict(DataRows rows, std::size_t count, bool by_probability,
                              ThreadPool& pool, const PredictionArrays& to) const {
  const std::size_t width = functions(), classes = decisions_.model().classes;
  const std::size_t most = std::max(kRowsOfPiece, kMostValues / std::max<std::size_t>(width, 1));
  std::vector<double> sums;
  for (std::size_t begin = 0; begin < count; begin += most) {
    const std::size_t some = std::min(most, count - begin);
    sums.assign(some * width, 0.0);
    std::optional<WeightedRows> copies;
    if (!forest_.weights.empty()) copies.emplace(rows + begin, some, forest_.weights);
    const DataRows weighted = copies ? copies->rows() : rows + begin;
    if (some == 1) {
      add_row(rows[begin], weighted[0], sums.data());
    } else {
      for (std::size_t t = 0; t < leaves_.size(); ++t) {
        add_tree(t, rows + begin, weighted, some, pool, sums.data());
      }
    }
    const auto trees = static_cast<double>(leaves_.size());
    for (double& sum : sums) sum /= trees;
    pool.for_chunks(some, kRowsOfPiece, [&](std::size_t first, std::size_t last) {
      DecisionWork work;
      for (std::size_t i = first; i < last; ++i) {
        const double* const values = sums.data() + i * width;
        const std::size_t place = begin + i;
        if (to.values != nullptr) std::copy_n(values, width, to.values + place * width);
        double* const estimates =
            to.probabilities == nullptr ? nullptr : to.probabilities + place * classes;
        const double prediction = by_probability
                                      ? decisions_.probability_of(values, estimates, work)
                                      : decisions_.prediction_of(values);
        if (to.predictions != nullptr) to.predictions[place] = prediction;
      }
    });
  }
}

}  // namespace svm
