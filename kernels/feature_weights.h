// Weights of features: a diagonal metric, as distances are between rows with weighted features.
#ifndef SVM_KERNELS_FEATURE_WEIGHTS_H_
#define SVM_KERNELS_FEATURE_WEIGHTS_H_

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/data_row.h"

namespace svm {

// The reciprocal of a weight, rounded so that files of ranges tell it in few digits.
double reach_of(double weight);

// By default there are no weights, which is as if all were 1.
class FeatureWeights {
 public:
  FeatureWeights() = default;
  // Takes rising indices, and a finite weight for each.  `others` is that of all other features.
  FeatureWeights(std::vector<int> indices, std::vector<double> weights, double others = 1)
      : indices_(std::move(indices)), weights_(std::move(weights)), others_(others) {}

  bool empty() const { return indices_.empty(); }
  const std::vector<int>& indices() const { return indices_; }
  const std::vector<double>& weights() const { return weights_; }
  double others() const { return others_; }
  double of(int index) const { return find(0, index).second; }
  bool is_same(const FeatureWeights& other) const {
    return std::tie(indices_, weights_, others_) ==
           std::tie(other.indices_, other.weights_, other.others_);
  }

  // Calls visit(index, weighted value) for the features of a row whose weighted values are not 0.
  template <typename Visit>
  void for_each(const DataRow& row, const Visit& visit) const {
    std::pair<std::size_t, double> found = {0, 1};
    row.for_each([&](int index, double value) {
      found = find(found.first, index);
      if (value * found.second != 0) visit(index, value * found.second);
    });
  }

 private:
  // The place behind an index, or where it would be, and its weight, for a search from `place` on.
  std::pair<std::size_t, double> find(std::size_t place, int index) const {
    if (place < indices_.size() && indices_[place] == index) return {place + 1, weights_[place]};
    return search(place, index);
  }
  std::pair<std::size_t, double> search(std::size_t place, int index) const;

  std::vector<int> indices_;
  std::vector<double> weights_;
  double others_ = 1;
};

// Some rows with weighted features, numbered 0, 1, 2 ...: copies, or if there are no weights, the
// rows themselves.
class WeightedRows {
 public:
  WeightedRows(const DataRows& rows, std::size_t count, const FeatureWeights& weights);
  WeightedRows(const WeightedRows&) = delete;  // the rows refer to it
  WeightedRows& operator=(const WeightedRows&) = delete;

  DataRows rows() const { return {rows_.data()}; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<DataRow> rows_;
};

}  // namespace svm

#endif  // SVM_KERNELS_FEATURE_WEIGHTS_H_
