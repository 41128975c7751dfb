/* svm.h in the C of 1989: what stands in it is used here, from one part to the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svm.h"

enum { kRows = 30 };

static struct svm_node nodes[kRows][3];
static struct svm_node* rows[kRows];
static double labels[kRows];
static int failures = 0, looks = 0, draws = 0;
static char warned[200];

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "C89: not so: %s (%s)\n", what, svm_last_error());
  ++failures;
}

static void drop(const char* text) { (void)text; }
static void warn(const char* text) { strncat(warned, text, sizeof warned - strlen(warned) - 1); }
static int draw(void* user) {
  ++*(int*)user;
  return rand();
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
    rows[i] = nodes[i];
    labels[i] = i % 2 == 0 ? 4 : 9;
  }
}

static void check_model(const struct svm_model* model) {
  struct svm_save_options exact;
  struct svm_model* loaded;
  char* text;
  size_t size = 0;
  double value = 0, loaded_value = 1, rho = 0;
  int label[2];
  memset(&exact, 0, sizeof exact);
  exact.size = sizeof exact;
  exact.feature_digits = 17;
  text = svm_save_model_to_memory(model, &exact, &size);
  expect(text != NULL && strlen(text) == size, "a model in memory");
  loaded = svm_load_model_from_memory(text, size);
  svm_free(text);
  expect(loaded != NULL, "which is read");
  if (loaded == NULL) return;
  svm_predict_values(model, rows[0], &value);
  svm_predict_values(loaded, rows[0], &loaded_value);
  expect(memcmp(&value, &loaded_value, sizeof value) == 0, "and decides the same");
  expect(svm_get_nr_values(loaded) == 1 && svm_get_rho(loaded, &rho) == 1, "one threshold");
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
  problem.x = rows;
  memset(&param, 0, sizeof param);
  param.svm_type = C_SVC;
  param.kernel_type = LINEAR;
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;
  svm_default_options(&options);
  expect(options.size == sizeof options, "the size is the header's");
  expect(options.size <= svm_struct_size("svm_options"), "the library knows all members");
  expect(strchr(svm_version(), '.') != NULL && libsvm_version == LIBSVM_VERSION, "versions");
  options.random = draw;
  options.random_user = &draws;
  options.progress = look;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  svm_set_print_string_function(drop);
  svm_set_warning_function(warn);
  expect(svm_check_parameter(&problem, &param) == NULL, "the parameters fit");
  model = svm_train_ex(&problem, &param, &options, &result);
  expect(model != NULL && result.status == SVM_CONVERGED && looks > 0, "training");
  if (model != NULL) check_model(model);
  expect(svm_cross_validation_ex(&problem, &param, 3, &options, targets, &result) == 0, "folds");
  expect(draws == kRows, "draws of this program");
  expect(svm_load_model_from_memory("svm_type", 8) == NULL, "a bad model");
  expect(strstr(svm_last_error(), "svm_load_model_from_memory: ") != NULL, "and why it is");
  expect(svm_get_svr_probability(model) == 0 && strstr(warned, "SVR") != NULL, "a warning");
  svm_free_and_destroy_model(&model);
  return failures == 0 ? 0 : 1;
}
