/* LIBSVM for Octave (and MATLAB).  Matrices have a row of the data in each column, so that rows lie
 * one after the other; full ones of doubles or singles and sparse ones are used where they are.  A
 * model is its text.
 *
 *   model = svm_mex('train', targets, rows, C, gamma)          epsilon-SVR with the RBF kernel
 *   predictions = svm_mex('predict', model, rows)
 *
 * An error of mex leaves the function at once, so none is raised before everything is freed. */
#include <string.h>

#include "mex.h"
#include "svm.h"

static const char kId[] = "svm:failed";

/* svm_last_error() stays as it is while things are freed. */
static void fail(void) { mexErrMsgIdAndTxt(kId, "%s", svm_last_error()); }

static void require(int holds, const char* what) {
  if (!holds) mexErrMsgIdAndTxt(kId, "%s", what);
}

static void print(const char* text, void* user) {
  (void)user;
  mexPrintf("%s", text);
}

static int is_real(const mxArray* array) {
  return (mxIsDouble(array) || mxIsSingle(array)) && !mxIsComplex(array);
}

static struct svm_problem_view view_of(const mxArray* rows) {
  struct svm_problem_view view;
  require(is_real(rows), "rows must be a real matrix");
  memset(&view, 0, sizeof view);
  view.size = sizeof view;
  view.rows = mxGetN(rows);
  view.columns = mxGetM(rows);
  view.values = mxGetData(rows);
  view.value_type = mxIsSingle(rows) ? SVM_FLOAT : SVM_DOUBLE;
  if (mxIsSparse(rows)) { /* compressed columns here, and so compressed rows there */
    view.layout = sizeof(mwIndex) == 8 ? SVM_CSR_INT64 : SVM_CSR_INT32;
    view.row_starts = mxGetJc(rows);
    view.column_numbers = mxGetIr(rows);
  } else {
    view.layout = SVM_DENSE;
    view.stride = view.columns;
  }
  return view;
}

static mxArray* train(const mxArray* targets, const mxArray* rows, double C, double gamma) {
  struct svm_problem_view view = view_of(rows);
  struct svm_parameter param;
  struct svm_options options;
  struct svm_model* model;
  char* text;
  mxArray* result;

  require(
      mxIsDouble(targets) && !mxIsSparse(targets) && mxGetNumberOfElements(targets) == view.rows,
      "targets must be as many doubles as there are rows");
  view.y = mxGetPr(targets);

  memset(&param, 0, sizeof param);
  param.svm_type = EPSILON_SVR;
  param.kernel_type = RBF;
  param.C = C;
  param.gamma = gamma;
  param.p = 0.01;
  param.eps = 0.001;
  param.cache_size = 100;
  param.shrinking = 1;

  svm_init_options(&options, sizeof options);
  options.print = print;
  options.warn = print;

  model = svm_train_view(&view, &param, &options, NULL);
  if (model == NULL) fail();
  text = svm_save_model_to_memory(model, NULL, NULL);
  svm_free_and_destroy_model(&model);
  if (text == NULL) fail();
  result = mxCreateString(text);
  svm_free(text);
  return result;
}

static mxArray* predict(const mxArray* text, const mxArray* rows) {
  const struct svm_problem_view view = view_of(rows);
  char* const characters = mxArrayToString(text);
  mxArray* const result = mxCreateDoubleMatrix(1, view.rows, mxREAL);
  struct svm_model* model;
  int status = -1;

  require(characters != NULL, "a model is text");
  model = svm_load_model_from_memory(characters, strlen(characters));
  mxFree(characters);
  if (model == NULL) fail();
  status = svm_predict_rows(model, &view, 0, mxGetPr(result), NULL, NULL);
  svm_free_and_destroy_model(&model);
  if (status != 0) fail();
  return result;
}

void mexFunction(int outputs, mxArray* output[], int inputs, const mxArray* input[]) {
  char command[8];
  require(outputs <= 1 && inputs >= 3 && mxGetString(input[0], command, sizeof command) == 0,
          "usage: svm_mex('train'|'predict', ...)");
  if (strcmp(command, "train") == 0 && inputs == 5) {
    output[0] = train(input[1], input[2], mxGetScalar(input[3]), mxGetScalar(input[4]));
  } else {
    require(strcmp(command, "predict") == 0 && inputs == 3, "unknown command");
    output[0] = predict(input[1], input[2]);
  }
}
