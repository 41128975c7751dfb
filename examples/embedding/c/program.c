/* LIBSVM in a C program: trains, keeps the model as text in memory, predicts with what was read
 * from there, and meets two errors.  Exits with 1 where something is not as it should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svm.h"

enum { kSide = 20, kRows = kSide * kSide };

/* Points of a square, of class 1 in a disc and of class -1 around it. */
struct Points {
  struct svm_node nodes[kRows][3];
  struct svm_node* rows[kRows];
  double labels[kRows];
};

/* Where the program's messages go. */
struct Console {
  FILE* file;
  size_t messages, warnings;
};

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong: %s; last error: %s\n", what, svm_last_error());
  exit(EXIT_FAILURE);
}

static struct svm_problem problem_of(struct Points* points) {
  struct svm_problem problem;
  int i;
  for (i = 0; i < kRows; ++i) {
    const double x = (i % kSide - 9.5) / 9.5, y = (i / kSide - 9.5) / 9.5;
    struct svm_node* const row = points->nodes[i];
    row[0].index = 1;
    row[0].value = x;
    row[1].index = 2;
    row[1].value = y;
    row[2].index = -1;
    row[2].value = 0;
    points->rows[i] = row;
    points->labels[i] = x * x + y * y < 0.5 ? 1 : -1;
  }
  problem.l = kRows;
  problem.y = points->labels;
  problem.x = points->rows;
  return problem;
}

static struct svm_parameter parameters(void) {
  struct svm_parameter param;
  memset(&param, 0, sizeof param);
  param.svm_type = C_SVC;
  param.kernel_type = RBF;
  param.gamma = 1;
  param.C = 10;
  param.eps = 0.001;
  param.cache_size = 10;
  param.shrinking = 1;
  return param;
}

static void print(const char* text, void* user) {
  struct Console* const console = user;
  ++console->messages;
  fputs(text, console->file);
}

static void warn(const char* text, void* user) {
  struct Console* const console = user;
  ++console->warnings;
  fputs(text, console->file);
}

static struct svm_model* train(const struct svm_problem* problem, struct Console* console) {
  struct svm_parameter param = parameters();
  struct svm_options options;
  struct svm_model* model;
  static int unknown_class = 7; /* outlives the model, which refers to it */
  static double weight = 2;

  param.nr_weight = 1; /* of a class that no row has: a warning */
  param.weight_label = &unknown_class;
  param.weight = &weight;
  require(svm_check_parameter(problem, &param) == NULL, "parameters");

  svm_init_options(&options, sizeof options);
  options.print = print;
  options.print_user = console;
  options.warn = warn;
  options.warn_user = console;
  model = svm_train_ex(problem, &param, &options, NULL);
  require(model != NULL, "svm_train_ex");
  require(console->messages > 0 && console->warnings > 0, "messages and warnings");
  return model;
}

/* With all digits of the features too, a model read back is the model that was saved. */
static char* save(const struct svm_model* model, size_t* size) {
  struct svm_save_options digits = {sizeof(struct svm_save_options), 17, 17};
  char* const text = svm_save_model_to_memory(model, &digits, size);
  require(text != NULL, "svm_save_model_to_memory");
  return text;
}

static void compare(const struct svm_model* trained, const struct svm_model* loaded,
                    const struct svm_problem* problem) {
  int i, right = 0;
  for (i = 0; i < problem->l; ++i) {
    double a, b;
    svm_predict_values(trained, problem->x[i], &a);
    right += svm_predict_values(loaded, problem->x[i], &b) == problem->y[i];
    require(memcmp(&a, &b, sizeof a) == 0, "decision value of the model read back");
  }
  printf("%d of %d rows right\n", right, problem->l);
  require(right > problem->l * 0.97, "predictions");
}

static void meet_errors(const struct svm_problem* problem, const char* text, size_t size) {
  struct svm_parameter param = parameters();
  const char* fault;

  require(svm_load_model_from_memory(text, size / 2) == NULL, "half a model is refused");
  printf("half a model: %s\n", svm_last_error());

  param.C = -1;
  fault = svm_check_parameter(problem, &param);
  require(fault != NULL, "a negative C is refused");
  printf("a negative C: %s\n", fault);
}

int main(void) {
  static struct Points points;
  const struct svm_problem problem = problem_of(&points);
  struct Console console = {NULL, 0, 0};
  struct svm_model *trained, *loaded;
  char* text;
  size_t size;

  console.file = stdout;
  trained = train(&problem, &console);
  text = save(trained, &size);
  loaded = svm_load_model_from_memory(text, size);
  require(loaded != NULL, "svm_load_model_from_memory");
  compare(trained, loaded, &problem);
  meet_errors(&problem, text, size);

  svm_free_and_destroy_model(&loaded);
  svm_free(text);
  svm_free_and_destroy_model(&trained); /* before the points, which it refers to */
  return EXIT_SUCCESS;
}
