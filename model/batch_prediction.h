// Predictions of many rows, with the same bits as those of Predictor.
#ifndef SVM_MODEL_BATCH_PREDICTION_H_
#define SVM_MODEL_BATCH_PREDICTION_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/inner_sums.h"
#include "model/packed_model.h"
#include "model/prediction.h"

namespace svm {

// Where predictions are written, row after row.  Null arrays are not written.
struct PredictionArrays {
  double* predictions;
  double* values = nullptr;         // value_count() decision values for each row
  double* probabilities = nullptr;  // nr_class for each row, if the model has estimates
};

// A model packed for the prediction of many rows.  The model must outlive it.  Immutable, so that
// threads can share it.
//
// A linear model is not folded into one weight vector: the decision values are LIBSVM's to the bit,
// and a sum of products over the support vectors rounds differently from a product with their sum.
class BatchPredictor {
 public:
  // The number of rows that a call should get.
  static constexpr std::size_t kRows = kSumRows;
  // How many of `count` rows to give a thread at a time: a multiple of kRows, and small enough that
  // every thread gets several.
  static std::size_t rows_at_a_time(std::size_t count, std::size_t threads);

  // If fewer than kFewRows rows are expected, the model is not packed and rows are predicted one by
  // one.
  static constexpr std::size_t kFewRows = 4;
  BatchPredictor(const ModelView& model, const Messages& messages, std::size_t expected_rows);
  // Several models with the RBF kernel that have the same support vectors in the same order, the
  // same classes and finite coefficients, which may be 0.  Kernel values are computed once for all.
  BatchPredictor(std::vector<ModelView> models, const Messages& messages,
                 std::size_t expected_rows);
  // Uses the packed support vectors of a model, which must outlive it.
  BatchPredictor(const PackedModel& packed, const Messages& messages);
  ~BatchPredictor();
  BatchPredictor(const BatchPredictor&) = delete;
  BatchPredictor& operator=(const BatchPredictor&) = delete;

  // Number of decision values of a row.
  std::size_t value_count() const { return predictors_[0].value_count(); }

  // Predicts rows; by probability if `by_probability` is set and the model has estimates.  Throws
  // as Predictor does.
  void predict(DataRows rows, std::size_t count, bool by_probability,
               const PredictionArrays& to) const;

  // Writes the prediction of row i by model m to predictions[m][i].
  void predict_by_each(DataRows rows, std::size_t count, double* const* predictions) const;

 private:
  struct Work;
  // Calls visit(i, m, decision values of row i by model m).
  template <typename Visit>
  void visit_values(DataRows rows, std::size_t count, const Visit& visit) const;
  void add_values(const DataRow* rows, std::size_t count, Work& work) const;
  void add_block(std::size_t first, std::size_t last, std::size_t number, Work& work) const;
  void fill_kernel_values(std::size_t columns, std::size_t group, Work& work) const;

  std::vector<ModelView> models_;
  KernelFunction kernel_;
  std::vector<Predictor> predictors_;  // one for each model
  ExactTail tail_;
  PackedVectors own_vectors_;
  const PackedVectors* vectors_ = &own_vectors_;  // without forms, rows are predicted one by one
};

}  // namespace svm

#endif  // SVM_MODEL_BATCH_PREDICTION_H_
