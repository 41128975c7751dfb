/* LIBSVM in a C program: trains, keeps the model as text in memory, predicts with what was read
 * from there, and meets two errors.  Exits with 1 where something is not as it should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svm_ext.h"

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

static void make(struct Points* points) {
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
}

static struct svm_rows rows_of(const struct Points* points) {
  struct svm_rows rows = {0};
  rows.size = sizeof rows;
  rows.rows = kRows;
  rows.layout = SVM_NODES;
  rows.nodes = points->rows;
  return rows;
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

static struct svm_model* train(const struct Points* points, struct Console* console) {
  const struct svm_rows rows = rows_of(points);
  struct svm_parameter param = parameters();
  struct svm_options options;
  struct svm_model* model;
  int unknown_class = 7;
  double weight = 2;

  param.nr_weight = 1; /* of a class that no row has: a warning */
  param.weight_label = &unknown_class;
  param.weight = &weight;

  svm_init_options(&options, sizeof options);
  options.print = print;
  options.print_user = console;
  options.warn = warn;
  options.warn_user = console;
  model = svm_train_rows(&rows, points->labels, &param, &options, NULL);
  require(model != NULL, "svm_train_rows");
  require(console->messages > 0 && console->warnings > 0, "messages and warnings");
  return model;
}

/* With all digits of the features, a model read back is the model that was saved. */
static char* save(const struct svm_model* model, size_t* size) {
  char* const text = svm_model_text(model, 17, size);
  require(text != NULL, "svm_model_text");
  return text;
}

static void compare(const struct svm_model* trained, const struct svm_model* loaded,
                    const struct Points* points) {
  int i, right = 0;
  for (i = 0; i < kRows; ++i) {
    double a, b;
    svm_predict_values(trained, points->rows[i], &a);
    right += svm_predict_values(loaded, points->rows[i], &b) == points->labels[i];
    require(memcmp(&a, &b, sizeof a) == 0, "decision value of the model read back");
  }
  printf("%d of %d rows right\n", right, kRows);
  require(right > kRows * 0.97, "predictions");
}

static void meet_errors(const struct Points* points, const char* text, size_t size) {
  const struct svm_rows rows = rows_of(points);
  struct svm_parameter param = parameters();

  require(svm_parse_model(text, size / 2) == NULL, "half a model is refused");
  printf("half a model: %s\n", svm_last_error());

  param.C = -1;
  require(svm_train_rows(&rows, points->labels, &param, NULL, NULL) == NULL,
          "a negative C is refused");
  printf("a negative C: %s\n", svm_last_error());
}

int main(void) {
  static struct Points points;
  struct Console console = {NULL, 0, 0};
  struct svm_model *trained, *loaded;
  char* text;
  size_t size;

  make(&points);
  console.file = stdout;
  trained = train(&points, &console);
  text = save(trained, &size);
  loaded = svm_parse_model(text, size);
  require(loaded != NULL, "svm_parse_model");
  compare(trained, loaded, &points);
  meet_errors(&points, text, size);

  svm_free_and_destroy_model(&loaded);
  svm_free_text(text);
  svm_free_and_destroy_model(&trained);
  return EXIT_SUCCESS;
}
