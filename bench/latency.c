// Times single calls that predict one row: those of another LIBSVM and those of this library, in
// turns, in one process.
//
//   latency MODEL DATA OWN_LIBRARY PEER_LIBRARY [CALLS [RUNS]]
//
// A run makes CALLS calls (2000) of each kind for their mean processor time, which other programs
// affect less, and as many again with a clock around each, for p50 and p99 of the elapsed times.
// They take the rows of DATA round robin.  Prints the median over RUNS (7) of the means,
// percentiles over the calls of all runs, and the median of the ratios peer / own, each of means of
// the same run.  Percentiles include the time of one reading of the clock, which is printed.
//
// Before that, it predicts all rows in every way and compares.  The peer's values may have other
// last digits, which are only counted.  The memory that a load takes, and that predictions add, is
// the growth of a child process's resident memory, without pages of files (such as code).
//
// Exits with status 1 if a label differs, and with status 2 if something fails.
#include <dlfcn.h>
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

#include "../svm_ext.h"

enum { kLoads = 5, kFirstCalls = 100, kReadings = 100000 };

// Calls are compared with the peer's, which are the first two, without values and with them.
enum Way { kPeer, kOwn, kHandMade, kPredictor, kDense };
static const struct Kind {
  const char* name;
  enum Way way;
  int with_values;
} kKinds[] = {{"peer", kPeer, 0},
              {"peer-values", kPeer, 1},
              {"own", kOwn, 0},
              {"own-values", kOwn, 1},
              {"hand-made", kHandMade, 0},
              {"predictor", kPredictor, 0},
              {"predictor-values", kPredictor, 1},
              {"predictor-dense", kDense, 0}};
enum { kKindCount = sizeof(kKinds) / sizeof(kKinds[0]) };

static void* allocate(size_t count, size_t size) {
  void* const block = calloc(count, size);
  if (block == NULL) errx(2, "out of memory");
  return block;
}

// The time is in microseconds.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double percentile(double* numbers, size_t count, double part) {
  qsort(numbers, count, sizeof(double), ascending);
  return numbers[(size_t)((double)(count - 1) * part)];
}

// ---- Rows ----

struct Rows {
  size_t count, columns;  // columns is the largest feature number
  struct svm_node** row;
};

// Reads the pairs of a line into nodes that have room for them and the terminator.
static void parse(const char* line, struct svm_node* node, size_t* columns) {
  const char* at = line + strcspn(line, " \t\n");
  for (char* end; at[strspn(at, " \t\r\n")] != '\0'; at = end, ++node) {
    node->index = (int)strtol(at, &end, 10);
    if (end == at || *end != ':') errx(2, "this is no svmlight row: %s", line);
    node->value = strtod(end + 1, &end);
    if (node->index > (int)*columns) *columns = (size_t)node->index;
  }
  node->index = -1;
}

static struct Rows read_rows(const char* path) {
  FILE* const file = fopen(path, "r");
  if (file == NULL) errx(2, "cannot open %s", path);
  struct Rows rows = {0, 0, NULL};
  size_t size = 0;
  char* line = NULL;
  while (getline(&line, &size, file) > 0) {
    size_t pairs = 0;
    for (const char* c = line; *c != '\0'; ++c) pairs += *c == ':';
    if ((rows.count & (rows.count - 1)) == 0) {  // 0 or a power of two
      rows.row = realloc(rows.row, (2 * rows.count + 1) * sizeof(*rows.row));
    }
    if (rows.row == NULL) errx(2, "out of memory");
    rows.row[rows.count] = allocate(pairs + 1, sizeof(struct svm_node));
    parse(line, rows.row[rows.count++], &rows.columns);
  }
  free(line);
  fclose(file);
  if (rows.count == 0) errx(2, "%s has no rows", path);
  return rows;
}

static double* dense_rows(const struct Rows* rows, size_t columns) {
  double* const values = allocate(rows->count * columns, sizeof(double));
  for (size_t i = 0; i < rows->count; ++i) {
    for (const struct svm_node* node = rows->row[i]; node->index != -1; ++node) {
      if (node->index > 0) values[i * columns + (size_t)node->index - 1] = node->value;
    }
  }
  return values;
}

// ---- Libraries ----

// This may be a LIBSVM of any version, whose struct svm_model has another layout.
struct Library {
  void* handle;
  struct svm_model* (*load)(const char*);
  void (*release)(struct svm_model**);
  double (*predict)(const struct svm_model*, const struct svm_node*);
  double (*values)(const struct svm_model*, const struct svm_node*, double*);
};

// Older versions of this library have no such predictors.
struct Predictors {
  struct svm_predictor* (*make)(const struct svm_model*, int copy);
  int (*predict)(const struct svm_predictor*, const struct svm_rows*, size_t threads,
                 double* predictions, double* values, double* probabilities);
  size_t (*bytes)(const struct svm_predictor*);
  void (*release)(struct svm_predictor*);
};

// Sets a pointer to a function, which may be missing unless it is required.
static void find(void* handle, const char* name, void* function, int required) {
  void* const found = dlsym(handle, name);
  if (found == NULL && required) errx(2, "%s", dlerror());
  memcpy(function, &found, sizeof(found));
}

static struct Library open_library(const char* path) {
  struct Library library = {dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL, NULL, NULL, NULL};
  if (library.handle == NULL) errx(2, "%s", dlerror());
  find(library.handle, "svm_load_model", &library.load, 1);
  find(library.handle, "svm_free_and_destroy_model", &library.release, 1);
  find(library.handle, "svm_predict", &library.predict, 1);
  find(library.handle, "svm_predict_values", &library.values, 1);
  return library;
}

static struct svm_model* load(const struct Library* library, const char* path) {
  struct svm_model* const model = library->load(path);
  if (model == NULL) errx(2, "cannot load %s", path);
  return model;
}

static double load_time(const struct Library* library, const char* path) {
  double times[kLoads];
  for (int i = 0; i < kLoads; ++i) {
    const double start = now();
    struct svm_model* model = load(library, path);
    times[i] = now() - start;
    library->release(&model);
  }
  return percentile(times, kLoads, 0.5);
}

static long private_kilobytes(void) {
  long resident = 0, shared = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*s %ld %ld", &resident, &shared) != 2) {
    errx(2, "cannot read /proc/self/statm");
  }
  fclose(file);
  return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
}

// Loads the model and predicts in a child process, and prints what memory that took.
static void print_memory(const char* who, const char* path, const char* model_path,
                         const struct Rows* rows) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == -1) errx(2, "cannot fork");
  if (child == 0) {
    const struct Library library = open_library(path);
    const long before = private_kilobytes();
    const struct svm_model* const model = load(&library, model_path);
    const long loaded = private_kilobytes();
    const double start = now();
    library.predict(model, rows->row[0]);
    const double first = now() - start;
    for (size_t i = 1; i < kFirstCalls; ++i) library.predict(model, rows->row[i % rows->count]);
    printf("memory-%s: load %ld kB, %d predictions %ld kB more, first call %.3f us\n", who,
           loaded - before, kFirstCalls, private_kilobytes() - loaded, first);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) errx(2, "the child process failed");
}

// ---- Measurements ----

struct Bench {
  struct Rows rows;
  struct Library libraries[kPredictor];  // by way
  struct svm_model* models[kPredictor];
  struct Predictors predictors;
  struct svm_predictor* predictor;  // null if the library has none
  double* dense;
  size_t columns, numbers;  // numbers is the number of decision values of a row
  int kinds;                // those of a predictor are the last
};

// The values may be null.
static double predict(const struct Bench* b, enum Way way, size_t row, double* values) {
  const struct svm_node* const x = b->rows.row[row];
  if (way == kPredictor || way == kDense) {
    struct svm_rows rows = {.size = sizeof(rows), .rows = 1, .layout = SVM_NODES};
    rows.nodes = b->rows.row + row;
    if (way == kDense) {
      rows.layout = SVM_DENSE;
      rows.columns = rows.stride = b->columns;
      rows.values = b->dense + row * b->columns;
    }
    double label;
    const int status = b->predictors.predict(b->predictor, &rows, 1, &label, values, NULL);
    return status == 0 ? label : NAN;
  }
  const struct Library* const library = &b->libraries[way];
  return values == NULL ? library->predict(b->models[way], x)
                        : library->values(b->models[way], x, values);
}

// Compares with the peer: the labels that each way gives without values and with them, and the
// values of svm_predict_values, with which other values are compared.  Returns how many labels
// differ.
static size_t compare(const struct Bench* b) {
  double* const peers = allocate(3 * b->numbers, sizeof(double));
  double *const owns = peers + b->numbers, *const others = owns + b->numbers;
  size_t all = 0;
  for (const struct Kind* kind = kKinds; kind < kKinds + b->kinds; ++kind) {
    if (kind->with_values || kind->way == kPeer) continue;
    size_t labels = 0, values = 0;
    for (size_t i = 0; i < b->rows.count; ++i) {
      const double label = predict(b, kPeer, i, NULL);
      predict(b, kPeer, i, peers);
      predict(b, kOwn, i, owns);
      labels += predict(b, kind->way, i, NULL) != label;
      labels += predict(b, kind->way, i, others) != label;
      for (size_t k = 0; k < b->numbers; ++k) {
        const double* const expected = kind->way == kOwn ? peers : owns;
        values += memcmp(&expected[k], &others[k], sizeof(double)) != 0;
      }
    }
    printf("%s-check: labels of %zu of %zu calls differ, %zu of %zu values\n", kind->name, labels,
           2 * b->rows.count, values, b->rows.count * b->numbers);
    all += labels;
  }
  return all;
}

// Returns the mean processor time of a call.  Unless singles is null, it gets each elapsed time.
static double time_calls(const struct Bench* b, const struct Kind* kind, double* values,
                         size_t calls, double* singles) {
  const double start = (double)clock();
  for (size_t i = 0, row = 0; i < calls; ++i) {
    const double before = singles != NULL ? now() : 0;
    predict(b, kind->way, row, kind->with_values ? values : NULL);
    if (singles != NULL) singles[i] = now() - before;
    if (++row == b->rows.count) row = 0;
  }
  return ((double)clock() - start) * (1e6 / CLOCKS_PER_SEC) / (double)calls;
}

static void measure(const struct Bench* b, size_t calls, size_t runs) {
  double *means[kKindCount], *ratios[kKindCount], *singles[kKindCount];
  double* const values = allocate(b->numbers, sizeof(double));
  for (int k = 0; k < b->kinds; ++k) {
    means[k] = allocate(runs, sizeof(double));
    ratios[k] = allocate(runs, sizeof(double));
    singles[k] = allocate(runs * calls, sizeof(double));
  }
  for (size_t r = 0; r < runs; ++r) {
    for (int k = 0; k < b->kinds; ++k) {
      means[k][r] = time_calls(b, &kKinds[k], values, calls, NULL);
      time_calls(b, &kKinds[k], values, calls, singles[k] + r * calls);
      ratios[k][r] = means[kKinds[k].with_values][r] / means[k][r];
    }
  }
  for (int k = 0; k < b->kinds; ++k) {
    printf("%s: mean %.3f us, p50 %.3f us, p99 %.3f us, ratio %.2f\n", kKinds[k].name,
           percentile(means[k], runs, 0.5), percentile(singles[k], runs * calls, 0.5),
           percentile(singles[k], runs * calls, 0.99), percentile(ratios[k], runs, 0.5));
  }
}

// Makes the predictor, without a copy of the model, if the library has predictors.
static void make_predictor(struct Bench* b) {
  struct Predictors* const p = &b->predictors;
  void* found = NULL;
  find(b->libraries[kOwn].handle, "svm_arrays_of_model", &found, 0);  // as old as these predictors
  if (found != NULL) find(b->libraries[kOwn].handle, "svm_make_predictor", &p->make, 1);
  b->kinds = p->make != NULL ? kKindCount : kKindCount - 3;
  if (p->make == NULL) return;
  find(b->libraries[kOwn].handle, "svm_predict_rows", &p->predict, 1);
  find(b->libraries[kOwn].handle, "svm_predictor_bytes", &p->bytes, 1);
  find(b->libraries[kOwn].handle, "svm_free_predictor", &p->release, 1);
  struct svm_predictor* const copy = p->make(b->models[kOwn], 1);
  struct svm_predictor* const plain = p->make(b->models[kOwn], 0);
  if (copy == NULL || plain == NULL) errx(2, "cannot make a predictor");
  printf("predictor-bytes: %zu, with a copy of the model %zu\n", p->bytes(plain), p->bytes(copy));
  b->predictor = plain;
  p->release(copy);
  b->dense = dense_rows(&b->rows, b->columns);
}

int main(int argc, char** argv) {
  if (argc < 5) errx(2, "latency MODEL DATA OWN_LIBRARY PEER_LIBRARY [CALLS [RUNS]]");
  const char* const path = argv[1];
  const long calls = argc > 5 ? atol(argv[5]) : 2000, runs = argc > 6 ? atol(argv[6]) : 7;
  if (calls < 1 || runs < 1) errx(2, "CALLS and RUNS are at least 1");
  const struct Rows rows = read_rows(argv[2]);
  // The children begin without any library, so that both load all that they need.
  print_memory("peer", argv[4], path, &rows);
  print_memory("own", argv[3], path, &rows);

  struct Library peer = open_library(argv[4]), own = open_library(argv[3]);
  printf("load: peer %.0f us, own %.0f us\n", load_time(&peer, path), load_time(&own, path));
  // The library cannot know the copy as a model that it has made.
  struct svm_model* const model = load(&own, path);
  struct svm_model* const copy = allocate(1, sizeof(*copy));
  memcpy(copy, model, sizeof(*copy));
  struct Bench b = {
      rows, {peer, own, own}, {load(&peer, path), model, copy}, .columns = rows.columns};
  b.numbers = (size_t)(model->label != NULL ? model->nr_class * (model->nr_class - 1) / 2 : 1);
  for (int s = 0; s < model->l; ++s) {
    for (const struct svm_node* node = model->SV[s]; node->index != -1; ++node) {
      if (node->index > (int)b.columns) b.columns = (size_t)node->index;
    }
  }
  printf("model: %d support vectors, %zu features, %zu values\n", model->l, b.columns, b.numbers);
  make_predictor(&b);
  const double start = now();
  for (int i = 0; i < kReadings; ++i) now();
  printf("clock: %.4f us\n", (now() - start) / kReadings);
  const int status = compare(&b) == 0 ? 0 : 1;
  measure(&b, (size_t)calls, (size_t)runs);
  return status;
}
