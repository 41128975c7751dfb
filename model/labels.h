// Labels from decision values in single precision, or from one dot product, whose errors are
// bounded.  A label depends on signs alone, and these are certain for nearly all rows, at a
// fraction of the cost of LIBSVM's values.
#ifndef SVM_MODEL_LABELS_H_
#define SVM_MODEL_LABELS_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/dense_columns.h"
#include "kernels/features.h"
#include "model/model_view.h"
#include "model/vector_sums.h"

namespace svm {

// The arrays that the model's view borrows must outlive it.  Immutable, so that threads can share
// it.
class Labels {
 public:
  // The largest number of rows of a call.  A call with so many takes less than one for each.
  static constexpr std::size_t kRows = kSumRows;

  // Bounds the error of a row's decision values: `of_terms` times the sum of the absolute values of
  // their terms, plus the lesser of `of_near_terms` times that sum and `of_coefficients` times the
  // sum of absolute coefficients.
  struct Error {
    double of_terms = 0, of_near_terms = 0, of_coefficients = 0;
  };

  // Working memory of a thread.
  struct Work {
    Error errors[kRows];             // of each row
    std::vector<signed char> signs;  // of the pairs of one row: -1, 1, or 0 if not known yet
    Features::Row rows[kRows];       // linear
    // RBF: groups of rows, and (row, support vector), or the sums of many rows over the terms of
    // the only function.
    DenseRows<float> groups[kRows / kPackRows];
    PackedRows<float> packed[kRows / kPackRows];
    float norms[kRows];  // squared, if distances come from products
    AlignedVector<float> kernel_values;
    bool has_sums = false;
    double sums[kRows];
    std::vector<double> weights;  // bounds of sums of absolute coefficients; unknown below 0
  };

  // Null if it is of no use: for regression, kernels other than RBF and the linear one, values or
  // gamma far outside the range of floats, sparse support vectors, forms of more than `most_bytes`,
  // and those that `rows` rows do not pay for.
  static std::unique_ptr<Labels> make(const ModelView& model, const VectorShape& shape,
                                      std::size_t most_bytes, std::size_t rows);

  explicit Labels(ModelView model) : model_(std::move(model)) {}
  virtual ~Labels() = default;

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
  virtual int sign(const Function& function, std::size_t row, Work& work) const = 0;

 private:
  int sign_of_pair(std::size_t a, std::size_t b, std::size_t row, Work& work) const;
  // The class that row is predicted to be in, or kNoIndex.
  std::size_t winner(std::size_t row, Work& work) const;

  const ModelView model_;
};

// The sign of a value that is off by up to `error`; 0 if that is not certain, or NaN.
inline int certain_sign(double value, double error) {
  if (value > error) return 1;
  return value < -error ? -1 : 0;
}

// Null if values are outside the range of floats.
std::unique_ptr<Labels> make_rbf_labels(const ModelView& model, const VectorShape& shape);
std::unique_ptr<Labels> make_linear_labels(const ModelView& model, const Features& features);

}  // namespace svm

#endif  // SVM_MODEL_LABELS_H_
