/* svm_ext.h: what this library has beyond LIBSVM's svm.h: solvers, rows in the caller's own layout,
 * kernels of one's own, limits, progress, cancellation, models in memory.  docs/c-interface.md has
 * ten examples.  What svm.h says of threads, errors and callbacks holds here as well.  Besides:
 *
 * Structures that may grow begin with their size: the caller sets it to sizeof the structure, and
 * members that it does not use to 0.  Later versions add members at the end; none is moved, removed
 * or given another meaning.  Members that a structure of an earlier version lacks are taken as
 * their defaults, or stay unwritten.  A size that no version had so far is an error.  On 64-bit
 * systems no structure ends in padding; members called reserved, which are 0, fill gaps.
 *
 * An exception from a function for warnings, draws or kernel values reaches the caller.  One from a
 * progress function cancels the call and goes no further.
 */
#ifndef SVM_EXT_H_
#define SVM_EXT_H_

#include <stddef.h>

#include "svm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts.  C89 and C++98 have no name for 64 bits. */
#if defined(__GNUC__) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L) && \
    (!defined(__cplusplus) || __cplusplus < 201103L)
typedef int svm_count __attribute__((__mode__(__DI__)));
#else
typedef long long svm_count;
#endif

/* ---- Rows ---- */

enum svm_layout {
  SVM_NODES = 0,     /* arrays of nodes, as in struct svm_problem */
  SVM_DENSE = 1,     /* rows of numbers */
  SVM_CSR_INT32 = 2, /* compressed sparse rows with 32-bit indices */
  SVM_CSR_INT64 = 3, /* compressed sparse rows with 64-bit indices */
  SVM_FUNCTION = 4   /* no features, but a function that computes kernel values */
};
enum svm_value_type { SVM_DOUBLE = 0, SVM_FLOAT = 1 };

/* Rows in memory of the caller, used in place.  The caller owns everything.  The library never
 * writes it, it must not change during a call, and models do not refer to it.  Values must be
 * finite, which is not checked; all else that contradicts this description is refused.
 *
 * Column j >= 0 of dense and compressed rows is feature j+1.  If param->kernel_type is PRECOMPUTED,
 * nodes are as in svm.h, and column j holds the kernel value with row j of the training data.
 *
 * SVM_FUNCTION is for a kernel of one's own, with param->kernel_type PRECOMPUTED.  `kernel` writes
 * count >= 1 values K(row, others[j]) to values[j].  In training, `row` and `others` are numbers of
 * these rows, from 0, and K must be symmetric and should be positive semidefinite.  In prediction,
 * `row` is the number of a row to predict, and `others` are those of the support vectors in the
 * training data; no other values are asked for.  A saved model is that of a precomputed kernel. */
struct svm_rows {
  size_t size;                   /* sizeof(struct svm_rows) */
  size_t rows;                   /* number of rows, up to INT_MAX */
  size_t columns;                /* dense, CSR: up to INT_MAX - 1 */
  int layout;                    /* enum svm_layout */
  int value_type;                /* dense, CSR: enum svm_value_type */
  struct svm_node* const* nodes; /* nodes: `rows` arrays */
  const void* values;            /* dense: value j of row i is values[i * stride + j] */
  size_t stride;                 /* dense: values from row to row, >= columns */
  const void* row_starts;        /* CSR: rows + 1 numbers that never decrease: row i has the values
                                    with row_starts[i] <= index < row_starts[i + 1] */
  const void* column_numbers;    /* CSR: the column of each value, ascending within a row */
  void (*kernel)(void* user, int row, const int* others, int count, double* values);
  void* kernel_user;
  int kernel_threads; /* 1: several threads may call kernel at once; 0: the call uses one thread */
  int reserved;
};

/* ---- Training ---- */

/* Why training ended.  The model satisfies the tolerance only with SVM_CONVERGED.  It is usable in
 * every case unless a kernel value was beyond the range of double (see svm_train). */
enum svm_status {
  SVM_CONVERGED = 0,       /* the KKT violation is below eps */
  SVM_ITERATION_LIMIT = 1, /* max_iter, or LIBSVM's cap, was reached */
  SVM_TIME_LIMIT = 2,      /* time_limit was reached */
  SVM_CANCELLED = 3,       /* the progress function cancelled */
  SVM_STALLED = 4,         /* no progress: rounded kernel values made the solver cycle */
  SVM_IMPRECISE = 5        /* rounding hides whether the KKT violation is below eps (scale the
                              features), or nu is too large for nu-SVC to find a margin */
};

/* State of a training, set by the library.  While it works outside of binary problems (packing
 * rows, predicting, fitting probabilities) only the seconds change.  Before the first binary
 * problem, `problem` is 1 and all other numbers except the seconds are 0. */
struct svm_progress {
  size_t size;          /* bytes that the library has set */
  svm_count problem;    /* number of the binary problem, from 1, in the order of their start: class
                           pairs, folds, folds of probability fits.  Several may run at once. */
  svm_count iterations; /* on this binary problem */
  svm_count total_iterations; /* in this call */
  double seconds;             /* since the call began */
  double objective;           /* dual objective, which is minimised */
  double violation;           /* KKT violation over the active variables */
  size_t active;              /* number of variables that are not shrunk */
  size_t variables;           /* number of variables: one per row, two per row for regressions */
  svm_count kernel_rows;      /* computed for this binary problem */
  svm_count conjugate_steps;  /* this and the next three as in svm_result, of this binary problem */
  svm_count clipped_steps;
  svm_count phases;
  svm_count outer_steps;
  int finished; /* 1 from the last call for this binary problem until the next */
  int reserved;
};

/* Options of a call, initialised by svm_init_options(); members have the names of svm-train's long
 * options.  An option that the solver does not have must keep its default. */
struct svm_options {
  size_t size; /* set by svm_init_options() */
  /* Name or number of a solver, as listed by svm_list_solvers().  Null, the default: the solver
   * that the environment variable LIBSVM_SOLVER names, or smo, which takes LIBSVM's steps. */
  const char* solver;
  svm_count max_iter; /* for each binary problem; 0, the default: LIBSVM's, at least 10,000,000 */
  double time_limit;  /* of the call, in seconds; 0, the default: none */
  /* Threads of this call, the calling one included, up to 1024.  0, the default: the number in the
   * environment variable SVM_NUM_THREADS, or one for each processor that the process may use, up
   * to the number in OMP_NUM_THREADS.  Results do not depend on it. */
  size_t threads;
  /* Weights of the rows, one finite number >= 0 for each, owned by the caller.  They multiply C of
   * their rows (C_SVC, EPSILON_SVR, NU_SVR) or their variables' upper bounds (NU_SVC, ONE_CLASS),
   * and nu is a fraction of their sum, as with scikit-learn's sample_weight.  A row of weight 0 is
   * left out of training, although sv_indices count it and cross validation predicts it.  Training
   * fails if no row or only one of the classes is left.  Null, the default: all weights are 1. */
  const double* row_weights;
  /* smo, csmo, smo1: a model of the same type and kernel, trained on the same rows, from whose
   * coefficients, clipped to the bounds, training starts; owned by the caller.  If it does not
   * match the problem, training fails.  Cross validation ignores it.  Null, the default: none. */
  const struct svm_model* init;
  /* Seed of the draws for folds, 0 to 2^32 - 1, which are then those of the GNU C library's rand()
   * after srand(seed) on every system, and of dcd, avsf, pegasos and snacks.  -1, the default:
   * folds are drawn as svm_set_random_function() says, and those solvers' seed is a constant. */
  svm_count seed;
  /* svm_set_random_function() for this call.  Must be null if there is a seed. */
  int (*random)(int n, void* user);
  void* random_user;
  /* Called at the start of each binary problem, every few dozen iterations and at its end, and
   * about every 0.02 seconds during longer work, on the thread that does the work, but by one
   * thread at a time: set `threads` to 1 if it may only run on the calling thread.  `progress` is
   * valid during the call only.  If it returns another value than 0, or throws, the call is
   * cancelled, and the model of the current iterate returned. */
  int (*progress)(const struct svm_progress* progress, void* user);
  void* progress_user;
  /* Receive the messages and warnings of this call instead of the functions for the process. `text`
   * is valid during the call only.  warn also gets texts that begin with "NOTE: ", about trainings
   * that did what LIBSVM does without a word, which may not be what was meant. */
  void (*print)(const char* text, void* user);
  void* print_user;
  void (*warn)(const char* text, void* user);
  void* warn_user;
  /* Null, or arrays of problem_room elements, owned by the caller, that receive the iterations and
   * the status of each binary problem of the model, in the order of its decision values; those
   * beyond are left out.  Cross validation does not write them, nor does a call that fails. */
  svm_count* problem_iterations;
  int* problem_status; /* enum svm_status */
  size_t problem_room;
  size_t landmarks;    /* pegasos, snacks: landmark rows for each binary problem; 0: 1000 */
  double bias;         /* dcd, avsf: a feature of this value, up to 1e100, is added to every row, as
                          threshold; 0, the default: none */
  int free_set;        /* csmo: phases over the free variables; 1, the default, or 0 */
  int fixed_threshold; /* platt: the threshold stays 0, and one variable moves at a time */
  int as_published;    /* all but smo: the algorithm of the solver's paper, with nothing added, and
                          ended by the paper's rule (docs/solvers.md) */
  int first_order;     /* csmo with as_published: pairs are chosen by first order, not second */
  int quiet;           /* no messages are made, whatever prints them; warnings are */
  int reserved;
};

/* Results of a call: sums over its binary problems, unless stated otherwise.  Left unchanged if the
 * call fails. */
struct svm_result {
  size_t size;        /* sizeof(struct svm_result) */
  svm_count problems; /* number of binary problems */
  svm_count iterations;
  svm_count conjugate_steps; /* iterations along a conjugate direction, clipped ones included */
  svm_count clipped_steps;   /* conjugate steps that met a bound */
  svm_count phases;          /* phases over the free variables */
  svm_count outer_steps;     /* iterations of csmo that solve for a working set */
  double objective;          /* dual objective */
  double violation;          /* largest KKT violation */
  svm_count kernel_rows;     /* kernel rows computed, whole or in part */
  double kernel_seconds;     /* spent on computing kernel rows, all threads together */
  double seconds;            /* spent in solvers, kernel rows included, all threads together */
  int status;                /* enum svm_status: SVM_CONVERGED if all problems converged, else the
                                status of the last one that did not */
  int reserved;
};

/* Initialises options of `size` bytes, sizeof(struct svm_options) as the caller knows it: sets the
 * size, and all members to their defaults.  Bytes beyond those that this library knows become 0.
 * If `size` is less than that of the member size, nothing is written. */
SVM_API void svm_init_options(struct svm_options* options, size_t size);

/* Null if the options, LIBSVM_SOLVER and the type and kernel of param are compatible, else a
 * message, which is never freed.  Both pointers may be null; param is then not checked. */
SVM_API const char* svm_check_options(const struct svm_parameter* param,
                                      const struct svm_options* options);

/* A table of the solvers: name and number, types, kernels, method and source.  Never freed. */
SVM_API const char* svm_list_solvers(void);

/* Trains a model on rows and their labels or targets y.  options, for the defaults, and result may
 * be null.  It checks the parameters as svm_check_parameter does, nu with the weights of the rows;
 * y, gamma and coef0 must be finite.  The model, the messages and the draws are those of svm_train
 * on the same rows, dense and compressed ones without zeros; but the model owns everything, and has
 * no class weights.  If the call was cancelled or reached its time limit, the model has no
 * probability estimates.  Free it with svm_free_and_destroy_model.  Null if rows, parameters or
 * options are invalid, and when svm_train returns null. */
SVM_API struct svm_model* svm_train_rows(const struct svm_rows* rows, const double* y,
                                         const struct svm_parameter* param,
                                         const struct svm_options* options,
                                         struct svm_result* result);

/* svm_cross_validation likewise; target receives rows->rows predictions.  0, or -1 on failure, with
 * every target NaN unless rows->size or rows->rows is invalid.  Limits apply to the whole call; if
 * one was reached or it was cancelled, the result is 0, and targets of unfinished folds are NaN. */
SVM_API int svm_cross_validate_rows(const struct svm_rows* rows, const double* y,
                                    const struct svm_parameter* param, int nr_fold,
                                    const struct svm_options* options, double* target,
                                    struct svm_result* result);

/* ---- Models ---- */

/* svm_save_model with so many significant digits of the features, 1 to 17; 0 is LIBSVM's 8, and
 * with 17 a loaded model predicts as the saved one, to the bit.  All other numbers have 17 digits.
 * 0, or -1 on failure. */
SVM_API int svm_write_model(const char* model_file_name, const struct svm_model* model, int digits);

/* The text of that file, in any locale, null-terminated.  Unless size is null, *size receives its
 * number of bytes without the terminator.  Free it with svm_free_text.  Null on failure. */
SVM_API char* svm_model_text(const struct svm_model* model, int digits, size_t* size);

SVM_API void svm_free_text(char* text); /* which may be null */

/* svm_load_model from `size` bytes of text, which need no terminator.  Null if it is no model. */
SVM_API struct svm_model* svm_parse_model(const char* text, size_t size);

/* The contents of a model in arrays, for bindings that do not know the layout of svm_model. */
struct svm_model_arrays {
  size_t size;                       /* sizeof(struct svm_model_arrays) */
  const struct svm_parameter* param; /* of which svm_type to coef0 are read */
  const struct svm_rows* sv;         /* l support vectors; classification: by class, in the order of
                                        label; not read for PRECOMPUTED */
  int nr_class;                      /* classification: k; not read otherwise */
  int l;                             /* number of support vectors */
  const double* const* sv_coef;      /* k-1 arrays of l coefficients; otherwise one */
  const double* rho;                 /* nr_values thresholds */
  const int* label;                  /* classification: k labels */
  const int* nr_sv;                  /* classification: k numbers, which sum to l */
  const double* prob_a; /* as probA, probB and prob_density_marks of struct svm_model; or null */
  const double* prob_b;
  const double* prob_density_marks;
  const int* sv_indices; /* l row numbers from 1, which PRECOMPUTED needs; or null */
  size_t nr_values;      /* number of decision values of a row: k(k-1)/2, or 1 for regression and
                            one-class; not read */
};

/* Makes a model, which owns copies of everything, as svm_parse_model would of a text.  Null on
 * failure: out of memory, or arrays that violate this description; values are not checked. */
SVM_API struct svm_model* svm_model_from_arrays(const struct svm_model_arrays* arrays);

/* Sets all members of `arrays` and of `sv`, to which arrays->sv then points; only their sizes must
 * be set.  All other pointers are the model's; null for what it does not have.  Rows of sv are
 * nodes, for a precomputed kernel 0:serial number.  0, or -1 on failure: a size is wrong. */
SVM_API int svm_arrays_of_model(const struct svm_model* model, struct svm_model_arrays* arrays,
                                struct svm_rows* sv);

/* Makes a smaller model with almost the same decision values.  They differ by at most 1e-12 of the
 * sum of the absolute values of their terms (for the linear kernel, products of a coefficient and
 * two feature values), and by the rounding of the given model's own sums, at most 1e-16 per term.
 * Equal support vectors are merged, those without coefficients dropped; with the linear kernel each
 * decision function becomes one vector with coefficient 1 if that is smaller: save such a model
 * with 17 digits.  The model owns everything, and has no sv_indices.  Free it with
 * svm_free_and_destroy_model.  Null if memory runs out, or nSV does not sum to l. */
SVM_API struct svm_model* svm_compact_model(const struct svm_model* model);

/* ---- Metrics ---- */

/* Learns weights by which features are to be multiplied before training and prediction, for the RBF
 * kernel: a diagonal metric, by the gradients of machines of a part of the rows (docs/metric.md).
 * weights[j] receives that of feature j+1, for j < features, which must be all of the rows.  Other
 * arguments are as of svm_train_rows; param->gamma stays as it is.  `plan` is null, or that of a
 * forest to be trained with these weights, see svm_forest_plan.  1, or 0 if rows that were held out
 * show no certain gain: all weights are 1.  -1 on failure, which leaves `weights` as they are: also
 * for other kernels, one-class and solvers on rows, such as dcd, if more than 10,000 features
 * occur, and if the call was cancelled or reached its time limit. */
struct svm_forest_plan;
SVM_API int svm_learn_metric(const struct svm_rows* rows, const double* y,
                             const struct svm_parameter* param, const struct svm_options* options,
                             const struct svm_forest_plan* plan, size_t features, double* weights);

/* ---- Prediction ---- */

/* A model packed for prediction; it does not change, and threads can share it.  Its results are
 * those of LIBSVM's three functions, to the bit.  Predictions of single rows allocate no memory
 * once each thread has made one, if no more than 16 predict at a time. */
struct svm_predictor;

/* Packs a model, in at most four times the bytes of its support vectors.  If `copy` is 0, the model
 * must outlive the predictor and must not change.  Free it with svm_free_predictor.  Null on
 * failure: out of memory. */
SVM_API struct svm_predictor* svm_make_predictor(const struct svm_model* model, int copy);

/* Predicts rows with up to `threads` threads (0: as in svm_options).  Arrays that are null are not
 * written.  predictions receives one number per row; values k(k-1)/2 or 1, as svm_predict_values;
 * probabilities k, or 2 for one-class, as svm_predict_probability, which then also decides the
 * predictions.  Predictions alone take much less time if a model is linear or RBF.  Nothing is
 * printed.  0, or -1 on failure, which leaves the arrays in any state: if one of those functions
 * fails, if the rows are invalid, or if the model lacks the probabilities. */
SVM_API int svm_predict_rows(const struct svm_predictor* predictor, const struct svm_rows* rows,
                             size_t threads, double* predictions, double* values,
                             double* probabilities);

/* Bytes of memory that the predictor holds, without the working memory of calls. */
SVM_API size_t svm_predictor_bytes(const struct svm_predictor* predictor);

SVM_API void svm_free_predictor(struct svm_predictor* predictor); /* which may be null */

/* ---- Forests ---- */

/* A forest of cells, for many rows: each of its trees cuts the rows into cells, and every cell has
 * a model of its own.  A row is predicted from the mean of its decision values in all trees.
 * docs/forest.md says when it helps.  It owns everything, and threads can share it. */
struct svm_forest;

struct svm_forest_plan {
  size_t size;  /* sizeof(struct svm_forest_plan) */
  size_t cell;  /* the most rows of a cell, from 2; 0: 2000 */
  size_t trees; /* 0: 5 */
  /* Several processes can each train a share of the cells, share < shares, of the same rows with
   * the same parameters, options and plan.  A forest of one share can be written, but not predict.
   * 0 shares: all cells.  A metric that is learned is learned by each of them. */
  size_t share;
  size_t shares;
  /* Null, or the forests of all shares, in their order.  They are joined, and nothing is trained;
   * afterwards they can only be freed. */
  struct svm_forest* const* trained;
  /* 1: no weights of features are learned; 0, the default: with the RBF kernel they are, see
   * svm_learn_metric, and predictions apply them. */
  int no_metric;
  int reserved;
  /* Null, or weights to be used instead, of which weights[j] is that of feature j+1; those of
   * further features are 1. */
  const double* weights;
  size_t features;
};

/* Trains a forest; arguments as of svm_train_rows, and plan may be null.  C-SVC, epsilon-SVR and
 * nu-SVR, all kernels but PRECOMPUTED; not for options->init and solvers on rows, such as dcd.
 * With probability estimates, some rows are held out of training, and the estimates fitted to
 * their decision values.  If the call was cancelled or reached its time limit, the forest has the
 * trees that were finished.  Free it with svm_free_forest.  Null on failure, also if no tree was
 * finished. */
SVM_API struct svm_forest* svm_train_forest(const struct svm_rows* rows, const double* y,
                                            const struct svm_parameter* param,
                                            const struct svm_options* options,
                                            const struct svm_forest_plan* plan,
                                            struct svm_result* result);

/* As svm_model_text, svm_parse_model, svm_write_model and svm_load_model. */
SVM_API char* svm_forest_text(const struct svm_forest* forest, int digits, size_t* size);
SVM_API struct svm_forest* svm_parse_forest(const char* text, size_t size);
SVM_API int svm_write_forest(const char* forest_file_name, const struct svm_forest* forest,
                             int digits);
SVM_API struct svm_forest* svm_load_forest(const char* forest_file_name);

/* As svm_predict_rows; values are those of all classes of the forest.  Many rows at once take least
 * time.  Single rows take some microseconds once each cell has predicted one. */
SVM_API int svm_predict_forest(const struct svm_forest* forest, const struct svm_rows* rows,
                               size_t threads, double* predictions, double* values,
                               double* probabilities);

struct svm_forest_facts {
  size_t size; /* sizeof(struct svm_forest_facts) */
  size_t trees;
  size_t cells;           /* of all trees */
  size_t support_vectors; /* rows that are one in some cell */
  size_t bytes;           /* of memory, without forms for prediction */
  const int* label;       /* classification: nr_class labels, which the forest owns; else null */
  int nr_class;           /* 2 for regression */
  int probability;        /* 1: it has probability estimates */
  double width;           /* regression: as svm_get_svr_probability; 0 if there are no estimates */
  const int* weighted;    /* features with a weight of their own, rising; null if there are none */
  const double* weights;  /* these weights; the forest owns both arrays */
  size_t features;        /* number of these features */
  double other_weight;    /* of all other features */
};

/* Sets all members but size.  0, or -1 if the size is wrong. */
SVM_API int svm_facts_of_forest(const struct svm_forest* forest, struct svm_forest_facts* facts);

SVM_API void svm_free_forest(struct svm_forest* forest); /* which may be null */

/* ---- The process ---- */

/* The reason for the last failure of a function of the library on this thread, that is, for the
 * last null, -1, NaN or 0 that its comment calls a failure: at most 1023 bytes, or "" if none has
 * failed yet.  Calls that succeed leave it unchanged.  Valid until the next failure on this thread;
 * the library owns it. */
SVM_API const char* svm_last_error(void);

/* Sends warnings to warn_func: the texts that LIBSVM writes to standard error, each with its line
 * end, and this library's own.  They are valid during the call only.  Null, the default: warnings
 * are dropped. */
SVM_API void svm_set_warning_function(void (*warn_func)(const char*));

/* Takes random draws from `random`, which returns a number from 0 to n - 1, n >= 1; others are
 * reduced to that range.  One thread of a call at a time calls it, the calling one if the call has
 * only one.  Null, the default: the remainder of rand() by n, as with LIBSVM. */
SVM_API void svm_set_random_function(int (*random)(int n, void* user), void* user);

/* Version of this library, such as "1.0.0"; a string constant. */
SVM_API const char* svm_version(void);

#ifdef __cplusplus
}
#endif

#endif /* SVM_EXT_H_ */
