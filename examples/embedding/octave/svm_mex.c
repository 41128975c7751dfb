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
#include "svm_ext.h"

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

static struct svm_rows rows_of(const mxArray* matrix) {
  struct svm_rows rows;
  require(is_real(matrix), "rows must be a real matrix");
  memset(&rows, 0, sizeof rows);
  rows.size = sizeof rows;
  rows.rows = mxGetN(matrix);
  rows.columns = mxGetM(matrix);
  rows.values = mxGetData(matrix);
  rows.value_type = mxIsSingle(matrix) ? SVM_FLOAT : SVM_DOUBLE;
  if (mxIsSparse(matrix)) { /* compressed columns here, and so compressed rows there */
    rows.layout = sizeof(mwIndex) == 8 ? SVM_CSR_INT64 : SVM_CSR_INT32;
    rows.row_starts = mxGetJc(matrix);
    rows.column_numbers = mxGetIr(matrix);
  } else {
    rows.layout = SVM_DENSE;
    rows.stride = rows.columns;
  }
  return rows;
}

static mxArray* train(const mxArray* targets, const mxArray* matrix, double C, double gamma) {
  const struct svm_rows rows = rows_of(matrix);
  struct svm_parameter param;
  struct svm_options options;
  struct svm_model* model;
  char* text;
  mxArray* result;

  require(
      mxIsDouble(targets) && !mxIsSparse(targets) && mxGetNumberOfElements(targets) == rows.rows,
      "targets must be as many doubles as there are rows");

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

  model = svm_train_rows(&rows, mxGetPr(targets), &param, &options, NULL);
  if (model == NULL) fail();
  text = svm_model_text(model, 0, NULL);
  svm_free_and_destroy_model(&model);
  if (text == NULL) fail();
  result = mxCreateString(text);
  svm_free_text(text);
  return result;
}

static mxArray* predict(const mxArray* text, const mxArray* matrix) {
  const struct svm_rows rows = rows_of(matrix);
  char* const characters = mxArrayToString(text);
  mxArray* const result = mxCreateDoubleMatrix(1, rows.rows, mxREAL);
  struct svm_model* model;
  struct svm_predictor* predictor;
  int status = -1;

  require(characters != NULL, "a model is text");
  model = svm_parse_model(characters, strlen(characters));
  mxFree(characters);
  if (model == NULL) fail();
  predictor = svm_make_predictor(model, 0);
  if (predictor != NULL)
    status = svm_predict_rows(predictor, &rows, 0, mxGetPr(result), NULL, NULL);
  svm_free_predictor(predictor);
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
