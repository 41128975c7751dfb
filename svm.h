/* svm.h: the C interface of libsvm.so.4, compatible with LIBSVM 3.37.
 *
 * Structures and the nineteen functions below have the layouts, names and meaning that LIBSVM 3.37
 * gives them: a program compiled for LIBSVM runs on this library unchanged, and the other way
 * round.  Layouts are checked by tests/abi_layout_test.cpp.
 *
 * Threads: functions may be called from several threads at once on different models and problems.
 * One model may be used for prediction by many threads.  Random draws come from the C library's
 * rand(), always on the calling thread; seed them with srand().
 *
 * Errors: the library never exits and never aborts.  A function that fails says why on standard
 * error and returns the value named at its declaration.
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
  int* sv_indices;            /* rows of the problem, from 1; null for a loaded model */

  /* Classification only; null otherwise. */
  int* label; /* k labels; pairs are (0,1), (0,2) ... (k-2,k-1) */
  int* nSV;   /* k numbers of support vectors; they sum to l */

  int free_sv; /* 1 where the model owns its rows (loaded from a file) */
};

/* Trains.  The model points into prob->x and copies param shallowly: keep both while it is used.
 * Call svm_check_parameter first.  Free the result with svm_free_and_destroy_model.
 * Null when memory runs out or a precomputed row is too short. */
SVM_API struct svm_model* svm_train(const struct svm_problem* prob,
                                    const struct svm_parameter* param);

/* Cross validation: target[i], i < prob->l, receives the prediction for row i by a model that did
 * not see it.  nr_fold >= 2; more folds than rows means leave-one-out.  On failure every target
 * is NaN. */
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
 * prediction. */
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

#ifdef __cplusplus
}
#endif

#endif /* SVM_H_ */
