/* svm.h: the C interface of libsvm.so.4, compatible with LIBSVM 3.37.
 *
 * The first part has the layouts, names and meaning of LIBSVM 3.37: programs compiled for LIBSVM
 * run on this library unchanged, and programs that use this part only run on LIBSVM.  The second
 * part, from enum svm_status on, is this library's own: choice of the solver, limits, progress,
 * cancellation, results.
 *
 * Notation: l is the number of rows, k the number of classes.  Arrays are contiguous.  Pointers are
 * not null unless the comment allows it.
 *
 * Threads: functions may be called concurrently on different models and problems, and many threads
 * may predict with one model.  Random draws come from the C library's rand(), in LIBSVM's order and
 * by one thread at a time; seed them with srand(), or replace them by svm_set_random_function() or
 * svm_set_random_below_function().
 *
 * Training uses as many threads as the environment variable SVM_NUM_THREADS says (1 to 1024), and
 * without it one per processor that the process may use.  Models, messages and predictions do not
 * depend on the number of threads.  The print function is called on the calling thread only.  The
 * process may exit while its threads are in the library.
 *
 * Errors: the library never exits and never aborts.  A function that fails returns the value
 * documented at its declaration, and svm_last_error() has the reason.  Nothing is written to
 * standard error: the texts that LIBSVM writes there go to svm_set_warning_function().
 *
 * Callbacks may throw C++ exceptions of any type.  An exception from a function for messages,
 * warnings or random draws reaches the caller of the library function, as with LIBSVM, once all
 * threads of the call have ended: nothing leaks, nothing more is printed, and the result is lost.
 * An exception from a progress function cancels the call and goes no further.  Callbacks may call
 * the library.  They must not leave by longjmp() or end their thread.
 */
#ifdef _LIBSVM_H
#ifndef SVM_H_
#error \
    "LIBSVM's svm.h was included before this one, which takes its place: include only one of them"
#endif
#else /* the guard of LIBSVM's own header, which would declare the same names once more */
#define _LIBSVM_H
#ifndef SVM_H_
#define SVM_H_
#endif

/* LIBSVM version whose interface this header describes (3.37). */
#define LIBSVM_VERSION 337

#if defined(_WIN32) || !defined(__GNUC__)
#define SVM_API
#else
#define SVM_API __attribute__((visibility("default")))
#endif

/* C++ programs may include this header in a namespace, as they may include LIBSVM's.  Therefore it
 * includes no other header there. */
#if defined(__cplusplus) && defined(__SIZE_TYPE__)
typedef __SIZE_TYPE__ size_t;
#else
#include <stddef.h>
#endif

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

/* LIBSVM_VERSION of the library that is loaded, which may differ from the header's. */
SVM_API extern int libsvm_version;

/* One feature of a row.  A row is an array of nodes with strictly ascending indices, terminated by
 * a node with index -1.  Features that are left out are 0. */
struct svm_node {
  int index;    /* feature number, >= 1; of PRECOMPUTED rows any but -1 */
  double value; /* finite */
};

/* Training data, owned by the caller.  The library never writes or frees it. */
struct svm_problem {
  int l;               /* number of rows, > 0 */
  double* y;           /* l labels: class numbers (cast to int) or regression targets; finite */
  struct svm_node** x; /* l rows */
};

/* SVM types. */
enum {
  C_SVC = 0,       /* classification, cost C */
  NU_SVC = 1,      /* classification, fraction nu */
  ONE_CLASS = 2,   /* support of a distribution */
  EPSILON_SVR = 3, /* regression, tube width p */
  NU_SVR = 4       /* regression, fraction nu */
};

/* Kernels K(u, v) of two rows. */
enum {
  LINEAR = 0,     /* u'v */
  POLY = 1,       /* (gamma u'v + coef0)^degree */
  RBF = 2,        /* exp(-gamma |u - v|^2) */
  SIGMOID = 3,    /* tanh(gamma u'v + coef0) */
  PRECOMPUTED = 4 /* row t holds 0:serial 1:K(t,1) 2:K(t,2) ...; serial numbers count from 1.
                     Places in the row count; the indices are not read. */
};

/* Training parameters.  Every field must be set by the caller, who owns the arrays. */
struct svm_parameter {
  int svm_type;    /* C_SVC ... NU_SVR */
  int kernel_type; /* LINEAR ... PRECOMPUTED */
  int degree;      /* POLY: >= 0 */
  double gamma;    /* POLY, RBF, SIGMOID: >= 0; 0 means 0, not the programs' default */
  double coef0;    /* POLY, SIGMOID */

  /* Training only. */
  double cache_size; /* kernel cache in megabytes (2^20 bytes), > 0; two rows always fit */
  double eps;        /* stopping tolerance: largest KKT violation, > 0 */
  double C;          /* C_SVC, EPSILON_SVR, NU_SVR: > 0; NU_SVR: finite */
  int nr_weight;     /* C_SVC: number of class weights, >= 0 */
  int* weight_label; /* C_SVC: nr_weight class labels; null if nr_weight is 0 */
  double* weight;    /* C_SVC: nr_weight factors of C, >= 0; null if nr_weight is 0 */
  double nu;         /* NU_SVC, ONE_CLASS, NU_SVR: in (0, 1] */
  double p;          /* EPSILON_SVR: half width of the tube, >= 0 */
  int shrinking;     /* 1: shrink variables that are likely to stay at their bounds; 0: do not */
  int probability;   /* 1: fit probability estimates as well; 0: do not */
};

/* A trained model, freed by svm_free_and_destroy_model.  Every array is its own malloc() block.
 * Decision values are sums of coefficients times K(support vector, x), minus a threshold. */
struct svm_model {
  struct svm_parameter param; /* shallow copy: weight pointers stay the caller's */
  int nr_class;               /* k; 2 for regression and one-class */
  int l;                      /* number of support vectors */
  struct svm_node** SV; /* l rows: the caller's (free_sv 0), or one block that starts at SV[0] */
  double** sv_coef;     /* k-1 arrays of l coefficients */
  double* rho;          /* k(k-1)/2 thresholds; 1 for regression and one-class */
  double* probA;        /* classification: k(k-1)/2 slopes of pairwise probabilities; regression:
                           1 width of the errors; or null */
  double* probB;        /* classification: k(k-1)/2 offsets of pairwise probabilities; or null */
  double* prob_density_marks; /* one-class: 10 marks of probabilities, or null; not read, and not
                                 freed, in other models */
  int* sv_indices;            /* l row numbers in the problem, from 1; null for a loaded model, and
                                 if the support vectors are not rows of it (see free_sv) */

  /* Classification only; null otherwise. */
  int* label; /* k labels; pairs are ordered (0,1), (0,2) ... (k-2,k-1) */
  int* nSV;   /* k numbers of support vectors by class, which sum to l */

  int free_sv; /* 1 if the model owns its rows: if it was loaded, trained on a view, or trained by a
                  solver such as dcd, which stores a linear machine as a single vector w with
                  coefficient 1 for each pair */
};

/* Trains a model.  Call svm_check_parameter first.  Free the result with
 * svm_free_and_destroy_model.  Unless free_sv is 1, the model points into prob->x, so the rows must
 * outlive it; so must the weights of param.
 *
 * If svm_check_parameter has passed, the result is null in these cases only, and svm_last_error()
 * says in which:
 * - out of memory;
 * - prob->l < 1;
 * - PRECOMPUTED: a row does not begin with a whole number from 1, or has no value for the serial
 *   number of another one;
 * - the compiler was told to make arithmetic inexact, so that results would be wrong;
 * - LIBSVM_SOLVER names another solver than smo, and kernel values are beyond the range of double,
 *   or pegasos or snacks cannot work with the values.  In the same case, smo returns LIBSVM's
 *   model, whose thresholds are NaN, with the status SVM_IMPRECISE.
 *
 * Environment variables with invalid values, and a LIBSVM_SOLVER that does not train param's type
 * of machine, are ignored with a warning by svm_train and svm_cross_validation.  They make the
 * other functions that train fail. */
SVM_API struct svm_model* svm_train(const struct svm_problem* prob,
                                    const struct svm_parameter* param);

/* Cross validation in nr_fold >= 2 folds; more folds than rows means leave-one-out.  target
 * receives prob->l predictions: target[i] is that of row i by a model trained without its fold.
 * Fails whenever svm_train does, for fewer than two folds or rows, and for fewer folds than rows if
 * no class has two rows.  On failure, and if an exception leaves it, every target is NaN. */
SVM_API void svm_cross_validation(const struct svm_problem* prob, const struct svm_parameter* param,
                                  int nr_fold, double* target);

/* Writes the model in LIBSVM's text format.  The file is replaced as a whole or left as it was,
 * except for devices, pipes and links, which are written through.  0, or -1 on failure. */
SVM_API int svm_save_model(const char* model_file_name, const struct svm_model* model);

/* Reads a model file.  Free the result with svm_free_and_destroy_model.  Null if the file cannot be
 * read, or is not a valid model; the latter is also a warning. */
SVM_API struct svm_model* svm_load_model(const char* model_file_name);

SVM_API int svm_get_svm_type(const struct svm_model* model);
SVM_API int svm_get_nr_class(const struct svm_model* model);

/* Writes the k labels to label; nothing for regression and one-class. */
SVM_API void svm_get_labels(const struct svm_model* model, int* label);

/* Writes the l row numbers (from 1) to sv_indices; nothing if model->sv_indices is null. */
SVM_API void svm_get_sv_indices(const struct svm_model* model, int* sv_indices);
SVM_API int svm_get_nr_sv(const struct svm_model* model);

/* Scale of the Laplace distribution of regression errors, in units of the targets.  If it was not
 * estimated, returns 0, which is a failure and a warning. */
SVM_API double svm_get_svr_probability(const struct svm_model* model);

/* Models that this library made (trained, loaded, or from svm_compact_model) are packed at the
 * second call of one of the next three functions, in up to as many bytes as their support vectors
 * have, and predict many times faster from then on, with the same results.  The environment
 * variable LIBSVM_PACKED_MODELS may be "off", or a limit for a model in whole megabytes; it is
 * read when a model is packed, and ignored with a warning if it is invalid.  svm_free_model_content
 * frees what was packed.  rho, label, probA, probB, prob_density_marks and sv_coef are read from
 * the model at each call, so their values may change between calls.  If param, nr_class, l, nSV,
 * one of the pointers of the struct, a pointer in sv_coef, or the first, middle or last support
 * vector (its pointer or its first node) changed since the model was packed, it is predicted from
 * its members without packing from then on.  Other changes to support vectors of a model that was
 * packed are not noticed: change them before the first call, or set LIBSVM_PACKED_MODELS to "off".
 * Models that the caller fills are not packed.
 */

/* Predicts row x and writes its decision values: k(k-1)/2 in the order of the pairs (above 0: the
 * first class of the pair), or 1 for regression and one-class.  Returns the prediction.  This
 * function and the next two return NaN on failure: out of memory, or a precomputed row without a
 * value for the serial number of a support vector. */
SVM_API double svm_predict_values(const struct svm_model* model, const struct svm_node* x,
                                  double* dec_values);

/* Predicts row x: a label, a regression target, or +1/-1 (one-class). */
SVM_API double svm_predict(const struct svm_model* model, const struct svm_node* x);

/* Predicts row x by probabilities and writes them: k in the order of svm_get_labels, or 2 for
 * one-class (normal, outlier); nothing for regression.  If the model has no probability estimates,
 * it does the same as svm_predict and writes nothing.
 *
 *   Wu, Lin, Weng: Probability estimates for multi-class classification by pairwise coupling,
 *   JMLR 5 (2004). */
SVM_API double svm_predict_probability(const struct svm_model* model, const struct svm_node* x,
                                       double* prob_estimates);

/* Frees what the model owns and nulls its pointers, but does not free the struct itself.  May be
 * called repeatedly. */
SVM_API void svm_free_model_content(struct svm_model* model_ptr);

/* Frees the model and nulls the caller's pointer.  Both pointers may be null. */
SVM_API void svm_free_and_destroy_model(struct svm_model** model_ptr_ptr);

/* free()s weight and weight_label, which must come from malloc(), or be null. */
SVM_API void svm_destroy_param(struct svm_parameter* param);

/* Null if the parameters are valid for the problem, else a message (a string constant).  Beyond
 * LIBSVM's checks, NaN is never valid, the C of a class (C_SVC) must not be negative, nor that of
 * NU_SVR infinite. */
SVM_API const char* svm_check_parameter(const struct svm_problem* prob,
                                        const struct svm_parameter* param);

/* 1 if the model has probability estimates (regression: the scale of its errors), else 0. */
SVM_API int svm_check_probability_model(const struct svm_model* model);

/* Sends messages to print_func, for the whole process; null restores standard output.  Messages are
 * null-terminated and valid during the call only. */
SVM_API void svm_set_print_string_function(void (*print_func)(const char*));

/* ---- Beyond LIBSVM ----
 *
 * Later versions may add members at the end of the structures of this part; no member is moved,
 * removed or given another meaning.  For that reason the first member is the size in bytes: a
 * member exists if all of it lies within that size.  If a structure comes from an earlier version,
 * the library uses only the members that exist.  On 64-bit systems no structure ends in padding,
 * because a later member in its place would lie within the size that earlier programs pass, and
 * contain garbage.  Members called reserved fill such gaps.  Programs that were compiled before a
 * gap had a name do not set it, so it never gets another meaning.
 *
 * The environment variable LIBSVM_SOLVER names the solver for calls that do not name one, plain
 * svm_train and svm_cross_validation included.  If it is unset or empty, the solver is smo, which
 * takes LIBSVM's steps.  The variable is read at every call: do not change it while another thread
 * trains. */

/* Why training ended.  The model satisfies the tolerance only with SVM_CONVERGED.  It is usable in
 * every case unless a kernel value was beyond the range of double (see svm_train). */
enum svm_status {
  SVM_CONVERGED = 0,       /* the KKT violation is below eps */
  SVM_ITERATION_LIMIT = 1, /* max_iterations, or LIBSVM's cap, was reached */
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
  svm_count problem;    /* number of the binary problem in this call, from 1, in the order of their
                           start: class pairs, folds, folds of probability fits.  Several may run
                           concurrently. */
  svm_count iterations; /* on this binary problem */
  svm_count total_iterations; /* in this call */
  double seconds;             /* since the call began */
  double objective;           /* dual objective, which is minimised */
  double violation;           /* KKT violation over the active variables */
  size_t active;              /* number of variables that are not shrunk */
  size_t variables;           /* number of variables: one per row, two per row for regressions */
  svm_count kernel_rows;      /* computed for this binary problem */
  int finished;               /* 1 from the last call for this binary problem until the next */
  int reserved;               /* 0 */
  svm_count conjugate_steps;  /* this and the following as in svm_result, of this binary problem */
  svm_count clipped_steps;
  svm_count phases;
  svm_count outer_steps;
};

/* How landmarks are drawn. */
enum svm_landmark_sampling {
  SVM_SAMPLING_DEFAULT = 0, /* uniform */
  SVM_SAMPLING_UNIFORM = 1  /* all rows are equally likely */
};

/* Options of a call.  Initialise them with svm_default_options().  Setting an option that the
 * solver does not have to anything but its default is an error. */
struct svm_options {
  size_t size; /* sizeof(struct svm_options), set by the caller.  Members beyond it take their
                  defaults.  0, or more than the library knows, is an error. */

  /* Name or number of a solver, as listed by svm_list_solvers().  Null, the default: the solver
   * that LIBSVM_SOLVER names, or smo. */
  const char* solver;

  /* Maximum number of iterations for each binary problem, >= 0.  0, the default: LIBSVM's cap,
   * which is max(10000000, 100 * number of variables). */
  svm_count max_iterations;

  /* Maximum duration of the call in seconds, >= 0.  0, the default: no limit.  The clock is polled
   * as often as progress is called. */
  double time_limit;

  /* Random draws for folds.  If use_seed is 0, the default, they come from the C library's
   * rand(), shared with the process.  Otherwise they come from a generator of this call, which
   * gives on every system what the GNU C library's rand() gives after srand(seed).  Randomised
   * solvers (dcd, avsf, pegasos, snacks) have their own generator, seeded by seed if use_seed is
   * set, and by a constant otherwise. */
  int use_seed;
  unsigned int seed;

  /* Called at the start of each binary problem, every few dozen iterations and at its end, and
   * about every 0.02 seconds during longer work, on the thread that does the work, but by one
   * thread at a time.  Null, the default: never.  `progress` is valid during the call only; `user`
   * is progress_user.  A return value other than 0, or an exception, cancels: the model of the
   * current iterate is returned. */
  int (*progress)(const struct svm_progress* progress, void* user);
  void* progress_user;

  /* Receives the messages of this call instead of the function of svm_set_print_string_function().
   * Null, the default: that function.  `text` is valid during the call only; `user` is print_user.
   */
  void (*print)(const char* text, void* user);
  void* print_user;

  /* csmo: 1, the default: phases over the free variables; 0: none. */
  int free_set;

  /* Number of threads of this call, the calling one included, 0 to 1024.  0, the default: the
   * number in the environment variable SVM_NUM_THREADS, or one per processor that the process may
   * use.  Results do not depend on the number of threads. */
  size_t threads;

  /* smo, csmo, smo1: a model for a warm start, of the same type and kernel, trained on the
   * same rows; owned by the caller.  Training starts from its coefficients, clipped to the bounds;
   * probability fits start as usual.  A model that does not match the problem makes training fail.
   * Cross validation ignores it.  Null, the default: none. */
  const struct svm_model* init;

  /* platt: 1: the threshold stays 0, and one variable moves at a time; 0, the default: the
   * threshold of LIBSVM's C-SVC. */
  int fixed_threshold;

  /* dcd, avsf, which have no threshold: the value, from 0 to 1e100, of a feature that is added to
   * every row and whose weight acts as a threshold.  0, the default: no such feature. */
  double bias;

  /* pegasos, snacks: number of landmark rows for each binary problem; all of its rows if it has
   * fewer.  0, the default: 1000. */
  size_t landmarks;

  /* pegasos, snacks: how landmarks are drawn, enum svm_landmark_sampling. */
  int landmark_sampling;

  /* Not read. */
  int reserved;

  /* Weights of the rows, prob->l finite numbers >= 0, owned by the caller.  They multiply C of
   * their rows (C_SVC, EPSILON_SVR, NU_SVR) or their variables' upper bounds (NU_SVC, ONE_CLASS),
   * and nu is a fraction of their sum: a row of weight 2 counts as two rows.  The optimum is that
   * of scikit-learn's sample_weight.  A row of weight 0 is left out: the model, its messages and
   * its draws are those of the problem without it, and only sv_indices still count it.  In cross
   * validation such a row is predicted, but not trained on.  Training fails if no row or only one
   * of the classes is left, and if nu is infeasible with the weights, which svm_check_parameter
   * does not know.  Null, the default: all weights are 1, with the same bits. */
  const double* row_weights;

  /* Random draws for this call, instead of those of svm_set_random_function(), whose description
   * holds here as well; `user` is random_user.  Must be null if use_seed is set.  Null, the
   * default: none.  If this function or progress may only run on the calling thread, set `threads`
   * to 1. */
  int (*random)(void* user);
  void* random_user;

  /* Receives the warnings of this call instead of the function of svm_set_warning_function().
   * Null, the default: that function.  `text` is valid during the call only; `user` is warn_user.
   * Only this one also gets texts that begin with "NOTE: ", about trainings that did what LIBSVM
   * does without a word, which may not be what was meant. */
  void (*warn)(const char* text, void* user);
  void* warn_user;

  /* Returns a random number from 0 to n - 1, n >= 1, for this call.  It is for programs with a
   * generator of such numbers, and is called like `random`; `user` is random_below_user.  A result
   * outside of that range is reduced to it.  Must be null if random or use_seed is set.  Null, the
   * default: none. */
  int (*random_below)(int n, void* user);
  void* random_below_user;

  /* Arrays of problem_room elements, owned by the caller, that receive the number of iterations and
   * the status of each binary problem of the model, in the order of its decision values.  If the
   * model has more problems, those beyond are left out; trainings for probability estimates are
   * left out as well.  Cross validation does not write them, nor does a call that fails.  Null, the
   * default: not written. */
  svm_count* problem_iterations;
  int* problem_status; /* enum svm_status */
  size_t problem_room;

  /* All solvers but smo: 1: the algorithm of the solver's paper with nothing added, and ended by
   * the paper's rule (docs/solvers.md); 0, the default: with all that was added. */
  int as_published;

  /* csmo with as_published: 1: pairs are chosen by first order; 0, the default: by second order. */
  int first_order;
};

/* Results of a call: sums over its binary problems, unless stated otherwise.  Left unchanged if the
 * call fails. */
struct svm_result {
  size_t size; /* sizeof(struct svm_result), set by the caller.  The library writes no more than
                  that.  0, or more than the library knows, is an error. */
  int status;  /* enum svm_status: SVM_CONVERGED if all problems converged, else the status of the
                  last one that did not */
  svm_count problems; /* number of binary problems */
  svm_count iterations;
  svm_count conjugate_steps; /* iterations along a conjugate direction, clipped ones included */
  svm_count clipped_steps;   /* conjugate steps that met a bound */
  svm_count phases;          /* phases over the free variables */
  double objective;          /* dual objective */
  double violation;          /* largest KKT violation */
  svm_count kernel_rows;     /* kernel rows computed, whole or in part */
  double kernel_seconds;     /* spent on computing kernel rows, all threads together */
  double seconds;            /* spent in solvers, kernel rows included, all threads together */
  svm_count outer_steps;     /* iterations of csmo that solve for a working set */
};

/* Initialises options of `size` bytes, which is sizeof(struct svm_options) as the caller knows it:
 * sets the member size, and all members to their defaults.  Bytes beyond those that this library
 * knows become 0.  If `size` is less than that of the member size, nothing is written.  Bindings
 * that do not compile this header call this function. */
SVM_API void svm_init_options(struct svm_options* options, size_t size);

/* Initialises options by svm_init_options with the size in this header.  The function behind the
 * macro is for programs that were compiled before the macro existed: it sets the members up to
 * `reserved` only. */
SVM_API void svm_default_options(struct svm_options* options);
#define svm_default_options(options) svm_init_options((options), sizeof(struct svm_options))

/* svm_train with options and a result.  options may be null: the defaults.  result may be null;
 * otherwise its size must be set.  Returns null whenever svm_train does, and for options that
 * svm_check_options rejects.  A call that was cancelled or reached its time limit returns a model
 * without probability estimates. */
SVM_API struct svm_model* svm_train_ex(const struct svm_problem* prob,
                                       const struct svm_parameter* param,
                                       const struct svm_options* options,
                                       struct svm_result* result);

/* svm_cross_validation with options and a result, as in svm_train_ex.  time_limit and progress
 * apply to the whole call.  0, or -1 on failure, with every target NaN.  A call that was cancelled
 * or reached its time limit returns 0; the targets of folds that were not completed are NaN. */
SVM_API int svm_cross_validation_ex(const struct svm_problem* prob,
                                    const struct svm_parameter* param, int nr_fold,
                                    const struct svm_options* options, double* target,
                                    struct svm_result* result);

/* Null if the options, LIBSVM_SOLVER and the type and kernel of param are compatible, else a
 * message, which is never freed.  Both pointers may be null; without param the type and the
 * kernel are not checked. */
SVM_API const char* svm_check_options(const struct svm_parameter* param,
                                      const struct svm_options* options);

/* A table of the solvers as text: name and number, SVM types, kernels, method and source.  Never
 * freed. */
SVM_API const char* svm_list_solvers(void);

/* ---- Messages, draws, versions ---- */

/* The reason for the last failure of a library function on this thread, that is, for the last null,
 * -1, NaN or 0 that its comment calls a failure: at most 1023 bytes, or "" if none has failed yet.
 * Calls that succeed leave it unchanged, and so do svm_check_parameter and svm_check_options unless
 * they run out of memory.  Valid until the next failure on this thread; the library owns it. */
SVM_API const char* svm_last_error(void);

/* Sends warnings to warn_func, for the whole process: the texts that LIBSVM writes to standard
 * error, each with its line end, and this library's own.  They are valid during the call only.
 * Null, the default: warnings are dropped. */
SVM_API void svm_set_warning_function(void (*warn_func)(const char*));

/* Takes random draws from random_func instead of rand(), for the whole process; null restores
 * rand().  It returns a number from 0 to INT_MAX, of which the library takes remainders; of a
 * negative number it takes the low 31 bits.  It is called by one thread of a call at a time, and by
 * the calling thread if the call has only one. */
SVM_API void svm_set_random_function(int (*random_func)(void));

/* Takes random draws from random_below, as in svm_options, for the whole process; null restores
 * rand().  The last one of these two functions that was called decides. */
SVM_API void svm_set_random_below_function(int (*random_below)(int n, void* user), void* user);

/* Version of this library, such as "1.0.0"; a string constant. */
SVM_API const char* svm_version(void);

/* Size in bytes that a structure of this header has in the library, by its name, such as
 * "svm_options"; 0 if the name is unknown. */
SVM_API size_t svm_struct_size(const char* name);

/* ---- Models in memory and in files ---- */

/* Frees a text of svm_save_model_to_memory by the library's own free(), for callers with another C
 * library.  `memory` may be null. */
SVM_API void svm_free(void* memory);

/* How numbers are saved.  0 in a member is its default. */
struct svm_save_options {
  size_t size;        /* sizeof(struct svm_save_options), set by the caller */
  int number_digits;  /* significant digits of parameters, thresholds and coefficients, 1 to 17;
                         default 17, which a double needs */
  int feature_digits; /* of the values of support vectors, 1 to 17; default 8, as LIBSVM writes */
};

/* svm_save_model with options, which may be null.  0, or -1 on failure. */
SVM_API int svm_save_model_ex(const char* model_file_name, const struct svm_model* model,
                              const struct svm_save_options* options);

/* The text of the file that svm_save_model_ex writes, in any locale, null-terminated.  Unless size
 * is null, *size receives its number of bytes without the terminator.  Free it with svm_free.  Null
 * on failure. */
SVM_API char* svm_save_model_to_memory(const struct svm_model* model,
                                       const struct svm_save_options* options, size_t* size);

/* svm_load_model from `size` bytes of text, which need no terminator.  Free the result with
 * svm_free_and_destroy_model.  Null if the text is not a valid model. */
SVM_API struct svm_model* svm_load_model_from_memory(const char* text, size_t size);

/* The same under the name that VMAF's copy of LIBSVM has; and svm_free_and_destroy_model as before
 * LIBSVM 3.0.  If a program has functions of its own with these names, they take their place. */
#ifndef SVM_NO_ALIASES
SVM_API struct svm_model* svm_parse_model_from_buffer(const char* text, size_t size);
SVM_API void svm_destroy_model(struct svm_model* model);
#endif

/* Makes a smaller model with almost the same decision values.  They differ by at most 1e-12 of the
 * sum of the absolute values of their terms (for the linear kernel, products of a coefficient and
 * two feature values), and by the rounding of the given model's own sums, at most 1e-16 per term.
 *
 * Equal support vectors are merged, those of different classes too if the pairs allow it, and those
 * without coefficients are dropped.  With the linear kernel, each decision function becomes one
 * vector with coefficient 1 if that is smaller.  The values of that vector need more digits than
 * svm_save_model writes: save it with feature_digits 17.
 *
 * The model does not point to anything that the caller owns: it owns its support vectors, and has
 * no sv_indices and no class weights.  Probability estimates are kept.  Free the result with
 * svm_free_and_destroy_model.  Null on failure: out of memory, or nSV does not sum to the number of
 * support vectors. */
SVM_API struct svm_model* svm_compact_model(const struct svm_model* model);

/* ---- The contents of a model, for bindings that do not know the layout of svm_model ----
 *
 * Functions with an array argument write as many values as struct svm_model documents and return 1;
 * if the model does not have the array, they write nothing and return 0. */
SVM_API int svm_get_kernel_type(const struct svm_model* model);
SVM_API int svm_get_degree(const struct svm_model* model);
SVM_API double svm_get_gamma(const struct svm_model* model);
SVM_API double svm_get_coef0(const struct svm_model* model);

/* Number of decision values: k(k-1)/2, or 1 for regression and one-class. */
SVM_API size_t svm_get_nr_values(const struct svm_model* model);
SVM_API int svm_get_rho(const struct svm_model* model, double* rho);

/* k-1 rows of l coefficients, one after the other. */
SVM_API int svm_get_sv_coef(const struct svm_model* model, double* sv_coef);
SVM_API int svm_get_nr_sv_by_class(const struct svm_model* model, int* nr_sv);
SVM_API int svm_get_prob_a(const struct svm_model* model, double* prob_a);
SVM_API int svm_get_prob_b(const struct svm_model* model, double* prob_b);
SVM_API int svm_get_prob_density_marks(const struct svm_model* model, double* marks);

/* Returns the number of features of support vector s, 0 <= s < l, and writes their indices and
 * values to those arrays that are not null.  With the precomputed kernel only the feature with
 * index 0, the serial number, matters. */
SVM_API size_t svm_get_sv(const struct svm_model* model, int s, int* index, double* value);

/* ---- Rows in the caller's own layout ---- */

enum svm_value_type { SVM_DOUBLE = 0, SVM_FLOAT = 1 };
enum svm_layout {
  SVM_DENSE = 0,     /* rows of numbers */
  SVM_CSR_INT32 = 1, /* compressed sparse rows with 32-bit indices */
  SVM_CSR_INT64 = 2  /* compressed sparse rows with 64-bit indices */
};

/* Rows in memory of the caller, used in place.  Column j >= 0 is feature j+1; with the precomputed
 * kernel it holds the kernel values with row j of the training data.  The caller owns everything.
 * The library never writes it, it must not change during a call, and models do not refer to it.  A
 * view that violates this description is refused, but the values themselves are not checked. */
struct svm_problem_view {
  size_t size;            /* sizeof(struct svm_problem_view), set by the caller */
  size_t rows;            /* up to INT_MAX */
  size_t columns;         /* up to INT_MAX - 1 */
  int layout;             /* enum svm_layout */
  int value_type;         /* enum svm_value_type */
  const void* values;     /* finite; dense: value j of row i is values[i * stride + j] */
  size_t stride;          /* dense: values from row to row, >= columns; not read otherwise */
  const void* row_starts; /* CSR: rows + 1 numbers that never decrease: row i has the values with
                             row_starts[i] <= index < row_starts[i + 1]; dense: not read */
  const void* column_numbers; /* CSR: the column of each value, ascending within a row */
  const double* y;            /* `rows` labels or targets; prediction: not read */
};

/* The contents of a model in arrays of the caller, who owns them.  Set all bytes to 0, then the
 * members that the model has. */
struct svm_model_arrays {
  size_t size;                       /* sizeof(struct svm_model_arrays), set by the caller */
  const struct svm_parameter* param; /* of which svm_type to coef0 are read */
  const struct svm_problem_view* sv; /* l support vectors; classification: by class, in the order
                                        of label; not read for PRECOMPUTED */
  int nr_class;                      /* classification: k; not read otherwise */
  int l;                             /* number of support vectors */
  const double* sv_coef; /* k-1 rows of l coefficients, one after the other; otherwise one row */
  const double* rho;     /* k(k-1)/2 thresholds, or 1 */
  const int* label;      /* classification: k labels */
  const int* nr_sv;      /* classification: k numbers of support vectors, which sum to l */
  const double* prob_a;  /* as probA, probB and prob_density_marks of struct svm_model; or null */
  const double* prob_b;
  const double* prob_density_marks;
  const int* sv_indices; /* l row numbers from 1, which PRECOMPUTED needs; or null */
};

/* Makes a model of arrays, as svm_load_model would of a file.  The model owns copies of everything.
 * Free the result with svm_free_and_destroy_model.  Null on failure: out of memory, or arrays that
 * violate this description; values are not checked. */
SVM_API struct svm_model* svm_model_from_arrays(const struct svm_model_arrays* arrays);

/* svm_train_ex on a view.  It checks the parameters as svm_check_parameter does, except that nu is
 * checked with the weights of the rows; y, gamma and coef0 must be finite.  The model, the messages
 * and the draws are those of svm_train_ex on the same rows without zeros.  The model owns copies of
 * its support vectors; no other rows are copied to svm_nodes.  It does not point to anything that
 * the caller owns, so its param has no class weights. */
SVM_API struct svm_model* svm_train_view(const struct svm_problem_view* view,
                                         const struct svm_parameter* param,
                                         const struct svm_options* options,
                                         struct svm_result* result);

/* svm_cross_validation_ex on a view, likewise; target receives view->rows predictions.  It is not
 * written if view->size is wrong or view->rows exceeds INT_MAX. */
SVM_API int svm_cross_validation_view(const struct svm_problem_view* view,
                                      const struct svm_parameter* param, int nr_fold,
                                      const struct svm_options* options, double* target,
                                      struct svm_result* result);

/* Predicts all rows of a view with up to `threads` threads (0: as in svm_options).  Arrays that are
 * null are not written.  predictions receives one number per row.  values receives
 * svm_get_nr_values() numbers per row, with the bits of svm_predict_values.  probabilities receives
 * k numbers per row, 2 for one-class, with the bits of svm_predict_probability, which then also
 * decides the predictions.  Returns 0, or -1 on failure, which leaves the arrays in any state: if
 * one of those functions fails, if the view is invalid, or if the model lacks the probabilities.
 * Nothing is printed. */
SVM_API int svm_predict_rows(const struct svm_model* model, const struct svm_problem_view* rows,
                             size_t threads, double* predictions, double* values,
                             double* probabilities);

/* ---- Prepared predictors ---- */

/* A model packed for prediction, once and for all; it does not change, and threads can share it.
 * Its results are those of svm_predict, svm_predict_values and svm_predict_probability, to the bit.
 * Calls allocate no memory once each thread has made one, if no more than 16 predict at a time. */
struct svm_predictor;

/* Packs a model, in at most four times the bytes of its support vectors.  If `copy` is 0, the
 * predictor refers to the model, which must outlive it and must not change; otherwise it has a copy
 * of its own.  Free it with svm_free_predictor.  Null on failure: out of memory. */
SVM_API struct svm_predictor* svm_make_predictor(const struct svm_model* model, int copy);

/* Predicts row x.  `values` receives what svm_predict_values writes, and `probabilities` what
 * svm_predict_probability writes, which then also decides the prediction; either may be null.  With
 * both null, a label of a linear or RBF model takes much less time.  Returns the prediction, or NaN
 * on failure, as those functions do. */
SVM_API double svm_predictor_predict(const struct svm_predictor* predictor,
                                     const struct svm_node* x, double* values,
                                     double* probabilities);

/* The same for a row of `columns` numbers, the values of features 1, 2 ... columns; `value_type` is
 * an enum svm_value_type. */
SVM_API double svm_predictor_predict_dense(const struct svm_predictor* predictor, const void* x,
                                           size_t columns, int value_type, double* values,
                                           double* probabilities);

/* svm_predict_rows without packing the model at each call. */
SVM_API int svm_predictor_predict_rows(const struct svm_predictor* predictor,
                                       const struct svm_problem_view* rows, size_t threads,
                                       double* predictions, double* values, double* probabilities);

/* Bytes of memory that the predictor holds, without the working memory of calls. */
SVM_API size_t svm_predictor_bytes(const struct svm_predictor* predictor);

/* Frees a predictor, which may be null.  No call may use it any more. */
SVM_API void svm_free_predictor(struct svm_predictor* predictor);

#ifdef __cplusplus
}
#endif

#undef SVM_API

#endif /* _LIBSVM_H */
