/* What e1071 changes in its copy of LIBSVM, in the terms of svm_ext.h.  Rsvm.c includes this file.
 * e1071 draws from R, prints no messages and warns by R. */
#include <R.h>

#include "svm_ext.h"

static int draw(int n, void* user) { return (int)(unif_rand() * n) % n; }

static void print(const char* text, void* user) {}

static void warn(const char* text, void* user) { REprintf("%s", text); }

static struct svm_model* train(const struct svm_problem* problem,
                               const struct svm_parameter* parameters) {
  struct svm_rows rows = {sizeof rows};
  struct svm_options options;
  struct svm_model* model;
  rows.rows = (size_t)problem->l;
  rows.layout = SVM_NODES;
  rows.nodes = problem->x;
  svm_init_options(&options, sizeof options);
  options.threads = 1; /* R's functions are for R's thread only */
  options.random = draw;
  options.print = print;
  options.warn = warn;
  GetRNGstate();
  model = svm_train_rows(&rows, problem->y, parameters, &options, NULL);
  PutRNGstate();
  if (model == NULL) Rf_error("%s", svm_last_error());
  return model;
}

#define svm_train train
