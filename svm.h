/* svm.h: the C interface of libsvm.so.4, compatible with LIBSVM 3.37.
 *
 * The first part of this file has the layouts, names and meaning that LIBSVM 3.37 gives them: a
 * program compiled for LIBSVM runs on this library unchanged, and the other way round.  Layouts are
 * checked by tests/abi_layout_test.cpp.  The second part, from enum svm_status on, is this
 * library's own: choice of the solver, limits, progress, cancelling, results.
 *
 * Threads: functions may be called from several threads at once on different models and problems.
 * One model may be used for prediction by many threads.  Random draws come from the C library's
 * rand(), in LIBSVM's order and by one thread at a time; seed them with srand().
 *
 * Training uses several threads: as many as the environment variable SVM_NUM_THREADS says, from 1
 * to 1024, and without it one for each processor that the process may use.  Models, messages and
 * predictions do not depend on their number.  The print function is called on the calling thread
 * only.  With any other value of SVM_NUM_THREADS training fails with a message.  The process may
 * end while threads of its own are in the library.
 *
 * Errors: the library never exits and never aborts.  A function that fails says why on standard
 * error and returns the value named at its declaration.
 *
 * Functions of the caller's may throw C++ exceptions of any type.  What a print function throws
 * reaches the caller of the library's function, as with LIBSVM, once all threads of the call have
 * ended; nothing is leaked, no more is printed, and what was trained is lost.  What a progress
 * function throws cancels and goes no further.  Neither may leave by longjmp() or end its thread.
 * They may call the library.
 */
#ifndef SVM_H_
#define SVM_H_

/* Version of the LIBSVM interface that this header describes (3.37). */
#define LIBSVM_VERSION 337

#if defined(_WIN32) || !defined(__GNUC__)
#define SVM_API
#else
#define SVM_API __attribute__((visibility("default")))
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LIBSVM_VERSION of the library in use, which may differ from the header's. */
SVM_API extern int libsvm_version;

/* One feature of a row.  A row is an array of nodes with ascending indices, ended by index -1. */
struct svm_node {
  int index;    /* feature number; 0 only for precomputed kernels (serial number of the row) */
  double value; /* finite */
};

/* Training data.  The library reads it and never writes or frees it. */
struct svm_problem {
  int l;               /* number of rows, > 0 */
  double* y;           /* l labels: class numbers (cast to int) or regression targets */
  struct svm_node** x; /* l rows */
};

/* Kinds of machine. */
enum {
  C_SVC = 0,       /* classification, cost C */
  NU_SVC = 1,      /* classification, fraction nu */
  ONE_CLASS = 2,   /* support of a distribution */
  EPSILON_SVR = 3, /* regression, tube width p */
  NU_SVR = 4       /* regression, fraction nu */
};

/* Kernels of two rows u, v. */
enum {
  LINEAR = 0,     /* u'v */
  POLY = 1,       /* (gamma u'v + coef0)^degree */
  RBF = 2,        /* exp(-gamma |u - v|^2) */
  SIGMOID = 3,    /* tanh(gamma u'v + coef0) */
  PRECOMPUTED = 4 /* row t holds 0:serial 1:K(t,1) 2:K(t,2) ... */
};

/* What to train.  Every field must be set by the caller. */
struct svm_parameter {
  int svm_type;    /* C_SVC ... NU_SVR */
  int kernel_type; /* LINEAR ... PRECOMPUTED */
  int degree;      /* POLY: >= 0 */
  double gamma;    /* POLY, RBF, SIGMOID: >= 0; 0 is taken as it stands */
  double coef0;    /* POLY, SIGMOID */

  /* Training only. */
  double cache_size; /* memory for kernel rows, megabytes (2^20 bytes), > 0 */
  double eps;        /* stop when the KKT violation is below this, > 0 */
  double C;          /* C_SVC, EPSILON_SVR, NU_SVR: > 0 */
  int nr_weight;     /* C_SVC: number of classes with a weight of their own */
  int* weight_label; /* C_SVC: nr_weight class labels */
  double* weight;    /* C_SVC: nr_weight factors of C */
  double nu;         /* NU_SVC, ONE_CLASS, NU_SVR: in (0, 1] */
  double p;          /* EPSILON_SVR: half width of the tube, >= 0 */
  int shrinking;     /* 0 or 1: leave out variables that look settled */
  int probability;   /* 0 or 1: fit probability estimates as well */
};

/* A trained machine.  Every array is a block of its own from malloc(); k = nr_class. */
struct svm_model {
  struct svm_parameter param; /* weight pointers stay the caller's */
  int nr_class;               /* number of classes; 2 for regression and one-class */
  int l;                      /* number of support vectors */
  struct svm_node** SV;       /* l rows: the caller's (free_sv 0) or one block at SV[0] */
  double** sv_coef;           /* k-1 arrays of l coefficients */
  double* rho;                /* k(k-1)/2 thresholds; one for regression and one-class */
  double* probA;              /* pairwise probability slopes, the width for regression, or null */
  double* probB;              /* pairwise probability offsets, or null */
  double* prob_density_marks; /* 10 marks for one-class probabilities, or null */
  int* sv_indices;            /* rows of the problem, from 1; null for a loaded model, and
                                 where the support vectors are no rows of it (see free_sv) */

  /* Classification only; null otherwise. */
  int* label; /* k labels; pairs are (0,1), (0,2) ... (k-2,k-1) */
  int* nSV;   /* k numbers of support vectors; they sum to l */

  int free_sv; /* 1 where the model owns its rows: loaded from a file, or a linear machine that a
                  solver such as dcd keeps as one vector w with coefficient 1 for each pair */
};

/* Trains.  The model points into prob->x and copies param shallowly: keep both while it is used.
 * Call svm_check_parameter first.  Free the result with svm_free_and_destroy_model.
 * Null when memory runs out, a precomputed row is too short, or there are no rows. */
SVM_API struct svm_model* svm_train(const struct svm_problem* prob,
                                    const struct svm_parameter* param);

/* Cross validation: target[i], i < prob->l, receives the prediction for row i by a model that did
 * not see it.  nr_fold >= 2; more folds than rows means leave-one-out.  Fails where svm_train does,
 * for fewer than two folds or rows, and for fewer folds than rows where no class has two rows.
 * Then, and where the print function throws, every target is NaN. */
SVM_API void svm_cross_validation(const struct svm_problem* prob, const struct svm_parameter* param,
                                  int nr_fold, double* target);

/* Writes the model as LIBSVM text.  The file appears whole or not at all.  0, or -1 on failure. */
SVM_API int svm_save_model(const char* model_file_name, const struct svm_model* model);

/* Reads a model file.  Null when it cannot be opened or is not a valid model. */
SVM_API struct svm_model* svm_load_model(const char* model_file_name);

SVM_API int svm_get_svm_type(const struct svm_model* model);
SVM_API int svm_get_nr_class(const struct svm_model* model);

/* Copies the k labels; nothing for regression and one-class. */
SVM_API void svm_get_labels(const struct svm_model* model, int* label);

/* Copies the l row numbers (from 1); nothing for a loaded model. */
SVM_API void svm_get_sv_indices(const struct svm_model* model, int* sv_indices);
SVM_API int svm_get_nr_sv(const struct svm_model* model);

/* Width of the Laplace distribution of regression errors; 0 where it was not estimated. */
SVM_API double svm_get_svr_probability(const struct svm_model* model);

/* Decision values of row x: k(k-1)/2 of them, or one for regression and one-class.  Returns the
 * prediction.  This function and the next two return NaN on failure: when memory runs out, or a
 * precomputed row has no value for the serial number of a support vector. */
SVM_API double svm_predict_values(const struct svm_model* model, const struct svm_node* x,
                                  double* dec_values);

/* Predicted label, target, or +1/-1 (one-class). */
SVM_API double svm_predict(const struct svm_model* model, const struct svm_node* x);

/* Predicts and writes k probabilities in label order (one-class: normal, outlier).  Without
 * probability data it is svm_predict and writes nothing. */
SVM_API double svm_predict_probability(const struct svm_model* model, const struct svm_node* x,
                                       double* prob_estimates);

/* Frees what the model holds and nulls it; may be repeated. */
SVM_API void svm_free_model_content(struct svm_model* model_ptr);

/* Frees the model and nulls the caller's pointer.  Null is allowed at both levels. */
SVM_API void svm_free_and_destroy_model(struct svm_model** model_ptr_ptr);

/* free()s weight and weight_label. */
SVM_API void svm_destroy_param(struct svm_parameter* param);

/* Null where the parameters fit the problem, else a message (a string constant). */
SVM_API const char* svm_check_parameter(const struct svm_problem* prob,
                                        const struct svm_parameter* param);

/* 1 where the model can give probabilities (regression: a width), else 0. */
SVM_API int svm_check_probability_model(const struct svm_model* model);

/* Sends messages to print_func; null means standard output.  Process-wide. */
SVM_API void svm_set_print_string_function(void (*print_func)(const char*));

/* ---- Beyond LIBSVM ----
 *
 * Structures of this part may grow in later versions, by members at their end; none is moved,
 * removed or given another meaning.  Their first member is their size for that reason: a member is
 * there if the whole of it lies within the size.  Of a structure of an earlier version the library
 * uses what is there.  On 64-bit systems no structure ends in padding: a later member in its place
 * would lie within the size of earlier programs, which leave garbage there.  Members called
 * reserved fill such gaps.  As programs compiled before a gap had a name do not set it, it never
 * gets another meaning.
 *
 * The environment variable LIBSVM_SOLVER names the solver for calls that do not name one, plain
 * svm_train and svm_cross_validation included.  Unset or empty it means smo, which is LIBSVM's.
 * With a name that there is not, training fails with a message.  It is read at every call: do not
 * change it while another thread trains. */

/* Why training ended.  The model is usable in every case. */
enum svm_status {
  SVM_CONVERGED = 0,       /* the KKT violation is below eps */
  SVM_ITERATION_LIMIT = 1, /* max_iterations, or LIBSVM's cap */
  SVM_TIME_LIMIT = 2,      /* time_limit */
  SVM_CANCELLED = 3,       /* the progress function said so */
  SVM_STALLED = 4,         /* no progress: rounded kernel values made the solver go in circles */
  SVM_IMPRECISE = 5        /* rounding hides whether the KKT violation is below eps: features want
                              scaling; or nu-SVC found no margin, as nu is too large */
};

/* A look at a training.  The library sets all of it.  During work that is part of no binary problem
 * (reading rows into engines, predictions, fits) everything but the seconds is as in the look
 * before; in looks before the first binary problem everything is 0, and its number 1. */
struct svm_progress {
  size_t size;          /* of what the library has set, bytes */
  long long problem;    /* number of the binary problem in this call, from 1, in the order of their
                           start: pairs of classes, folds, folds of probability fits.  Several may
                           be under way at the same time. */
  long long iterations; /* on this binary problem */
  long long total_iterations; /* in this call */
  double seconds;             /* since the call began */
  double objective;           /* of the dual, which is minimised */
  double violation;           /* of the KKT conditions, over the active variables */
  size_t active;              /* variables that are not left out by shrinking */
  size_t variables;           /* all of them; two for each row in the regressions */
  long long kernel_rows;      /* computed for this binary problem */
  int finished;               /* 1 from the last call for this binary problem until the next */
  int reserved;               /* 0 */
};

/* How landmarks are drawn. */
enum svm_landmark_sampling {
  SVM_SAMPLING_DEFAULT = 0, /* uniform */
  SVM_SAMPLING_UNIFORM = 1  /* every row is as likely as any other */
};

/* How to train.  Start from svm_default_options(). */
struct svm_options {
  size_t size; /* sizeof(struct svm_options), set by the caller.  Fields that do not lie within it
                  have their defaults.  0, and more than the library knows, is an error. */

  /* Name or number of a solver, as listed by svm_list_solvers().  Null, the default: what
   * LIBSVM_SOLVER says, else smo. */
  const char* solver;

  /* Iterations of each binary problem, >= 0.  0, the default: LIBSVM's cap, which is
   * max(10000000, 100 * number of variables). */
  long long max_iterations;

  /* Seconds for the call, >= 0.  0, the default: no limit.  Looked at as often as progress is
   * called. */
  double time_limit;

  /* Random draws for folds.  use_seed 0, the default: from the C library's rand(), shared with the
   * process.  Otherwise from a generator of this call's own; its draws are those of the GNU C
   * library's rand() after srand(seed), on every system.  Solvers that draw (see svm_list_solvers)
   * have draws of their own, from seed where use_seed is set, else from a fixed one. */
  int use_seed;
  unsigned int seed;

  /* Called at the start of each binary problem, every few dozen iterations, and once at its end,
   * and about every 0.02 seconds during longer work, by the thread that does it, but by one thread
   * at a time; null, the default: never.  `progress` is valid during the call only.  A value other
   * than 0 cancels, and so does an exception: the model of the present point is returned. */
  int (*progress)(const struct svm_progress* progress, void* user);
  void* progress_user;

  /* Receives the messages of this call instead of the function of svm_set_print_string_function();
   * null, the default: that function.  Warnings still go to standard error. */
  void (*print)(const char* text, void* user);
  void* print_user;

  /* Solvers csmo and hybrid: 1, the default: phases over the free variables; 0: none.  0 is an
   * error with other solvers. */
  int free_set;

  /* Threads for this call, the calling one included: 0 to 1024.  0, the default: what the
   * environment variable SVM_NUM_THREADS says, else all processors that the process may use.  The
   * outcome does not depend on it. */
  size_t threads;

  /* A model to start from, of the same type and kernel, trained on the same rows, or null, the
   * default.  Its coefficients, clipped to the bounds, are the start point; those of the fits of
   * probability estimates are not changed.  Where it does not fit, training fails with a message.
   * Not used by cross validation.  An error with solvers that have no start point, which are all
   * but smo, csmo, hybrid and smo1. */
  const struct svm_model* init;

  /* Solver platt: 1: the threshold stays 0 and one variable moves at a time; 0, the default: as
   * LIBSVM's C-SVC.  1 is an error with other solvers. */
  int fixed_threshold;

  /* Solvers dcd and avsf, which have no threshold: > 0: a feature of this value is added to every
   * row, whose weight makes a threshold.  0, the default: none.  An error with other solvers. */
  double bias;

  /* Solvers pegasos and snacks: rows that the embedding is made of, for each binary problem; all
   * of its rows where there are fewer.  0, the default: 1000.  An error with other solvers. */
  size_t landmarks;

  /* How they are drawn, enum svm_landmark_sampling.  An error with other solvers. */
  int landmark_sampling;

  /* Not read. */
  int reserved;
};

/* What came of a call: sums over its binary problems, where not said otherwise. */
struct svm_result {
  size_t size; /* sizeof(struct svm_result), set by the caller.  The library writes no more than
                  that.  0, and more than the library knows, is an error. */
  int status;  /* enum svm_status: SVM_CONVERGED if all did, else that of the last which did not */
  long long problems; /* binary problems */
  long long iterations;
  long long conjugate_steps; /* iterations along a conjugate direction, clipped ones included */
  long long clipped_steps;   /* conjugate steps that met a bound */
  long long phases;          /* over the free variables */
  double objective;
  double violation; /* of the KKT conditions, the largest */
  long long kernel_rows;
  double kernel_seconds; /* spent on computing kernel rows, all threads together */
  double seconds;        /* spent in solvers, kernel rows included, all threads together */
};

/* Sets size and defaults. */
SVM_API void svm_default_options(struct svm_options* options);

/* svm_train with options and a result record.  `options` may be null: the defaults.  `result` may
 * be null; with its size set, the rest is written.  Null where svm_train gives null, and for
 * options that svm_check_options refuses.  A call that was cancelled or ran out of time gives a
 * model without probability estimates. */
SVM_API struct svm_model* svm_train_ex(const struct svm_problem* prob,
                                       const struct svm_parameter* param,
                                       const struct svm_options* options,
                                       struct svm_result* result);

/* svm_cross_validation with options and a result record.  Limits and progress are those of the
 * whole call, max_iterations aside.  0, or -1 on failure, with every target NaN.  Where the call
 * was cancelled or ran out of time it gives 0, and NaN for the rows of the folds that were not
 * completed. */
SVM_API int svm_cross_validation_ex(const struct svm_problem* prob,
                                    const struct svm_parameter* param, int nr_fold,
                                    const struct svm_options* options, double* target,
                                    struct svm_result* result);

/* Null where the options, LIBSVM_SOLVER and the type and kernel in `param` go together, else a
 * message (valid for ever).  Both pointers may be null; without `param` the type and
 * the kernel are not looked at. */
SVM_API const char* svm_check_options(const struct svm_parameter* param,
                                      const struct svm_options* options);

/* A table of the solvers as text: name and number, SVM types, kernels, method and source.  Valid
 * for ever. */
SVM_API const char* svm_list_solvers(void);

#ifdef __cplusplus
}
#endif

#endif /* SVM_H_ */
