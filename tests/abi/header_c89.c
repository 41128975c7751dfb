/* svm.h and svm_ext.h in the C of 1989: what stands in them is used here, from one part to the
 * other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svm_ext.h"

enum { kRows = 30 };

static struct svm_node nodes[kRows][3];
static struct svm_node* starts[kRows];
static double labels[kRows];
static struct svm_rows rows;
static int failures = 0, looks = 0, draws = 0;
static char warned[200];

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "C89: not so: %s (%s)\n", what, svm_last_error());
  ++failures;
}

static void drop(const char* text) { (void)text; }
static void warn(const char* text) { strncat(warned, text, sizeof warned - strlen(warned) - 1); }
static int draw(int n, void* user) {
  ++*(int*)user;
  return rand() % n;
}
static int look(const struct svm_progress* progress, void* user) {
  const svm_count iterations = progress->iterations;
  (void)user;
  ++looks;
  return iterations < 0;
}

static void make_rows(void) {
  int i;
  for (i = 0; i < kRows; ++i) {
    nodes[i][0].index = 1;
    nodes[i][0].value = i % 2 == 0 ? 1 + 0.1 * i : -1 - 0.1 * i;
    nodes[i][1].index = 2;
    nodes[i][1].value = i % 3;
    nodes[i][2].index = -1;
    starts[i] = nodes[i];
    labels[i] = i % 2 == 0 ? 4 : 9;
  }
  rows.size = sizeof rows;
  rows.rows = kRows;
  rows.layout = SVM_NODES;
  rows.nodes = starts;
}

static void check_model(const struct svm_model* model) {
  struct svm_model_arrays arrays;
  struct svm_rows sv;
  struct svm_predictor* predictor;
  struct svm_model* loaded;
  char* text;
  size_t size = 0;
  double value = 0, loaded_value = 1, values[kRows];
  int label[2];
  text = svm_model_text(model, 17, &size);
  expect(text != NULL && strlen(text) == size, "a model in memory");
  loaded = svm_parse_model(text, size);
  svm_free_text(text);
  expect(loaded != NULL, "which is read");
  if (loaded == NULL) return;
  svm_predict_values(model, starts[0], &value);
  svm_predict_values(loaded, starts[0], &loaded_value);
  expect(memcmp(&value, &loaded_value, sizeof value) == 0, "and decides the same");
  predictor = svm_make_predictor(model, 0);
  expect(svm_predict_rows(predictor, &rows, 1, NULL, values, NULL) == 0 && values[0] == value,
         "a predictor, too");
  svm_free_predictor(predictor);
  memset(&arrays, 0, sizeof arrays);
  memset(&sv, 0, sizeof sv);
  arrays.size = sizeof arrays;
  sv.size = sizeof sv;
  expect(svm_arrays_of_model(loaded, &arrays, &sv) == 0 && arrays.nr_values == 1, "one threshold");
  expect(arrays.sv == &sv && sv.rows == (size_t)svm_get_nr_sv(loaded), "support vectors");
  svm_get_labels(loaded, label);
  expect(label[0] == 4 && label[1] == 9, "labels");
  svm_free_and_destroy_model(&loaded);
}

int main(void) {
  struct svm_problem problem;
  struct svm_parameter param;
  struct svm_options options;
  struct svm_result result;
  struct svm_model* model;
  double targets[kRows];
  make_rows();
  problem.l = kRows;
  problem.y = labels;
  problem.x = starts;
  memset(&param, 0, sizeof param);
  param.svm_type = C_SVC;
  param.kernel_type = LINEAR;
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;
  svm_init_options(&options, sizeof options);
  expect(options.size == sizeof options, "the size is the header's");
  expect(strchr(svm_version(), '.') != NULL && libsvm_version == LIBSVM_VERSION, "versions");
  options.random = draw;
  options.random_user = &draws;
  options.progress = look;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  svm_set_print_string_function(drop);
  svm_set_warning_function(warn);
  expect(svm_check_parameter(&problem, &param) == NULL, "the parameters fit");
  model = svm_train_rows(&rows, labels, &param, &options, &result);
  expect(model != NULL && result.status == SVM_CONVERGED && looks > 0, "training");
  if (model != NULL) check_model(model);
  expect(svm_cross_validate_rows(&rows, labels, &param, 3, &options, targets, &result) == 0,
         "folds");
  expect(draws == kRows, "draws of this program");
  expect(svm_parse_model("svm_type", 8) == NULL, "a bad model");
  expect(strstr(svm_last_error(), "svm_parse_model: ") != NULL, "and why it is");
  expect(svm_get_svr_probability(model) == 0 && strstr(warned, "SVR") != NULL, "a warning");
  svm_free_and_destroy_model(&model);
  return failures == 0 ? 0 : 1;
}
