// Predictions of rows, one or many at a time, with LIBSVM's bits.
#ifndef SVM_MODEL_PREDICTOR_H_
#define SVM_MODEL_PREDICTOR_H_

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "base/simd/loops.h"
#include "base/threads/pool.h"
#include "base/threads/primitives.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/decisions.h"
#include "model/labels.h"
#include "model/vector_sums.h"

namespace svm {

// Where predictions are written, row after row.  Null arrays are not written.
struct PredictionArrays {
  double* predictions;
  double* values = nullptr;         // functions() decision values for each row
  double* probabilities = nullptr;  // nr_class for each row, if the model has estimates
};

// The bytes of a model's support vectors: their nodes, and the pointers to them.
std::size_t support_vector_bytes(const ModelView& model);

// Predicts by the support vectors packed once, for decision values with LIBSVM's bits or for labels
// alone; or by the model itself if they are not packed.  Each form is made when it is first of use.
// The arrays that a model's view borrows must outlive the predictor, which reads coefficients,
// thresholds and labels from them.  Threads may share it; results do not depend on that.
//
// A linear model is not folded into one weight vector: the decision values are LIBSVM's to the bit,
// and a sum of products over the support vectors rounds differently from a product with their sum.
class Predictor {
 public:
  // The number of rows that a call should get.
  static constexpr std::size_t kRows = kSumRows;
  // How many of `count` rows to give a thread at a time: a multiple of kRows, and small enough that
  // every thread gets several.
  static std::size_t rows_at_a_time(std::size_t count, std::size_t threads);

  // For `most_bytes`: without a limit; and the least with which so many rows take less time.
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  static std::size_t most_bytes_for(std::size_t rows) { return rows < kFewRows ? 0 : kNoLimit; }

  // The packed forms take no more than `most_bytes` together; those that are of no use, take more,
  // or only pay for more than `rows` rows, are left out.
  Predictor(const ModelView& model, const Messages& messages, std::size_t most_bytes,
            std::size_t rows = kNoLimit);
  // Several models with the RBF kernel that have the same support vectors in the same order, the
  // same classes and finite coefficients, which may be 0.  Kernel values are computed once for all.
  Predictor(const std::vector<ModelView>& models, const Messages& messages, std::size_t most_bytes,
            std::size_t rows = kNoLimit);
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  const ModelView& model() const { return decisions_[0].model(); }
  // Number of decision values of a row.
  std::size_t functions() const { return model().functions(); }

  // Makes the forms that are of use, as far as memory allows.
  void pack() const;
  std::size_t bytes() const;  // of the forms that were made

  // Predicts rows; by probability if `by_probability` is set and the model has estimates.  Throws
  // PrecomputedRowError if a row does not have the kernel values of all support vectors, and
  // std::bad_alloc.
  void predict(DataRows rows, std::size_t count, bool by_probability,
               const PredictionArrays& to) const;
  // The same by several threads.
  void predict(DataRows rows, std::size_t count, bool by_probability, ThreadPool& pool,
               const PredictionArrays& to) const;

  // The prediction of one row.  Writes decision values, unless `values` is null.
  double predict(const DataRow& x, double* values = nullptr) const;
  double predict_probability(const DataRow& x, double* values, double* probabilities) const;

  // Writes the prediction of row i by model m to results[m][i], or if `by_value`, its functions()
  // decision values from results[m][i * functions()] on.
  void predict_by_each(DataRows rows, std::size_t count, bool by_value,
                       double* const* results) const;

  // False if coefficients that a form was made of have changed.
  bool has_current_coefficients() const;

 private:
  static constexpr std::size_t kFewRows = 4;

  struct Work;
  class WorkPool;
  // What is asked for of each row.
  struct Request {
    bool by_probability;
    PredictionArrays to;
    double* const* by_each;  // if not null, nothing else is
    bool values_by_each = false;
    bool is_label() const {
      return !by_probability && by_each == nullptr && to.values == nullptr &&
             to.probabilities == nullptr;
    }
  };

  // A form that is made once: null while another thread makes one, unless the caller `waits`; and
  // if it is of no use.
  template <class Form, class Make>
  const Form* made(std::atomic<bool>& is_made, const std::unique_ptr<const Form>& form, bool waits,
                   const Make& make) const;
  const Labels* labels(bool waits) const;
  const PackedVectors* vectors(bool waits) const;

  void predict(DataRows rows, std::size_t count, const Request& request) const;
  void predict_by_model(const DataRow& row, std::size_t i, const Request& request,
                        Work& work) const;
  // Predicts those rows of work.rows from `first` on whose labels are certain without values.
  void find_labels(std::size_t first, const Request& request, bool waits, Work& work) const;
  // Predicts the last kRows of work.rows, or all if there are less, by their values.
  void predict_last_rows(const Request& request, bool waits, Work& work) const;
  // The decision values of one row by the model itself.
  void values_by_model(const DataRow& x, const Decisions& decisions, double* values,
                       std::vector<double>& kernel_values, DecisionWork& work) const;
  // The sums of all decision functions of all models over orderly rows: that of function f and row
  // r is work.sums[f * kSumRows + r].
  void add_values(const PackedVectors& vectors, const DataRow* rows, std::size_t count,
                  Work& work) const;
  void add_block(const double* values, std::size_t width, std::size_t rows, std::size_t first,
                 std::size_t last, Work& work) const;
  // Writes what is asked for of row i, from its decision values by model m.
  void write(std::size_t i, std::size_t m, const double* values, const Request& request,
             DecisionWork& work) const;

  std::vector<Decisions> decisions_;  // of each model
  const KernelFunction kernel_;
  const ExactTail tail_;
  const std::size_t most_bytes_, rows_;

  mutable Mutex making_;  // held while a form is made
  mutable std::atomic<bool> labels_are_made_{false}, vectors_are_made_{false};
  mutable std::unique_ptr<const Labels> labels_;
  mutable std::unique_ptr<const PackedVectors> vectors_;
  const std::unique_ptr<WorkPool> work_;  // null if nothing is packed
};

}  // namespace svm

#endif  // SVM_MODEL_PREDICTOR_H_
