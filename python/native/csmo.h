/* What the library of the Python package has beyond svm.h: svm-grid's engine, and a progress
 * function that no interpreter has to run for.  For python/csmo/_native.py, which has the same
 * layouts; this is no public interface. */
#ifndef CSMO_H_
#define CSMO_H_

#include "svm.h"

#define CSMO_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* A call as another thread sees it, which may read all of this and set `cancel` at any time. */
struct csmo_watch {
  int cancel;                   /* 1, set by the caller: ends the call, as cancelling does */
  int points;                   /* points of a grid that are finished */
  struct svm_progress progress; /* as last shown */
};

/* svm_options::progress with a struct csmo_watch as progress_user. */
CSMO_API int csmo_watch_progress(const struct svm_progress* progress, void* watch);

struct csmo_grid_point {
  double C, gamma, p; /* where the type and the kernel have them; C > 0, the others >= 0 */
};

struct csmo_grid {
  const struct csmo_grid_point* points;
  size_t count;           /* of points, > 0 */
  int folds;              /* >= 2 */
  const int* fold_of_row; /* 0 to folds - 1 for each row; no fold is empty, none has all rows */
  int warm_start;         /* 1: trainings start from those of smaller C, as svm-grid --warm-start */
};

/* Cross validation at every point: predictions[i * rows + t] is that of row t at point i, by a
 * model trained without the row's fold; NaN for all rows of a point that was not finished, because
 * the call was cancelled or reached its time limit.  Points of one gamma share kernel rows.
 * `options` must not have row weights, nor `param` ask for probabilities.  `watch` may be null.
 * 0, or -1 on failure, for svm_last_error(). */
CSMO_API int csmo_grid_search(const struct svm_problem_view* view,
                              const struct svm_parameter* param, const struct svm_options* options,
                              const struct csmo_grid* grid, double* predictions,
                              struct csmo_watch* watch);

/* svm_train_view, but the classes stand in ascending order of their labels, as scikit-learn has
 * them: in the binary problems that are solved, and in the model.  LIBSVM has them in the order in
 * which they come first.  csmo_grid_search trains likewise. */
CSMO_API struct svm_model* csmo_train(const struct svm_problem_view* view,
                                      const struct svm_parameter* param,
                                      const struct svm_options* options, struct svm_result* result);

#ifdef __cplusplus
}
#endif

#endif /* CSMO_H_ */
