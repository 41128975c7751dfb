/* LIBSVM for R, by .Call.  A matrix comes transposed, so that its rows lie one after the other, and
 * is used where it is.  A model is an external pointer, and text where it is to be saved.
 *
 * Calls run on one thread: functions of R may be called on R's own thread only, and draws and
 * questions for the user's interrupt come from the thread that trains.  R's errors jump over the
 * library, so none is raised before its function has returned. */
#include "svm_ext.h"

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <string.h>

#include <R_ext/Print.h>
#include <R_ext/Random.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>

static void print_text(void* text) { Rprintf("%s", (const char*)text); }
static void warn_text(void* text) { REprintf("%s", (const char*)text); }

/* R looks for the user's interrupt while it prints, too, and would jump out of the library. */
static void print(const char* text, void* user) {
  if (!R_ToplevelExec(print_text, (void*)text)) *(int*)user = 1;
}

static void warn(const char* text, void* user) {
  if (!R_ToplevelExec(warn_text, (void*)text)) *(int*)user = 1;
}

static int draw(int n, void* user) {
  (void)user;
  return (int)(unif_rand() * n);
}

static void check_interrupt(void* data) {
  (void)data;
  R_CheckUserInterrupt();
}

/* Cancels where the user interrupts: R's jump ends in R_ToplevelExec. */
static int progress(const struct svm_progress* state, void* user) {
  (void)state;
  return *(int*)user || !R_ToplevelExec(check_interrupt, NULL);
}

/* The columns of x are the rows. */
static struct svm_rows rows_of(SEXP x) {
  struct svm_rows rows = {0};
  rows.size = sizeof rows;
  rows.rows = (size_t)Rf_ncols(x);
  rows.columns = (size_t)Rf_nrows(x);
  rows.layout = SVM_DENSE;
  rows.value_type = SVM_DOUBLE;
  rows.values = REAL(x);
  rows.stride = rows.columns;
  return rows;
}

static struct svm_parameter parameters(SEXP cost, SEXP gamma) {
  struct svm_parameter param = {0};
  param.svm_type = C_SVC;
  param.kernel_type = RBF;
  param.gamma = Rf_asReal(gamma);
  param.C = Rf_asReal(cost);
  param.cache_size = 100;
  param.eps = 0.001;
  param.shrinking = 1;
  return param;
}

/* weights may be R's NULL; *interrupted is 0. */
static struct svm_options options(SEXP weights, int* interrupted) {
  struct svm_options options;
  svm_init_options(&options, sizeof options);
  options.threads = 1;
  options.print = print;
  options.warn = warn;
  options.random = draw;
  options.progress = progress;
  options.print_user = options.warn_user = options.progress_user = interrupted;
  options.row_weights = Rf_isNull(weights) ? NULL : REAL(weights);
  return options;
}

static void destroy(SEXP pointer) {
  struct svm_model* model = R_ExternalPtrAddr(pointer);
  svm_free_and_destroy_model(&model);
  R_ClearExternalPtr(pointer);
}

static SEXP to_pointer(struct svm_model* model) {
  SEXP pointer;
  if (model == NULL) Rf_error("%s", svm_last_error());
  pointer = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, destroy, TRUE);
  UNPROTECT(1);
  return pointer;
}

static struct svm_model* to_model(SEXP pointer) {
  struct svm_model* const model = R_ExternalPtrAddr(pointer);
  if (model == NULL) Rf_error("the model is gone: keep its text across sessions");
  return model;
}

SEXP train(SEXP x, SEXP y, SEXP cost, SEXP gamma, SEXP weights) {
  const struct svm_rows rows = rows_of(x);
  const struct svm_parameter param = parameters(cost, gamma);
  int interrupted = 0;
  const struct svm_options call = options(weights, &interrupted);
  struct svm_result result = {0};
  struct svm_model* model;
  result.size = sizeof result;
  GetRNGstate();
  model = svm_train_rows(&rows, REAL(y), &param, &call, &result);
  PutRNGstate();
  if (model != NULL && result.status == SVM_CANCELLED) {
    svm_free_and_destroy_model(&model);
    Rf_error("interrupted");
  }
  return to_pointer(model);
}

SEXP cross_validate(SEXP x, SEXP y, SEXP cost, SEXP gamma, SEXP folds) {
  const struct svm_rows rows = rows_of(x);
  const struct svm_parameter param = parameters(cost, gamma);
  int interrupted = 0;
  const struct svm_options call = options(R_NilValue, &interrupted);
  SEXP target = PROTECT(Rf_allocVector(REALSXP, Rf_ncols(x)));
  struct svm_result result = {0};
  int status;
  result.size = sizeof result;
  GetRNGstate();
  status = svm_cross_validate_rows(&rows, REAL(y), &param, Rf_asInteger(folds), &call, REAL(target),
                                   &result);
  PutRNGstate();
  if (status != 0) Rf_error("%s", svm_last_error());
  if (result.status == SVM_CANCELLED) Rf_error("interrupted");
  UNPROTECT(1);
  return target;
}

SEXP predict(SEXP pointer, SEXP x) {
  const struct svm_rows rows = rows_of(x);
  SEXP labels = PROTECT(Rf_allocVector(REALSXP, Rf_ncols(x)));
  struct svm_predictor* const predictor = svm_make_predictor(to_model(pointer), 0);
  const int status =
      predictor == NULL ? -1 : svm_predict_rows(predictor, &rows, 1, REAL(labels), NULL, NULL);
  svm_free_predictor(predictor);
  if (status != 0) Rf_error("%s", svm_last_error());
  UNPROTECT(1);
  return labels;
}

SEXP to_text(SEXP pointer) {
  char* const text = svm_model_text(to_model(pointer), 0, NULL);
  SEXP result;
  if (text == NULL) Rf_error("%s", svm_last_error());
  result = PROTECT(Rf_mkString(text));
  svm_free_text(text);
  UNPROTECT(1);
  return result;
}

SEXP from_text(SEXP text) {
  const char* const characters = CHAR(STRING_ELT(text, 0));
  return to_pointer(svm_parse_model(characters, strlen(characters)));
}

static const R_CallMethodDef functions[] = {
    {"train", (DL_FUNC)&train, 5},         {"cross_validate", (DL_FUNC)&cross_validate, 5},
    {"predict", (DL_FUNC)&predict, 2},     {"to_text", (DL_FUNC)&to_text, 1},
    {"from_text", (DL_FUNC)&from_text, 1}, {NULL, NULL, 0}};

void R_init_interface(DllInfo* library) {
  R_registerRoutines(library, NULL, functions, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
}
