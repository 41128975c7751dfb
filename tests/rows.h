// Calls svm_ext.h's functions for rows with LIBSVM's problems and nodes.
#ifndef SVM_TESTS_ROWS_H_
#define SVM_TESTS_ROWS_H_

#include <cstddef>
#include <limits>
#include <memory>

#include "svm_ext.h"

namespace svm::test {

inline svm_rows rows_of(svm_node* const* nodes, std::size_t count) {
  svm_rows rows{};
  rows.size = sizeof(rows);
  rows.rows = count;
  rows.layout = SVM_NODES;
  rows.nodes = nodes;
  return rows;
}

inline svm_rows rows_of(const svm_problem& problem) {
  return rows_of(problem.x, static_cast<std::size_t>(problem.l));
}

inline svm_model* train(const svm_problem* problem, const svm_parameter* param,
                        const svm_options* options, svm_result* result) {
  const svm_rows rows = rows_of(*problem);
  return svm_train_rows(&rows, problem->y, param, options, result);
}

inline int cross_validate(const svm_problem* problem, const svm_parameter* param, int folds,
                          const svm_options* options, double* target, svm_result* result) {
  const svm_rows rows = rows_of(*problem);
  return svm_cross_validate_rows(&rows, problem->y, param, folds, options, target, result);
}

struct FreePredictor {
  void operator()(svm_predictor* predictor) const { svm_free_predictor(predictor); }
};
using OwnedPredictor = std::unique_ptr<svm_predictor, FreePredictor>;

inline OwnedPredictor make_predictor(const svm_model& model, int copy = 0) {
  return OwnedPredictor(svm_make_predictor(&model, copy));
}

// The number of decision values of a row.
inline std::size_t value_count(const svm_model& model) {
  if (model.param.svm_type > NU_SVC) return 1;
  const auto k = static_cast<std::size_t>(model.nr_class);
  return k * (k - 1) / 2;
}

inline int predict_rows(const svm_model* model, const svm_rows* rows, std::size_t threads,
                        double* predictions, double* values, double* probabilities) {
  const OwnedPredictor predictor = make_predictor(*model);
  return svm_predict_rows(predictor.get(), rows, threads, predictions, values, probabilities);
}

// Predicts one row of nodes; NaN on failure.
inline double predict_row(const svm_predictor* predictor, const svm_node* x, double* values,
                          double* probabilities) {
  svm_node* const node = const_cast<svm_node*>(x);  // which the library does not write
  const svm_rows rows = rows_of(&node, 1);
  double prediction = std::numeric_limits<double>::quiet_NaN();
  svm_predict_rows(predictor, &rows, 1, &prediction, values, probabilities);
  return prediction;
}

}  // namespace svm::test

#endif  // SVM_TESTS_ROWS_H_
