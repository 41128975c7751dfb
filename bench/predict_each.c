// Predicts generated rows, for bench/instructions.py.
//
//   predict_each MODEL ROWS label    one by one, by svm_predict
//   predict_each MODEL ROWS value    one by one, by svm_predict_values
//   predict_each MODEL ROWS all      all at once, labels and decision values, by svm_predict_rows
//
// A row has eight features in [-1, 1).  Prints the sum of the results.
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../svm_ext.h"

enum { kFeatures = 8 };

static double sum_of_all(const struct svm_model* model, const double* features, size_t count) {
  const struct svm_rows rows = {.size = sizeof rows,
                                .rows = count,
                                .columns = kFeatures,
                                .layout = SVM_DENSE,
                                .value_type = SVM_DOUBLE,
                                .values = features,
                                .stride = kFeatures};
  struct svm_predictor* predictor = svm_make_predictor(model, 0);
  double* labels = malloc(2 * count * sizeof *labels);
  if (predictor == NULL || labels == NULL) errx(2, "%s", svm_last_error());
  if (svm_predict_rows(predictor, &rows, 1, labels, labels + count, NULL) != 0) {
    errx(2, "%s", svm_last_error());
  }
  double sum = 0;
  for (size_t i = 0; i < 2 * count; ++i) sum += labels[i];
  free(labels);
  svm_free_predictor(predictor);
  return sum;
}

static double sum_of_each(const struct svm_model* model, const double* features, size_t count,
                          int wants_value) {
  struct svm_node row[kFeatures + 1];
  row[kFeatures].index = -1;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    for (int j = 0; j < kFeatures; ++j) {
      row[j].index = j + 1;
      row[j].value = features[i * kFeatures + (size_t)j];
    }
    double value = 0;
    const double label =
        wants_value ? svm_predict_values(model, row, &value) : svm_predict(model, row);
    sum += label + value;
  }
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 4) errx(2, "predict_each MODEL ROWS label|value|all");
  struct svm_model* model = svm_load_model(argv[1]);
  if (model == NULL) errx(2, "%s", svm_last_error());
  const size_t count = strtoul(argv[2], NULL, 10);
  double* features = malloc(count * kFeatures * sizeof *features);
  if (features == NULL) errx(2, "out of memory");
  unsigned state = 1;
  for (size_t i = 0; i < count * kFeatures; ++i) {
    state = state * 1664525U + 1013904223U;
    features[i] = (double)(state >> 8) / (1 << 23) - 1;
  }
  printf("%g\n", strcmp(argv[3], "all") == 0
                     ? sum_of_all(model, features, count)
                     : sum_of_each(model, features, count, strcmp(argv[3], "value") == 0));
  free(features);
  svm_free_and_destroy_model(&model);
  return 0;
}
