/* What e1071 changes in its copy of LIBSVM, in the terms of svm.h.  Rsvm.c includes this file.
 * e1071 draws from R, prints no messages and warns by R. */
#include <R.h>

#include "svm.h"

static int draw(int n, void* user) {
  (void)user;
  return (int)(unif_rand() * n) % n;
}

static void print(const char* text, void* user) {
  (void)text;
  (void)user;
}

static void warn(const char* text, void* user) {
  (void)user;
  REprintf("%s", text);
}

static struct svm_model* train(const struct svm_problem* problem,
                               const struct svm_parameter* parameters) {
  struct svm_model* model;
  struct svm_options options;
  svm_default_options(&options);
  options.threads = 1; /* R's functions are for R's thread only */
  options.random_below = draw;
  options.print = print;
  options.warn = warn;
  GetRNGstate();
  model = svm_train_ex(problem, parameters, &options, NULL);
  PutRNGstate();
  if (model == NULL) Rf_error("%s", svm_last_error());
  return model;
}

#define svm_train train
