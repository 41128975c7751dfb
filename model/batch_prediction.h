// Predictions of many rows, with the same bits as those of Predictor.
#ifndef SVM_MODEL_BATCH_PREDICTION_H_
#define SVM_MODEL_BATCH_PREDICTION_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/inner_sums.h"
#include "model/prediction.h"
#include "simd/loops.h"

namespace svm {

// A model packed for many rows, which must outlive it.  Constant, so that threads can share it.
//
// A linear model is not folded into one weight vector: the sum over support vectors of products
// rounds otherwise than a product with their sum, and the decision values are LIBSVM's to the bit.
class BatchPredictor {
 public:
  // Rows worth handing to one call.
  static constexpr std::size_t kRows = kSumRows;
  // Of so many rows, how many to give a thread at a time: whole groups, and some for every thread.
  static std::size_t rows_at_a_time(std::size_t count, std::size_t threads);

  // With fewer than kFewRows rows expected the model is not packed: they go one by one.  Throws
  // std::invalid_argument as instruction_set() does.
  static constexpr std::size_t kFewRows = 4;
  BatchPredictor(const ModelView& model, const Messages& messages, std::size_t expected_rows);
  // Several models of the RBF kernel with the same support vectors in the same order, of the same
  // classes and with finite coefficients, which may be 0; kernel values are computed once for all.
  BatchPredictor(std::vector<ModelView> models, const Messages& messages,
                 std::size_t expected_rows);
  ~BatchPredictor();
  BatchPredictor(const BatchPredictor&) = delete;
  BatchPredictor& operator=(const BatchPredictor&) = delete;

  // Number of decision values of a row.
  std::size_t value_count() const { return predictors_[0].value_count(); }

  // Writes the decision values of row i to values[i * value_count()] and after, and the
  // predictions. Throws as Predictor does.
  void predict_values(DataRows rows, std::size_t count, double* values, double* predictions) const;

  // The predictions that follow from decision values, as predict_values() writes them, by
  // probability where the model has it.  `probabilities` may be null.
  void predict_by_probability(const double* values, std::size_t count, double* predictions,
                              double* probabilities) const;

  // Predictions; by probability if `by_probability` is set and the model has them, which then go to
  // probabilities[i * nr_class] and after, if that is not null.  Messages come in the order of
  // rows.
  void predict(DataRows rows, std::size_t count, bool by_probability, double* predictions,
               double* probabilities) const;

  // The predictions of row i by model m go to predictions[m][i].
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
  std::vector<Predictor> predictors_;  // of each model
  ExactTail tail_;
  PackedVectors packed_;  // null: row by row
};

}  // namespace svm

#endif  // SVM_MODEL_BATCH_PREDICTION_H_
