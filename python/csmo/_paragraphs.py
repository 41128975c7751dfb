"""Paragraphs that docstrings of several estimators share.

A line of a docstring that consists of names after a dollar sign, such as "$ kernel degree", stands
for the paragraphs of these names.
"""

import inspect
from typing import Any, Dict, List, Type, TypeVar

Kind = TypeVar("Kind", bound=Type[Any])

_PARAMETERS = """
C : float, default=1.0
    Cost of a row's slack, above 0.  The larger it is, the closer the model follows the rows.
kernel : {'rbf', 'linear', 'poly', 'sigmoid', 'precomputed'} or callable, default='rbf'
    The kernel.  A function gets two sets of rows, of any kind, and returns the matrix of their
    kernel values.  With 'precomputed', X is such a matrix.
named_kernel : {'rbf', 'linear', 'poly', 'sigmoid'}, default='rbf'
    The kernel.
cell_size : int, default=2000
    The most rows of a cell.  Larger cells are better and take more time.
n_trees : int, default=5
    Number of trees.  Time and memory grow in proportion to it.
degree : int, default=3
    Degree of the kernel 'poly'.
gamma : {'scale', 'auto'} or float, default='scale'
    Coefficient of the kernels 'rbf', 'poly' and 'sigmoid'.  'scale' is 1 / (n_features * X.var()),
    'auto' is 1 / n_features.
coef0 : float, default=0.0
    Constant term of the kernels 'poly' and 'sigmoid'.
shrinking : bool, default=True
    Whether to leave variables out of iterations while they stay at a bound.
probability : bool, default=False
    Whether to fit probabilities by an internal cross validation, as LIBSVM does with ``-b 1``, for
    ``predict_proba``.  With scikit-learn 1.9 and later, which deprecates this parameter, giving it
    is a FutureWarning; `sklearn.calibration.CalibratedClassifierCV` works with every version.
tol : float, default=1e-3
    Largest allowed violation of the optimality conditions.
cache_size : float, default=200
    Megabytes for kernel values.
class_weight : dict or 'balanced', default=None
    Factors of C by label.  'balanced' makes them inversely proportional to the number of rows.
verbose : int, default=0
    1 prints what LIBSVM prints; 2 also shows a progress bar if tqdm is installed.
max_iter : int, default=-1
    Largest number of iterations of each binary problem, or -1 for LIBSVM's limit.
forest_verbose : int, default=0
    1 prints a line for each tree.
forest_max_iter : int, default=-1
    Largest number of iterations of each binary problem of a cell, or -1 for LIBSVM's limit.
time_limit : float, default=None
    Seconds after which training ends, with a warning and the trees that are finished, of which
    there must be one.  With a limit, no other processes train.
decision_function_shape : {'ovr', 'ovo'}, default='ovr'
    Whether ``decision_function`` has a column for each class or for each pair of classes.  The
    classes are trained in pairs in any case.
break_ties : bool, default=False
    Whether ``predict`` decides by the largest value of ``decision_function`` instead of by votes.
random_state : int, RandomState instance or None, default=None
    Seed of random draws.
forest_random_state : int, RandomState instance or None, default=None
    Seed of the draws of cells and of rows that are held out.
solver : {'csmo', 'smo', 'hybrid'}, default='csmo'
    'csmo' is conjugate SMO; 'smo' takes LIBSVM's steps; 'hybrid' is another name of 'csmo'.
support_only : bool, default=False
    For a kernel that is a function: whether predictions call it with the support vectors only,
    which takes less time, and no other rows are kept, so that pickles are small.  By default it is
    called with all rows of training, as by scikit-learn.  Predictions are the same.
metric : {'learned'}, default=None
    'learned' multiplies the features by weights, which are learned first, as long as rows that are
    held out show a gain: see `feature_weights_`.  For the kernel 'rbf' only.  `gamma` is for the
    features as they are.
forest_metric : {'learned'} or None, default='learned'
    'learned' multiplies the features by weights, which are learned first, as long as rows that are
    held out show a gain: see `feature_weights_`.  Only the kernel 'rbf' has weights.
n_jobs : int, default=None
    Number of threads of training and prediction.  -1 means all processors, and None the n_jobs of
    joblib.parallel_config, or else what the place allows: all processors, or in workers of another
    parallel program the number that it sets, or 1.  Results do not depend on it.
forest_n_jobs : int, default=None
    Number of threads of training and prediction, or of processes that train if such a backend of
    joblib is active.  -1 means all processors, and None what the context or the place allows, as
    for `SVC`.  Results do not depend on it.
search_estimator : SVC, NuSVC, SVR or NuSVR of this package, or a Pipeline that ends in one
    The transformers of a pipeline are fitted on the training rows of each fold.
search_n_jobs : int, default=None
    Threads of the search.  None stands for the ``n_jobs`` of the estimator.  If other processes do
    the trainings, the number of these, of which each has the threads that its place allows.
search_verbose : int, default=0
    1 shows a progress bar if tqdm is installed.
warm_start : bool, default=True
    Whether trainings start from the solution for a smaller C, which is faster.  Has no effect if
    the estimator has a ``max_iter``.
cells : int, default=None
    For very many rows: cut them into cells of at most so many neighbouring rows, and predict each
    row by models that were trained on other folds of its cell.  This approximates the full
    search, and takes gamma 'scale' and class_weight 'balanced' from all rows.  ``best_estimator_``
    is trained on all rows.  Pipelines have no cells, and scoring is by predictions of rows that
    were left out.
"""

_ATTRIBUTES = """
support_ : ndarray of shape (n_SV,)
    Row numbers of the support vectors.
support_vectors_ : ndarray or sparse matrix of shape (n_SV, n_features)
    The support vectors; empty if the kernel is a function or precomputed.  Their features are
    weighted if there are `feature_weights_`.
n_support_ : ndarray of shape (n_classes,), or (1,) without classes
    Numbers of support vectors.
dual_coef_ : ndarray or sparse matrix of shape (n_classes - 1, n_SV), or (1, n_SV) without classes
    Coefficients of the support vectors in the decision functions.
intercept_ : ndarray of shape (n_functions,)
    Constants of the decision functions.
coef_ : ndarray or sparse matrix of shape (n_functions, n_features)
    Weights of the features, for the linear kernel only.  They cannot be changed.
feature_weights_ : ndarray of shape (n_features_in_,)
    Unless `metric` is None, the weights by which features are multiplied in training and
    prediction; all 1 if weights would show no gain.
fit_status_ : int
    0 if training converged, 1 if it ended early, with a warning.
step_counts_ : dict
    Numbers of iterations by kind, ``"conjugate"``, of these ``"clipped"``, ``"plain"`` and
    ``"outer"``, and of ``"phases"`` over the free variables, of all binary problems together.
shape_fit_ : tuple of int
    Shape of X in ``fit``.
n_features_in_ : int
    Number of features in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Names of the features, if X in ``fit`` was a data frame with names that are strings.
classes_ : ndarray of shape (n_classes,)
    The labels, sorted.
class_weight_ : ndarray of shape (n_classes,)
    The factors of C.
iterations_of_pairs : ndarray of shape (n_pairs,)
    Numbers of iterations of the pairs of classes.
n_trees_ : int
    Number of trees.
n_cells_ : int
    Number of cells of all trees together.
n_support_vectors_ : int
    Number of rows that are support vectors of some cell.
nbytes : int
    Bytes of memory of the forest.
iterations_of_cells : int
    Number of iterations of all cells together.
iterations : int
    Number of iterations.
slopes : ndarray of shape (n_pairs,)
    If `probability` is True, the probability of the first class of a pair with the decision value f
    is 1 / (1 + exp(probA_ * f + probB_)).
engine_ : str
    'csmo', or 'scikit-learn' and the reason.
search_time_ : float
    Seconds of the search.
"""

# Paragraphs that documents show under another name than that of the entry above.
_SHOWN = {
    "named_kernel": "kernel",
    "search_estimator": "estimator",
    "search_n_jobs": "n_jobs",
    "search_verbose": "verbose",
    "forest_verbose": "verbose",
    "forest_max_iter": "max_iter",
    "forest_random_state": "random_state",
    "forest_n_jobs": "n_jobs",
    "forest_metric": "metric",
    "iterations_of_pairs": "n_iter_",
    "iterations_of_cells": "n_iter_",
    "iterations": "n_iter_",
    "slopes": "probA_, probB_",
}


def _by_name(text: str) -> Dict[str, List[str]]:
    paragraphs: Dict[str, List[str]] = {}
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            name, kind = line.split(" : ", 1)
            current = paragraphs[name] = [f"{_SHOWN.get(name, name)} : {kind}"]
        else:
            current.append(line)
    return paragraphs


_PARAGRAPHS = {**_by_name(_PARAMETERS), **_by_name(_ATTRIBUTES)}


def with_paragraphs(kind: Kind) -> Kind:
    """Replaces the lines that begin with a dollar sign in the docstring of a class."""
    if kind.__doc__ is None:  # python -OO
        return kind
    lines = []
    for line in inspect.cleandoc(kind.__doc__).splitlines():
        if line.startswith("$ "):
            for name in line.split()[1:]:
                lines += _PARAGRAPHS[name]
        else:
            lines.append(line)
    kind.__doc__ = "\n".join(lines) + "\n"
    return kind
