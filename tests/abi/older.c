/* A program as one compiled against a version whose options and results were smaller: it declares
 * structures and functions itself, and has bytes of its own behind them.  Exit 0 when the library
 * leaves these alone, and takes the members that are not there as defaults. */
#include <stdio.h>
#include <string.h>

struct svm_node {
  int index;
  double value;
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

struct svm_rows {
  size_t size, rows, columns;
  int layout, value_type;
  struct svm_node* const* nodes;
  const void* values;
  size_t stride;
  const void* row_starts;
  const void* column_numbers;
  void (*kernel)(void* user, int row, const int* others, int count, double* values);
  void* kernel_user;
  int kernel_threads, reserved;
};

/* Without the arrays of the problems, and without options of single solvers. */
struct svm_options {
  size_t size;
  const char* solver;
  long long max_iter;
  double time_limit;
  size_t threads;
  const double* row_weights;
  const void* init;
  long long seed;
  int (*random)(int n, void* user);
  void* random_user;
  int (*progress)(const void* progress, void* user);
  void* progress_user;
  void (*print)(const char* text, void* user);
  void* print_user;
  void (*warn)(const char* text, void* user);
  void* warn_user;
};

struct svm_result {
  size_t size;
  long long problems, iterations;
};

struct svm_model;
void svm_init_options(struct svm_options*, size_t);
const char* svm_check_options(const struct svm_parameter*, const struct svm_options*);
struct svm_model* svm_train_rows(const struct svm_rows*, const double*, const struct svm_parameter*,
                                 const struct svm_options*, struct svm_result*);
int svm_cross_validate_rows(const struct svm_rows*, const double*, const struct svm_parameter*, int,
                            const struct svm_options*, double*, struct svm_result*);
void svm_free_and_destroy_model(struct svm_model**);

enum { kRows = 20, kGarbage = 0x5a };

/* What stands behind the structures would be further members. */
static struct {
  struct svm_options options;
  unsigned char behind_options[256];
  struct svm_result result;
  unsigned char behind_result[256];
} block;

static int failures = 0;
static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "older client: not so: %s\n", what);
  ++failures;
}

static int is_garbage(const unsigned char bytes[256]) {
  size_t i;
  for (i = 0; i < 256; ++i) {
    if (bytes[i] != kGarbage) return 0;
  }
  return 1;
}

static int is_untouched(void) {
  return is_garbage(block.behind_options) && is_garbage(block.behind_result);
}

static void count(const char* text, void* user) { *(size_t*)user += strlen(text); }

int main(void) {
  static struct svm_node nodes[kRows][2];
  static struct svm_node* starts[kRows];
  static double labels[kRows], targets[kRows];
  size_t printed = 0, warned = 0;
  struct svm_parameter param;
  struct svm_rows rows;
  struct svm_model* model;
  int i;
  for (i = 0; i < kRows; ++i) {
    nodes[i][0].index = 1;
    nodes[i][0].value = i % 2 == 0 ? 1 + i : -1 - i;
    nodes[i][1].index = -1;
    starts[i] = nodes[i];
    labels[i] = i % 2 == 0 ? 1 : -1;
  }
  memset(&param, 0, sizeof param);
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;
  param.probability = 1;

  memset(&block, kGarbage, sizeof block);
  memset(&rows, 0, sizeof rows);
  rows.size = sizeof rows;
  rows.rows = kRows;
  rows.nodes = starts;
  block.result.size = sizeof block.result;
  svm_init_options(&block.options, sizeof block.options);
  expect(block.options.size == sizeof block.options, "the size is that of this program");
  expect(block.options.seed == -1 && block.options.solver == NULL, "defaults");
  expect(is_untouched(), "defaults are written to the structure only");
  block.options.solver = "csmo"; /* which has options that are not there */
  block.options.print = count;
  block.options.print_user = &printed;
  block.options.warn = count;
  block.options.warn_user = &warned;
  block.options.max_iter = 1; /* for a warning */
  expect(svm_check_options(&param, &block.options) == NULL, "the options are good");
  model = svm_train_rows(&rows, labels, &param, &block.options, &block.result);
  expect(model != NULL, "training");
  expect(block.result.problems > 0 && block.result.iterations > 0, "a result");
  expect(svm_cross_validate_rows(&rows, labels, &param, 4, &block.options, targets,
                                 &block.result) == 0,
         "cross validation");
  expect(printed > 0 && warned > 0, "messages and warnings");
  expect(is_untouched(), "calls write nothing there");
  svm_free_and_destroy_model(&model);
  if (failures == 0) printf("the structures of older programs stay whole\n");
  return failures == 0 ? 0 : 1;
}
