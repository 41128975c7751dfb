/* A program as one compiled against the first version of svm_options: it declares the structures
 * and functions itself, as they were, and has bytes of its own behind them.  Exit 0 when the
 * library leaves these alone. */
#include <stdio.h>
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

struct svm_options {
  size_t size;
  const char* solver;
  long long max_iterations;
  double time_limit;
  int use_seed;
  unsigned int seed;
  int (*progress)(const void* progress, void* user);
  void* progress_user;
  void (*print)(const char* text, void* user);
  void* print_user;
  int free_set;
  size_t threads;
  const void* init;
  int fixed_threshold;
  double bias;
  size_t landmarks;
  int landmark_sampling;
  int reserved;
};

struct svm_model;
void svm_default_options(struct svm_options*);
const char* svm_check_options(const struct svm_parameter*, const struct svm_options*);
struct svm_model* svm_train_ex(const struct svm_problem*, const struct svm_parameter*,
                               const struct svm_options*, void* result);
int svm_cross_validation_ex(const struct svm_problem*, const struct svm_parameter*, int,
                            const struct svm_options*, double*, void* result);
void svm_free_and_destroy_model(struct svm_model**);

enum { kRows = 20, kGarbage = 0x5a };

/* What stands behind the options would be weights, a random and a warning function. */
static struct {
  struct svm_options options;
  unsigned char behind[256];
} block;

static int failures = 0;
static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "older client: not so: %s\n", what);
  ++failures;
}

static int is_untouched(void) {
  size_t i;
  for (i = 0; i < sizeof block.behind; ++i) {
    if (block.behind[i] != kGarbage) return 0;
  }
  return 1;
}

static size_t printed = 0;
static void count_print(const char* text, void* user) {
  (void)user;
  printed += strlen(text);
}

int main(void) {
  static struct svm_node nodes[kRows][2];
  static struct svm_node* rows[kRows];
  static double labels[kRows], targets[kRows];
  struct svm_problem problem;
  struct svm_parameter param;
  struct svm_model* model;
  int i;
  for (i = 0; i < kRows; ++i) {
    nodes[i][0].index = 1;
    nodes[i][0].value = i % 2 == 0 ? 1 + i : -1 - i;
    nodes[i][1].index = -1;
    rows[i] = nodes[i];
    labels[i] = i % 2 == 0 ? 1 : -1;
  }
  problem.l = kRows;
  problem.y = labels;
  problem.x = rows;
  memset(&param, 0, sizeof param);
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;
  param.probability = 1;

  memset(&block, kGarbage, sizeof block);
  svm_default_options(&block.options);
  expect(block.options.size == sizeof block.options, "the size is that of this program");
  expect(block.options.free_set == 1 && block.options.solver == NULL, "defaults");
  expect(is_untouched(), "defaults are written to the structure only");
  block.options.print = count_print;
  block.options.max_iterations = 1; /* for a warning */
  expect(svm_check_options(&param, &block.options) == NULL, "the options are good");
  model = svm_train_ex(&problem, &param, &block.options, NULL);
  expect(model != NULL, "training");
  expect(svm_cross_validation_ex(&problem, &param, 4, &block.options, targets, NULL) == 0,
         "cross validation");
  expect(printed > 0, "messages");
  expect(is_untouched(), "calls write nothing there");
  svm_free_and_destroy_model(&model);
  if (failures == 0) printf("the structures of older programs stay whole\n");
  return failures == 0 ? 0 : 1;
}
