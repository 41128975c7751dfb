"""GridSearchSVC: svm-grid's engine with GridSearchCV's interface."""

import ctypes
import time
import warnings
from numbers import Integral
from typing import Any, Dict, Iterable, List, Optional, Tuple

import numpy as np
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, ParameterGrid, check_cv
from sklearn.utils import _safe_indexing, compute_class_weight
from sklearn.utils.validation import indexable

from . import _native
from ._base import BaseSVM
from ._progress import make_bar
from ._rows import Rows

# The parameters that the engine searches.  Each combination of all others is a separate search.
_AXES = ("C", "gamma", "epsilon")


class _Fold:
    """Passed to a scorer in place of an estimator that was trained without a fold."""

    def __init__(self, estimator: BaseSVM, y: np.ndarray, predictions: np.ndarray) -> None:
        self._estimator = estimator
        self._estimator_type = getattr(estimator, "_estimator_type", None)
        self._predictions = predictions
        if is_classifier(estimator):
            self.classes_ = np.unique(y)

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        return self._estimator.__sklearn_tags__()

    def fit(self, X: Any, y: Any = None) -> "_Fold":
        raise NotImplementedError

    def predict(self, X: Any) -> np.ndarray:
        return self._predictions

    def score(self, X: Any, y: Any) -> float:
        """The estimator's own score, which is used if no scorer is given."""
        return float(type(self._estimator).score(self, X, y))

    def __getattr__(self, name: str) -> Any:
        if name in ("decision_function", "predict_proba"):
            raise AttributeError(
                f"scoring by {name} is not for GridSearchSVC, which knows predictions only: "
                "use GridSearchCV"
            )
        raise AttributeError(name)


class GridSearchSVC(GridSearchCV):
    """Cross validation of many values of C, gamma and epsilon together.  After fit it has what
    scikit-learn's GridSearchCV has: best_params_, best_score_, best_estimator_, predict and so on,
    and cv_results_ without the times of single fits (search_time_ has the seconds of the search).

    estimator : SVC, NuSVC, SVR or NuSVR of this package.
    param_grid : as for GridSearchCV.  Points that differ in C, gamma or epsilon share kernel rows.
    scoring : None, a name or a scorer that needs predictions only.
    cv : as for GridSearchCV, but each row must be in exactly one test set.
    refit : whether to train best_estimator_ on all rows.
    warm_start : trainings start from the solution for a smaller C, which is faster.  Those of csmo
        may also end as soon as no prediction of a held-out row can change.
    cells : for very many rows, cut them into cells of at most so many neighbouring rows, and predict
        each row by machines that were trained on other folds of its cell.  This approximates the
        full search.  best_estimator_ is trained on all rows.
    verbose : 1 shows a progress bar if tqdm is installed.

    gamma 'scale' and 'auto', and class_weight 'balanced', are computed from all rows, not from each
    training set.  All other settings of the estimator, such as its solver and n_jobs, are used as
    they are.  After Ctrl-C, cv_results_ has the points that were finished, best_params_ is the best
    of these, and KeyboardInterrupt is raised.
    """

    def __init__(
        self,
        estimator: BaseSVM,
        param_grid: Any,
        *,
        scoring: Any = None,
        refit: bool = True,
        cv: Any = None,
        warm_start: bool = True,
        cells: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.refit = refit
        self.cv = cv
        self.warm_start = warm_start
        self.cells = cells
        self.verbose = verbose

    n_jobs = None  # the estimator's n_jobs is used
    pre_dispatch = None
    error_score = np.nan
    return_train_score = False
    multimetric_ = False

    def fit(self, X: Any, y: Any) -> "GridSearchSVC":
        """Searches on X, (n_rows, n_features) or (n_rows, n_rows) kernel values, and y."""
        estimator = self.estimator
        for name in ("best_estimator_", "best_index_", "best_params_", "best_score_"):
            self.__dict__.pop(name, None)
        if not isinstance(estimator, BaseSVM):
            raise TypeError(f"{estimator!r} is no estimator of csmo: use GridSearchCV")
        if callable(self.refit):
            raise ValueError("refit: True or False; a function is for GridSearchCV")
        if self.cells is not None and not (isinstance(self.cells, Integral) and self.cells >= 10):
            raise ValueError(f"cells={self.cells!r}: None, or a number of rows from 10 on")
        self.scorer_ = check_scoring(estimator, scoring=self.scoring)
        X, y = indexable(X, y)
        candidates = list(ParameterGrid(self.param_grid))
        splits = self._splits(estimator, X, y)
        self.n_splits_ = len(splits)
        start = time.perf_counter()
        scores = np.full((len(candidates), len(splits)), np.nan)
        with _KernelRows() as kernel_rows:
            try:
                self._search(estimator, X, np.asarray(y), candidates, splits, scores, kernel_rows)
            except KeyboardInterrupt:
                self._keep_results(candidates, scores, time.perf_counter() - start)
                raise
            self._keep_results(candidates, scores, time.perf_counter() - start)
            if not hasattr(self, "best_index_"):
                raise ValueError("the search has no finished point")
            if self.refit:
                self._refit(X, y, kernel_rows)
        return self

    def _refit(self, X: Any, y: Any, kernel_rows: "_KernelRows") -> None:
        self.best_estimator_ = clone(self.estimator).set_params(**self.best_params_)
        start = time.perf_counter()
        self.best_estimator_._kernel_rows_of_search = kernel_rows.handle
        try:
            self.best_estimator_.fit(X, y)
        finally:
            del self.best_estimator_._kernel_rows_of_search
        self.refit_time_ = time.perf_counter() - start
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_

    def _keep_results(
        self, candidates: List[Dict[str, Any]], scores: np.ndarray, seconds: float
    ) -> None:
        self.search_time_ = seconds
        self.cv_results_ = _results(candidates, scores)
        means = self.cv_results_["mean_test_score"]
        if not np.isnan(means).all():
            self.best_index_ = int(np.nanargmax(means))
            self.best_params_ = candidates[self.best_index_]
            self.best_score_ = float(means[self.best_index_])

    def _splits(self, estimator: BaseSVM, X: Any, y: Any) -> List[np.ndarray]:
        """The test rows of each fold."""
        folds = check_cv(self.cv, y, classifier=is_classifier(estimator))
        rows = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
        tests = []
        for train, test in folds.split(X, y):
            test = rows[test]
            if not np.array_equal(np.sort(np.concatenate([rows[train], test])), rows):
                raise ValueError("cv leaves rows out of a fold: use GridSearchCV")
            tests.append(test)
        if not np.array_equal(np.sort(np.concatenate(tests)), rows):
            raise ValueError("cv tests rows never or several times: use GridSearchCV")
        return tests

    def _search(
        self,
        estimator: BaseSVM,
        X: Any,
        y: np.ndarray,
        candidates: List[Dict[str, Any]],
        splits: List[np.ndarray],
        scores: np.ndarray,
        kernel_rows: "_KernelRows",
    ) -> None:
        """Sets `scores`, (n_candidates, n_splits), for the points that are finished."""
        failures = []
        estimators = {}
        for i, candidate in enumerate(candidates):
            estimators[i] = clone(estimator).set_params(**candidate)
            try:
                estimators[i]._check_parameters()
            except ValueError as error:
                failures.append(f"{candidate}: {error}")
                del estimators[i]
        bar = make_bar(total=len(candidates), desc="grid", unit="point") if self.verbose else None
        try:
            for group in _groups({i: candidates[i] for i in estimators}):
                members = [estimators[i] for i in group]
                try:
                    search = _Search(members, X, y, splits, self.warm_start, self.cells)
                    predictions = search.run(bar, kernel_rows)
                except _native.SvmError as error:
                    failures.append(f"{candidates[group[0]]}: {error}")
                    continue
                for place, i in enumerate(group):
                    if search.finished[place]:
                        scores[i] = self._score(members[place], X, y, predictions[place], splits)
                search.end()
        finally:
            if bar is not None:
                bar.close()
        if len(failures) > 0:
            if np.isnan(scores).all():
                raise ValueError("all points failed; the first: " + failures[0])
            warnings.warn("points failed:\n" + "\n".join(failures), FitFailedWarning)

    def _score(
        self,
        estimator: BaseSVM,
        X: Any,
        y: np.ndarray,
        predictions: np.ndarray,
        splits: List[np.ndarray],
    ) -> List[float]:
        scores = []
        for test in splits:
            fold = _Fold(estimator, y, predictions[test])
            scores.append(float(self.scorer_(fold, _safe_indexing(X, test), y[test])))
        return scores


class _KernelRows:
    """Kernel rows that the last search computed, for the training of all rows."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()
        self._data: Optional[Rows] = None

    def replace(self, handle: ctypes.c_void_p, data: Optional[Rows]) -> None:
        """Takes over `handle`, which refers to `data`."""
        _native.free_rows(self.handle)
        self.handle, self._data = handle, data

    def __enter__(self) -> "_KernelRows":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.replace(ctypes.c_void_p(), None)


class _Search:
    """A run of the engine for estimators that differ in its axes only."""

    def __init__(
        self,
        members: List[BaseSVM],
        X: Any,
        y: np.ndarray,
        splits: List[np.ndarray],
        warm_start: bool,
        cells: Optional[int],
    ) -> None:
        first = members[0]
        classifies = is_classifier(first)
        X, y = first._validate(X, y, **({} if classifies else {"y_numeric": True}))
        self._classes = None
        class_weight = None
        if classifies:
            self._classes, numbers = np.unique(y, return_inverse=True)
            class_weight = compute_class_weight(first.class_weight, classes=self._classes, y=y)
            y = numbers
        rows = first._training_rows(X, len(y))
        self._rows = Rows(rows, np.asarray(y, dtype=np.float64))
        gammas: Dict[Any, float] = {}
        for member in members:
            if member.gamma not in gammas:
                gammas[member.gamma] = member._gamma_for(X)
        self._param = first._parameter(class_weight)
        self._param.probability = 0
        has_gamma = self._param.kernel_type in (_native.POLY, _native.RBF, _native.SIGMOID)
        self._points = (_native.GridPoint * len(members))(
            *(
                (float(m.C), gammas[m.gamma] if has_gamma else 1.0, float(m.epsilon))
                for m in members
            )
        )
        self._fold_of_row = np.empty(len(self._rows), dtype=np.int32)
        for fold, test in enumerate(splits):
            self._fold_of_row[test] = fold
        self._grid = _native.Grid(
            points=self._points,
            count=len(members),
            folds=len(splits),
            fold_of_row=self._fold_of_row.ctypes.data_as(ctypes.POINTER(ctypes.c_int)),
            warm_start=int(warm_start),
            cells=0 if cells is None else int(cells),
        )
        self._call = first._call()
        self.finished = np.zeros(len(members), dtype=bool)

    def end(self) -> None:
        """Raises the KeyboardInterrupt that ended the search early."""
        self._call.end()

    def run(self, bar: Optional[Any], kernel_rows: _KernelRows) -> np.ndarray:
        """(n_points, n_rows) predictions.  After Ctrl-C some points are not `finished`.
        `kernel_rows` become those of this search."""
        kernel_rows.replace(ctypes.c_void_p(), None)
        predictions = np.empty((self._grid.count, len(self._rows)))
        kept = ctypes.c_void_p()

        def search() -> None:
            status = _native.grid_search(
                ctypes.byref(self._rows.view),
                ctypes.byref(self._param),
                ctypes.byref(self._call.options),
                ctypes.byref(self._grid),
                predictions.ctypes.data,
                ctypes.byref(self._call.watch),
                ctypes.byref(kept),
            )
            if status != 0:
                raise _native.failure()

        before = 0 if bar is None else bar.n

        def show(watch: _native.Watch) -> None:
            if bar is not None:
                bar.update(before + watch.points - bar.n)

        self._call.run(search, show)
        kernel_rows.replace(kept, self._rows)
        show(self._call.watch)
        self.finished = ~np.isnan(predictions).any(axis=1)
        if self._classes is None:
            return predictions
        numbers = np.where(np.isnan(predictions), 0, predictions).astype(np.intp)
        return self._classes.take(numbers)


def _groups(candidates: Dict[int, Dict[str, Any]]) -> List[List[int]]:
    """Groups of indices of candidates that differ in the engine's axes only."""
    groups: List[Tuple[Dict[str, Any], List[int]]] = []
    for i, candidate in candidates.items():
        rest = {name: value for name, value in candidate.items() if name not in _AXES}
        for known, places in groups:
            if known == rest:
                places.append(i)
                break
        else:
            groups.append((rest, [i]))
    return [places for _, places in groups]


def _results(candidates: List[Dict[str, Any]], scores: np.ndarray) -> Dict[str, Any]:
    """cv_results_ of GridSearchCV, without times."""
    results: Dict[str, Any] = {}
    names: Iterable[str] = sorted({name for candidate in candidates for name in candidate})
    for name in names:
        column = np.ma.MaskedArray(np.empty(len(candidates)), mask=True, dtype=object)
        for i, candidate in enumerate(candidates):
            if name in candidate:
                column[i] = candidate[name]
        results[f"param_{name}"] = column
    results["params"] = candidates
    for split in range(scores.shape[1]):
        results[f"split{split}_test_score"] = scores[:, split]
    means = scores.mean(axis=1)
    results["mean_test_score"] = means
    results["std_test_score"] = scores.std(axis=1)
    lowest = np.nanmin(means) if not np.isnan(means).all() else 0.0
    ranked = np.where(np.isnan(means), lowest - 1, means)
    results["rank_test_score"] = rankdata(-ranked, method="min").astype(np.int32)
    return results
