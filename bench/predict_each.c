// Predicts generated rows one by one, by svm_predict, for bench/instructions.py.
//
//   predict_each MODEL ROWS
//
// A row has eight features in [-1, 1).  Prints the sum of the predictions.
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "../svm_ext.h"

enum { kFeatures = 8 };

int main(int argc, char** argv) {
  if (argc != 3) errx(2, "predict_each MODEL ROWS");
  struct svm_model* model = svm_load_model(argv[1]);
  if (model == NULL) errx(2, "%s", svm_last_error());
  struct svm_node row[kFeatures + 1];
  unsigned state = 1;
  double sum = 0;
  for (long rows = atol(argv[2]); rows > 0; --rows) {
    for (int j = 0; j < kFeatures; ++j) {
      state = state * 1664525u + 1013904223u;
      row[j].index = j + 1;
      row[j].value = (double)(state >> 8) / (1 << 23) - 1;
    }
    row[kFeatures].index = -1;
    sum += svm_predict(model, row);
  }
  printf("%g\n", sum);
  svm_free_and_destroy_model(&model);
  return 0;
}
