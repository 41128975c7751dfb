// Predictions of rows by a forest.
#ifndef SVM_MODEL_FOREST_FOREST_PREDICTOR_H_
#define SVM_MODEL_FOREST_FOREST_PREDICTOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "base/threads/pool.h"
#include "model/decisions.h"
#include "model/forest/forest.h"
#include "model/predictor.h"

namespace svm {

// Predicts rows by the mean of their decision values in the leaves that they fall into.  Those of
// pairs of classes are limited to [-1, 1], so that no tree outvotes the others; the value of a pair
// is 1 or -1 if the leaf has only one of its classes, and 0 if it has neither.  The
// forest must outlive the predictor.  Threads may share it; results do not depend on that.
class ForestPredictor {
 public:
  // If the packed forms of leaves are kept, single rows take less time, and the forms up to four
  // times the bytes of the leaves' support vectors; else they last for a call.  Throws
  // std::invalid_argument if a leaf is not trained.
  ForestPredictor(const Forest& forest, const Messages& messages, bool keeps_forms);

  // Number of decision values of a row.
  std::size_t functions() const { return decisions_.model().functions(); }

  // As Predictor::predict().  Many rows at once take least time.
  void predict(DataRows rows, std::size_t count, bool by_probability, ThreadPool& pool,
               const PredictionArrays& to) const;

 private:
  struct Leaf {
    ModelView model;
    std::vector<std::size_t> classes;      // of the forest, for each class of the leaf
    std::unique_ptr<Predictor> predictor;  // null if forms are not kept
  };

  std::unique_ptr<Predictor> predictor_of(const Leaf& leaf, std::size_t most_bytes) const;
  void add_values(const Leaf& leaf, const double* values, double* sums) const;
  // Trees divide `rows`, and machines predict them by `weighted`, the same with weighted features.
  void add_row(const DataRow& row, const DataRow& weighted, double* sums) const;
  void add_tree(std::size_t t, DataRows rows, DataRows weighted, std::size_t count,
                ThreadPool& pool, double* sums) const;

  const Forest& forest_;
  const Decisions decisions_;
  const Messages messages_;
  std::vector<std::vector<Leaf>> leaves_;  // of each tree, by the places of its nodes
};

}  // namespace svm

#endif  // SVM_MODEL_FOREST_FOREST_PREDICTOR_H_
