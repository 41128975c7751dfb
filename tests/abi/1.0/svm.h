/* svm.h: LIBSVM 3.37's interface, as libsvm.so.4 provides it: its layouts, names and meaning.
 *
 * Programs compiled for LIBSVM run on this library unchanged.  What this library has beyond LIBSVM,
 * such as the choice of the solver, is in svm_ext.h.
 *
 * Notation: l is the number of rows, k the number of classes.  Arrays are contiguous.  Pointers are
 * not null unless the comment allows it.
 *
 * Threads: functions may be called concurrently on different models and problems, and many threads
 * may predict with one model.  Random draws come from the C library's rand(), in LIBSVM's order and
 * by one thread at a time; seed them with srand().  Models, messages and predictions do not depend
 * on the number of threads that train.  The print function is called on the calling thread only.
 * The process may exit while its threads are in the library.
 *
 * Environment variables, such as LIBSVM_SOLVER and SVM_NUM_THREADS, are described in
 * docs/options.md.  They are read at every call: do not change them while another thread trains.
 *
 * Errors: the library never exits and never aborts.  A function that fails returns the value
 * documented at its declaration, and svm_last_error() of svm_ext.h has the reason.  Nothing is
 * written to standard error: the texts that LIBSVM writes there are warnings, which go to
 * svm_set_warning_function() of svm_ext.h.
 *
 * Callbacks may throw C++ exceptions of any type.  An exception from a function for messages
 * reaches the caller of the library function, as with LIBSVM, once all threads of the call have
 * ended: nothing leaks, nothing more is printed, and the result is lost.  Callbacks may call the
 * library.  They must not leave by longjmp() or end their thread.
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

/* C++ programs may include this header in a namespace, so it includes no other. */
#if defined(_WIN32) || !defined(__GNUC__)
#define SVM_API
#else
#define SVM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
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

  int free_sv; /* 1 if the model owns its rows: if it was loaded, made by a function of svm_ext.h,
                  or trained by a solver such as dcd, which stores a linear model as a single
                  vector w with coefficient 1 for each pair */
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
 * of SVM, are ignored with a warning by svm_train and svm_cross_validation.  They make the
 * functions of svm_ext.h that train fail. */
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

/* The members of the model: param.svm_type, nr_class and l. */
SVM_API int svm_get_svm_type(const struct svm_model* model);
SVM_API int svm_get_nr_class(const struct svm_model* model);
SVM_API int svm_get_nr_sv(const struct svm_model* model);

/* Writes the k labels to label; nothing for regression and one-class. */
SVM_API void svm_get_labels(const struct svm_model* model, int* label);

/* Writes the l row numbers (from 1) to sv_indices; nothing if model->sv_indices is null. */
SVM_API void svm_get_sv_indices(const struct svm_model* model, int* sv_indices);

/* Scale of the Laplace distribution of regression errors, in units of the targets.  If it was not
 * estimated, returns 0, which is a failure and a warning. */
SVM_API double svm_get_svr_probability(const struct svm_model* model);

/* Models that this library made are packed at the second call of one of the next three functions,
 * in up to twice the bytes of their support vectors, and predict many times faster from then on,
 * with the same results.  The environment variable LIBSVM_PACKED_MODELS may be "off", or a limit
 * for a model in whole megabytes; it is read when a model is packed, and ignored with a warning if
 * it is invalid.  svm_free_model_content frees what was packed.  rho, label, probA, probB,
 * prob_density_marks and sv_coef are read from the model at each call, so their values may change
 * between calls.  If param, nr_class, l, nSV, one of the pointers of the struct, a pointer in
 * sv_coef, or the first, middle or last support vector (its pointer or its first node) changed
 * since the model was packed, it is predicted from its members without packing from then on.  Other
 * changes to support vectors of a model that was packed are not noticed: change them before the
 * first call, or set LIBSVM_PACKED_MODELS to "off". Models that the caller fills are not packed.
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

#ifdef __cplusplus
}
#endif

#endif /* _LIBSVM_H */
