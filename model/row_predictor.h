// Predictions of single rows by a packed model, with the same results as those of Predictor.
#ifndef SVM_MODEL_ROW_PREDICTOR_H_
#define SVM_MODEL_ROW_PREDICTOR_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "kernels/kernel_tail.h"
#include "model/packed_model.h"
#include "model/prediction.h"

namespace svm {

// Threads can share it.  It keeps the working memory of its last calls, so that calls allocate
// nothing once each thread has made one.
class RowPredictor {
 public:
  RowPredictor(PackedModel packed, Messages messages);
  ~RowPredictor();
  RowPredictor(const RowPredictor&) = delete;
  RowPredictor& operator=(const RowPredictor&) = delete;

  // These do what the functions of Predictor with the same names do.
  double predict(const DataRow& x) const;
  double predict_values(const DataRow& x, double* values) const;
  double predict_probability(const DataRow& x, double* probabilities) const {
    return predict_probability(x, nullptr, probabilities);
  }
  // Writes decision values as well, unless `values` is null.
  double predict_probability(const DataRow& x, double* values, double* probabilities) const;

  const PackedModel& packed() const { return packed_; }

 private:
  struct Work;
  class BorrowedWork;

  // Writes decision values and returns the prediction.
  double values_of(const DataRow& x, double* values, Work& work) const;

  const PackedModel packed_;
  const Predictor predictor_;
  const ExactTail tail_;

  // Working memory that no call uses at the moment.  Each place has a cache line of its own,
  // because threads begin their search at different places.
  static constexpr std::size_t kCacheLine = 64;
  struct alignas(kCacheLine) Place {
    std::atomic<Work*> work{nullptr};
  };
  static constexpr std::size_t kPlaces = 16;
  mutable std::array<Place, kPlaces> places_;
};

}  // namespace svm

#endif  // SVM_MODEL_ROW_PREDICTOR_H_
