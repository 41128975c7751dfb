// What the training functions of the C interface share.
#ifndef SVM_API_TRAINING_CALLS_H_
#define SVM_API_TRAINING_CALLS_H_

#include <cstddef>

#include "kernels/caller_rows.h"
#include "model/model_memory.h"
#include "solvers/run/run.h"
#include "svm_ext.h"
#include "training/problem.h"

namespace svm {

// The training problem of a caller's rows.  Refers to the caller's arrays, which must outlive it.
class RowsProblem {
 public:
  // Throws std::invalid_argument if the rows, their labels, their weights (in the options, which
  // may be null) or the parameters are invalid.
  RowsProblem(const svm_rows& rows, const double* y, const svm_parameter& param,
              const svm_options* options);

  const CallerRows& rows() const { return rows_; }
  const Problem& problem() const { return problem_; }

 private:
  const CallerRows rows_;
  const Problem problem_;
};

// The run of a call with the caller's options. Options and result may be null. Throws
// std::invalid_argument if the options or, if they are to be refused, variables are invalid, or if
// the size of the result is unknown.
class CallRun : public Run {
 public:
  CallRun(const svm_parameter& param, const svm_options* given, svm_result* result);
  // The run of one of LIBSVM's functions, which have no options and ignore invalid variables.
  explicit CallRun(const svm_parameter& param);

  // Goes on with one thread if only one may ask for values of `rows`.
  void use_threads_of(const CallerRows& rows);

  // Trains, and fills the caller's result and the arrays in the options.
  ModelPtr train(const Problem& problem, const svm_parameter& param);
  // The same for rows of the caller; the model refers to nothing that is not its own.
  ModelPtr train_rows(const RowsProblem& rows, const svm_parameter& param);
  // Fills them with what the run recorded.
  void report() const;

 private:
  const svm_options* const given_ = nullptr;
  svm_result* const result_ = nullptr;
};

// The predictions of a cross validation, in the caller's memory.  All become NaN on destruction if
// there are none.
class Targets {
 public:
  Targets(double* target, std::size_t count) : target_(target), count_(count) {}
  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;
  ~Targets();
  // Fills them, and reports the run.
  void cross_validate(const Problem& problem, const svm_parameter& param, int folds, CallRun& run);

 private:
  double* const target_;
  std::size_t count_;
};

}  // namespace svm

#endif  // SVM_API_TRAINING_CALLS_H_
