// Labels from decision values in single precision, or from one dot product, whose errors are
// bounded.  A label depends on signs alone, and these are certain for nearly all rows, at a
// fraction of the cost of LIBSVM's values.
#ifndef SVM_MODEL_QUICK_LABELS_H_
#define SVM_MODEL_QUICK_LABELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/data_row.h"
#include "kernels/engines/aligned_vector.h"
#include "model/inner_sums.h"
#include "model/model_view.h"

namespace svm {

// The arrays that the model's view borrows must outlive it.  Immutable, so that threads can share
// it.
class QuickLabels {
 public:
  // The largest number of rows of a call.  A call with so many takes less than one for each.
  static constexpr std::size_t kRows = kMostRowSums;

  // Bounds the error of a row's decision values: `of_terms` times the sum of the absolute values of
  // their terms, plus the lesser of `of_near_terms` times that sum and `of_coefficients` times the
  // sum of absolute coefficients.
  struct Error {
    double of_terms = 0, of_near_terms = 0, of_coefficients = 0;
  };

  // Working memory of a thread.
  struct Work {
    std::size_t count = 0;  // of rows
    FeatureSlots::Row rows[kRows];
    Error errors[kRows];             // of each row
    std::vector<signed char> signs;  // of the pairs of one row: -1, 1, or 0 if not known yet
    // RBF only.
    std::vector<double> sums;             // of the terms of each row, if there is one function
    std::vector<std::uint32_t> features;  // those in which rows of a group are not zero
    std::vector<float> x;                 // group of rows, then feature, then row
    AlignedVector<float> kernel_values;   // row, then support vector
  };

  // Null if it is of no use: for regression, kernels other than RBF and the linear one, values or
  // gamma far outside the range of floats, sparse support vectors, and forms of more than
  // `most_bytes`.
  static std::unique_ptr<QuickLabels> make(const ModelView& model, const VectorShape& shape,
                                           std::size_t most_bytes);

  explicit QuickLabels(ModelView model) : model_(std::move(model)) {}
  virtual ~QuickLabels() = default;

  // Writes the predictions of up to kRows orderly rows.  is_certain[r] is 1 if predictions[r] is
  // LIBSVM's, and 0 if signs in doubt leave it open.
  //
  // One-vs-one predicts the class with the most votes.  A class that wins against all others has
  // most, whatever the others' pairs say, so that most pairs are not needed.
  void predict(const DataRow* rows, std::size_t count, Work& work, double* predictions,
               char* is_certain) const;

  // Predicts one row, orderly or not, if that takes no working memory.  False if the label is not
  // certain, or is not found that way.
  virtual bool predict_at_once(const DataRow& /*x*/, double& /*prediction*/) const { return false; }

  virtual std::size_t bytes() const = 0;

  // False if coefficients that the packed form was made of have changed.
  virtual bool has_current_coefficients() const { return true; }

 protected:
  const ModelView& model() const { return model_; }

  virtual void prepare(const DataRow* rows, std::size_t count, Work& work) const = 0;

  // A decision function: its number, and the classes of its pair if there are classes.
  struct Function {
    std::size_t number, a, b;
  };
  // The sign of a decision value of a row: 1 if it is above 0, else -1; 0 if that is not certain.
  virtual int sign(const Function& function, std::size_t row, const Work& work) const = 0;

 private:
  int sign_of_pair(std::size_t a, std::size_t b, std::size_t row, Work& work) const;
  // The class that row is predicted to be in, or kNoIndex.
  std::size_t winner(std::size_t row, Work& work) const;
  std::size_t winner_by_votes(std::size_t row, Work& work) const;

  const ModelView model_;
};

// True if looking for signs is worth its time: if less than half of the tried rows were left in
// doubt, or less than `trial` rows were tried.
inline bool are_signs_of_use(std::size_t tried, std::size_t in_doubt, std::size_t trial) {
  return tried < trial || in_doubt < tried / 2;
}

// The sign of a value that is off by up to `error`; 0 if that is not certain, or NaN.
inline int certain_sign(double value, double error) {
  if (value > error) return 1;
  return value < -error ? -1 : 0;
}

// Forms of support vectors as floats, for rows that have most features, and as whole numbers of 16
// bits, for others.  Null if values are outside the range of floats.
std::unique_ptr<QuickLabels> make_float_labels(const ModelView& model, const FeatureSlots& slots);
std::unique_ptr<QuickLabels> make_short_labels(const ModelView& model, const FeatureSlots& slots);
std::unique_ptr<QuickLabels> make_linear_labels(const ModelView& model, const FeatureSlots& slots);

}  // namespace svm

#endif  // SVM_MODEL_QUICK_LABELS_H_
