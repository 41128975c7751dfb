// Weights of features: a diagonal metric, which distances between weighted rows are of.
#ifndef SVM_KERNELS_FEATURE_WEIGHTS_H_
#define SVM_KERNELS_FEATURE_WEIGHTS_H_

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// The reciprocal of a weight, rounded to few digits, and the weight that has such a reciprocal: so
// files of ranges tell weights exactly.
double reach_of(double weight);
inline double rounded_weight(double weight) { return 1 / reach_of(weight); }

// By default there are no weights, which is as if all were 1.
class FeatureWeights {
 public:
  FeatureWeights() = default;
  // Takes rising indices, and a finite weight for each.  `others` is the weight of all other
  // features.
  FeatureWeights(std::vector<int> indices, std::vector<double> weights, double others = 1);

  bool empty() const { return indices_.empty(); }
  const std::vector<int>& indices() const { return indices_; }
  const std::vector<double>& weights() const { return weights_; }
  double others() const { return others_; }
  double of(int index) const { return weight_from(0, index).second; }

  // Calls visit(index, weighted value) for the features of a row whose weighted values are not 0.
  template <typename Visit>
  void for_each(const DataRow& row, const Visit& visit) const {
    std::size_t place = 0;
    row.for_each([&](int index, double value) {
      double weight = 0;
      if (place < indices_.size() && indices_[place] == index) {
        weight = weights_[place++];
      } else {
        std::tie(place, weight) = weight_from(place, index);
      }
      if (value * weight != 0) visit(index, value * weight);
    });
  }

  friend bool operator==(const FeatureWeights& a, const FeatureWeights& b) {
    return a.indices_ == b.indices_ && a.weights_ == b.weights_ && a.others_ == b.others_;
  }

 private:
  // The first place from `place` on whose index is not below `index`, and the index's weight.
  // Starts anew if the index is below that of the place before.
  std::pair<std::size_t, double> weight_from(std::size_t place, int index) const;

  std::vector<int> indices_;
  std::vector<double> weights_;
  double others_ = 1;
};

// Some rows with weighted features: copies, or if there are no weights, the rows themselves.
class WeightedRows {
 public:
  WeightedRows(const DataRows& rows, std::size_t count, const FeatureWeights& weights);
  WeightedRows(const WeightedRows&) = delete;  // the rows refer to it
  WeightedRows& operator=(const WeightedRows&) = delete;

  // They are numbered 0, 1, 2 ...
  DataRows rows() const { return {rows_.data()}; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<DataRow> rows_;
};

}  // namespace svm

#endif  // SVM_KERNELS_FEATURE_WEIGHTS_H_
