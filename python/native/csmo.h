/* Functions that the library of the Python package adds to svm_ext.h: svm-grid's engine, and a
 * progress function that does not need the interpreter.  They are used by python/csmo/_native.py,
 * which has the same layouts, and are not a public interface. */
#ifndef CSMO_H_
#define CSMO_H_

#include "svm_ext.h"

#ifdef _WIN32
#define CSMO_API __declspec(dllexport)
#else
#define CSMO_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a call for another thread, which may read all members and set `cancel` at any time.
 */
struct csmo_watch {
  int cancel;                   /* set to 1 by the caller: cancels the call */
  int points;                   /* number of finished points of a grid */
  struct svm_progress progress; /* the latest state */
};

/* A function for svm_options::progress with a struct csmo_watch as progress_user. */
CSMO_API int csmo_watch_progress(const struct svm_progress* progress, void* watch);

struct csmo_grid_point {
  double C, gamma, p; /* if the type and the kernel use them: C > 0, the others >= 0 */
};

/* The fold of a row that is in every training set; not with cells. */
#define CSMO_NEVER_TESTED (-1)

struct csmo_grid {
  const struct csmo_grid_point* points;
  size_t count;           /* number of points, > 0 */
  int folds;              /* >= 1 */
  const int* fold_of_row; /* 0 to folds - 1 for each row, or CSMO_NEVER_TESTED; no fold may be empty
                             or have all rows */
  int warm_start;         /* 1: trainings start from those of smaller C, as svm-grid --warm-start */
  int cells;              /* most rows of a cell, as svm-grid --cells; 0 for no cells */
  int values;             /* decision values of a row, for results that are these; else 0 */
  int every_fold;         /* 1: results for all rows by the machines of each fold; not with cells */
};

/* Kernel rows that a search computed. */
struct csmo_rows;

/* Cross validates at every point: results[i * rows->rows + t] is the prediction of row t at point i
 * by a model trained without the row's fold, and NaN if the row is never tested.  With every_fold,
 * results[(i * folds + f) * rows->rows + t] is that by the model that was trained without fold f,
 * for all rows.  With `values`, so many decision values take the place of each prediction.  If the
 * call was cancelled or reached its time limit, the results of points that were not finished are
 * NaN. Points with the same gamma share kernel rows.  `param` must not ask for probabilities.
 * `watch` may be null.  *kept, unless `kept` is null, becomes the kernel rows of all rows for the
 * gamma that was searched last, for csmo_train, or null if they are not kept; y and the arrays of
 * `rows` must exist until csmo_free_rows().  Returns 0, or -1 on failure with the reason in
 * svm_last_error().
 */
CSMO_API int csmo_grid_search(const struct svm_rows* rows, const double* y,
                              const struct svm_parameter* param, const struct svm_options* options,
                              const struct csmo_grid* grid, double* results,
                              struct csmo_watch* watch, struct csmo_rows** kept);

CSMO_API void csmo_free_rows(struct csmo_rows* kept); /* which may be null */

/* Like svm_train_rows, but the classes are in ascending order of their labels, as in scikit-learn,
 * both in the binary problems and in the model.  LIBSVM orders them by their first rows.
 * csmo_grid_search does the same.  `kept` may be null; otherwise it comes from a search on rows
 * with the same values, and is read if kernel, memory and solver are those of the search. */
CSMO_API struct svm_model* csmo_train(const struct svm_rows* rows, const double* y,
                                      const struct svm_parameter* param,
                                      const struct svm_options* options,
                                      const struct csmo_rows* kept, struct svm_result* result);

#ifdef __cplusplus
}
#endif

#endif /* CSMO_H_ */
