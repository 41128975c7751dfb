/* A program as one compiled against LIBSVM 3.37, whose layouts svm.h has: it declares the
 * documented structures and functions itself, sees no header of this project and links only to
 * libsvm.so.4.  Exit 0 when all is as documented. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct svm_node {
  int index;
  double value;
};

struct svm_problem {
  int l;
  double* y;
  struct svm_node** x;
};

struct svm_parameter {
  int svm_type, kernel_type, degree;
  double gamma, coef0;
  double cache_size, eps, C;
  int nr_weight;
  int* weight_label;
  double* weight;
  double nu, p;
  int shrinking, probability;
};

struct svm_model {
  struct svm_parameter param;
  int nr_class, l;
  struct svm_node** SV;
  double** sv_coef;
  double *rho, *probA, *probB, *prob_density_marks;
  int *sv_indices, *label, *nSV;
  int free_sv;
};

extern int libsvm_version;
struct svm_model* svm_train(const struct svm_problem*, const struct svm_parameter*);
void svm_cross_validation(const struct svm_problem*, const struct svm_parameter*, int, double*);
int svm_save_model(const char*, const struct svm_model*);
struct svm_model* svm_load_model(const char*);
int svm_get_svm_type(const struct svm_model*);
int svm_get_nr_class(const struct svm_model*);
void svm_get_labels(const struct svm_model*, int*);
void svm_get_sv_indices(const struct svm_model*, int*);
int svm_get_nr_sv(const struct svm_model*);
double svm_get_svr_probability(const struct svm_model*);
double svm_predict_values(const struct svm_model*, const struct svm_node*, double*);
double svm_predict(const struct svm_model*, const struct svm_node*);
double svm_predict_probability(const struct svm_model*, const struct svm_node*, double*);
void svm_free_model_content(struct svm_model*);
void svm_free_and_destroy_model(struct svm_model**);
void svm_destroy_param(struct svm_parameter*);
const char* svm_check_parameter(const struct svm_problem*, const struct svm_parameter*);
int svm_check_probability_model(const struct svm_model*);
void svm_set_print_string_function(void (*)(const char*));

enum { kRows = 40, kFeatures = 2, kCSvc = 0, kEpsilonSvr = 3, kLinear = 0, kRbf = 2 };

static struct svm_node nodes[kRows][kFeatures + 1];
static struct svm_node* rows[kRows];
static double classes[kRows], targets[kRows];
static int failures = 0;
static size_t printed = 0;

static void count_print(const char* text) { printed += strlen(text); }

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "abi client: not so: %s\n", what);
  ++failures;
}

/* A value in [-1, 1). */
static double draw(void) {
  static unsigned long state = 1;
  state = (state * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (double)(state >> 15) / 32768.0 - 1;
}

static double size_of(double value) { return value < 0 ? -value : value; }

/* Positive where the first coordinate is, with a gap between the classes. */
static void make_data(void) {
  int i;
  for (i = 0; i < kRows; ++i) {
    const double x = draw();
    nodes[i][0].index = 1;
    nodes[i][0].value = x + (x > 0 ? 0.2 : -0.2);
    nodes[i][1].index = 2;
    nodes[i][1].value = draw();
    nodes[i][2].index = -1;
    rows[i] = nodes[i];
    classes[i] = x > 0 ? 1 : -1;
    targets[i] = 0.5 * nodes[i][0].value - nodes[i][1].value;
  }
}

static struct svm_parameter make_parameter(int svm_type, int kernel_type) {
  struct svm_parameter param;
  memset(&param, 0x5a, sizeof param); /* padding holds garbage in real programs */
  param.svm_type = svm_type;
  param.kernel_type = kernel_type;
  param.degree = 3;
  param.gamma = 0.5;
  param.coef0 = 0;
  param.cache_size = 10;
  param.eps = 0.001;
  param.C = 10;
  param.nr_weight = 0;
  param.weight_label = NULL;
  param.weight = NULL;
  param.nu = 0.5;
  param.p = 0.05;
  param.shrinking = 1;
  param.probability = 0;
  return param;
}

static void check_same_predictions(const struct svm_model* a, const struct svm_model* b) {
  int i;
  for (i = 0; i < kRows; ++i) {
    double value_a, value_b;
    const double first = svm_predict_values(a, rows[i], &value_a);
    const double second = svm_predict_values(b, rows[i], &value_b);
    /* Feature values are saved with eight digits. */
    expect(size_of(value_a - value_b) < 1e-5, "a loaded model decides as the saved one");
    expect(first == svm_predict(a, rows[i]), "svm_predict is svm_predict_values' prediction");
    expect(a->param.svm_type == kEpsilonSvr || first == second, "predictions agree");
  }
}

/* The library may pack a model that it made.  A copy of the struct is predicted from its members.
 */
static void check_repeated_predictions(const struct svm_model* model) {
  const struct svm_model copy = *model;
  double value = 0, other = 1;
  int i;
  for (i = 0; i < kRows; ++i) {
    expect(svm_predict(model, rows[i]) == svm_predict(&copy, rows[i]), "predictions stay the same");
    svm_predict_values(model, rows[i], &value);
    svm_predict_values(&copy, rows[i], &other);
    expect(value == other, "decision values stay the same");
  }
}

static void check_machine(int svm_type, int kernel_type, double* y, const char* file) {
  struct svm_problem problem;
  struct svm_parameter param = make_parameter(svm_type, kernel_type);
  struct svm_model *model, *loaded;
  int indices[kRows], labels[2] = {0, 0};
  double folds[kRows], error = 0;
  int i;
  problem.l = kRows;
  problem.y = y;
  problem.x = rows;
  expect(svm_check_parameter(&problem, &param) == NULL, "the parameters fit");
  printed = 0;
  model = svm_train(&problem, &param);
  expect(printed > 0, "messages go to the given function");
  if (model == NULL) {
    expect(0, "training succeeds");
    return;
  }
  expect(svm_get_svm_type(model) == svm_type, "svm type");
  expect(svm_get_nr_class(model) == 2, "number of classes");
  expect(svm_get_nr_sv(model) == model->l && model->l > 0, "number of support vectors");
  expect(model->free_sv == 0, "rows stay the caller's");
  svm_get_sv_indices(model, indices);
  for (i = 0; i < model->l; ++i) {
    expect(model->SV[i] == rows[indices[i] - 1], "support vectors point to the caller's rows");
  }
  svm_get_labels(model, labels);
  if (svm_type == kCSvc) {
    expect(labels[0] + labels[1] == 0 && labels[0] * labels[1] == -1, "labels +1 and -1");
    expect(model->nSV[0] + model->nSV[1] == model->l, "support vectors of the classes");
  } else {
    expect(labels[0] == 0 && labels[1] == 0, "no labels for regression");
  }
  for (i = 0; i < kRows; ++i) error += size_of(svm_predict(model, rows[i]) - y[i]);
  expect(error < 0.1 * kRows, "training rows are predicted");
  check_repeated_predictions(model);
  model->rho[0] += 0.125;
  check_repeated_predictions(model);
  model->rho[0] -= 0.125;
  model->param.gamma *= 2;
  check_repeated_predictions(model);
  model->param.gamma /= 2;
  svm_cross_validation(&problem, &param, 4, folds);
  for (error = 0, i = 0; i < kRows; ++i) error += size_of(folds[i] - y[i]);
  expect(error < 0.3 * kRows, "cross validation predicts");

  expect(svm_save_model(file, model) == 0, "saving");
  loaded = svm_load_model(file);
  remove(file);
  if (loaded == NULL) {
    expect(0, "loading");
  } else {
    expect(loaded->free_sv == 1, "a loaded model owns its rows");
    expect(loaded->sv_indices == NULL, "row numbers are not saved");
    check_same_predictions(model, loaded);
    svm_free_model_content(loaded);
    expect(loaded->SV == NULL && loaded->sv_coef == NULL && loaded->rho == NULL, "content is gone");
    svm_free_model_content(loaded);
    svm_free_and_destroy_model(&loaded);
    expect(loaded == NULL, "the pointer is nulled");
    svm_free_and_destroy_model(&loaded);
  }
  svm_free_and_destroy_model(&model);
}

static double* malloc_doubles(int count, double value) {
  double* block = malloc((size_t)count * sizeof *block);
  int i;
  if (block == NULL) exit(2);
  for (i = 0; i < count; ++i) block[i] = value;
  return block;
}

/* As the MATLAB binding does it: one malloc block per array. */
static void check_built_by_hand(void) {
  struct svm_model* model = calloc(1, sizeof *model);
  struct svm_node x[2] = {{1, 3}, {-1, 0}};
  struct svm_node* space = malloc(4 * sizeof *space);
  double probabilities[2];
  if (model == NULL || space == NULL) exit(2);
  model->param = make_parameter(kCSvc, kLinear);
  model->nr_class = 2;
  model->l = 2;
  model->rho = malloc_doubles(1, 0.5);
  model->probA = malloc_doubles(1, -2);
  model->probB = malloc_doubles(1, 0);
  model->label = malloc(2 * sizeof(int));
  model->nSV = malloc(2 * sizeof(int));
  model->sv_coef = malloc(sizeof(double*));
  model->SV = malloc(2 * sizeof(struct svm_node*));
  if (!model->label || !model->nSV || !model->sv_coef || !model->SV) exit(2);
  model->label[0] = 4;
  model->label[1] = 9;
  model->nSV[0] = model->nSV[1] = 1;
  model->sv_coef[0] = malloc_doubles(2, 1);
  model->sv_coef[0][1] = -1;
  space[0].index = 1;
  space[0].value = 1;
  space[1].index = -1;
  space[2].index = 1;
  space[2].value = -1;
  space[3].index = -1;
  model->SV[0] = space;
  model->SV[1] = space + 2;
  model->free_sv = 1;
  expect(svm_predict(model, x) == 4, "a model built by hand predicts"); /* 3 + 3 - 0.5 > 0 */
  expect(svm_check_probability_model(model) == 1, "it has probabilities");
  expect(svm_predict_probability(model, x, probabilities) == 4, "it predicts by probability");
  expect(size_of(probabilities[0] - 0.99998329857815205) < 1e-9,
         "by the sigmoid"); /* 1/(1+e^-11) */
  svm_free_and_destroy_model(&model);
  expect(model == NULL, "a model built by hand is freed");
}

static void check_parameter_memory(void) {
  struct svm_parameter param = make_parameter(kCSvc, kLinear);
  struct svm_problem problem = {kRows, NULL, NULL};
  const char* message;
  problem.y = classes;
  problem.x = rows;
  param.C = 0;
  message = svm_check_parameter(&problem, &param);
  expect(message != NULL && strcmp(message, "C <= 0") == 0, "C is checked");
  param.weight_label = malloc(sizeof(int));
  param.weight = malloc_doubles(1, 2);
  svm_destroy_param(&param);
}

int main(void) {
  make_data();
  expect(libsvm_version == 337, "the version is 337");
  svm_set_print_string_function(count_print);
  check_machine(kCSvc, kLinear, classes, "abi-client-classes.model");
  check_machine(kCSvc, kRbf, classes, "abi-client-classes.model");
  check_machine(kEpsilonSvr, kLinear, targets, "abi-client-targets.model");
  check_machine(kEpsilonSvr, kRbf, targets, "abi-client-targets.model");
  check_built_by_hand();
  check_parameter_memory();
  svm_free_model_content(NULL);
  svm_free_and_destroy_model(NULL);
  svm_set_print_string_function(NULL);
  if (failures == 0) printf("the interface is as documented\n");
  return failures == 0 ? 0 : 1;
}
