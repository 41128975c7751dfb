"""GridSearchSVC: svm-grid's engine with GridSearchCV's interface."""

import time
import warnings
from numbers import Integral
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.metrics._scorer import _check_multimetric_scoring
from sklearn.model_selection import GridSearchCV, ParameterGrid, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import _num_samples, indexable

from ._estimators import NuSVC, NuSVR, SVC, SVR
from ._folds import Point, Trainings
from ._machine import copied
from ._progress import make_bar
from ._replay import NeedsModel, Record, Replay, machine_of, needs_predictions_only, watched
from ._rows import canonical
from ._search import KernelRows, Settings

Splits = List[Tuple[np.ndarray, np.ndarray]]
# Attributes that a search may end without.
_NOT_IN_EACH_SEARCH = (
    "best_estimator_", "best_index_", "best_params_", "best_score_", "cv_results_",
    "feature_names_in_", "refit_time_",
)  # fmt: skip


class SearchNote(UserWarning):
    """The engine of csmo cannot do a search.  scikit-learn's does it, with the same results, but
    more slowly."""


class GridSearchSVC(GridSearchCV):
    """Search of parameters by cross validation: scikit-learn's GridSearchCV with svm-grid's engine.

    It has the parameters, folds, scores and attributes of `sklearn.model_selection.GridSearchCV`.
    Points that differ in C, gamma or epsilon share kernel rows, and trainings start from the
    solution for a smaller C.  What the engine cannot do is left to scikit-learn's own search, and a
    `SearchNote` says why: scoring by decision values or probabilities, scores of the training rows,
    other estimators.  After Ctrl-C, ``cv_results_`` has the points that were finished,
    ``best_params_`` is the best of these, and KeyboardInterrupt is raised.

    Parameters
    ----------
    estimator : SVC, NuSVC, SVR or NuSVR of this package, or a Pipeline that ends in one
        The transformers of a pipeline are fitted on the training rows of each fold.
    param_grid : dict or list of dicts
        Lists of values by the names of parameters, as for GridSearchCV.
    scoring, refit, cv, pre_dispatch, error_score, return_train_score : as for GridSearchCV
        The same, with the same defaults.
    n_jobs : int, default=None
        Threads of the search.  None stands for the ``n_jobs`` of the estimator.
    verbose : int, default=0
        1 shows a progress bar if tqdm is installed.
    warm_start : bool, default=True
        Whether trainings start from the solution for a smaller C, which is faster.  Those of csmo may
        also end as soon as no prediction of a held-out row can change.  Has no effect if the
        estimator has a ``max_iter``.
    cells : int, default=None
        For very many rows: cut them into cells of at most so many neighbouring rows, and predict each
        row by machines that were trained on other folds of its cell.  This approximates the full
        search, and takes gamma 'scale' and class_weight 'balanced' from all rows.
        ``best_estimator_`` is trained on all rows.  Pipelines have no cells.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_ : as those of GridSearchCV
        Times in ``cv_results_`` are averages, as one run of the engine does many fits.
    engine_ : str
        'csmo', or 'scikit-learn' and the reason.
    search_time_ : float
        Seconds of the search.

    Examples
    --------
    >>> from csmo import GridSearchSVC, SVC
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = make_pipeline(StandardScaler(), SVC())
    >>> search = GridSearchSVC(machine, {"svc__C": [1, 10], "svc__gamma": [0.01, 0.1]}).fit(X, y)
    >>> search.best_params_
    {'svc__C': 1, 'svc__gamma': 0.1}
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: Optional[int] = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
        warm_start: bool = True,
        cells: Optional[int] = None,
    ) -> None:
        super().__init__(
            estimator,
            param_grid,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.warm_start = warm_start
        self.cells = cells

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, **fit_params: Any) -> Any:
        """Searches on X, (n_rows, n_features) or (n_rows, n_rows) kernel values, and y.  `groups`
        is for the splitter, and other parameters, such as sample_weight, for fit of the estimator.
        """
        # A copy searches, so that a failure changes nothing.
        search: Any = copied(self)
        for name in _NOT_IN_EACH_SEARCH:
            vars(search).pop(name, None)
        try:
            search._search(X, y, groups, fit_params)
        except KeyboardInterrupt:
            if hasattr(search, "cv_results_"):
                self.__dict__ = vars(search)
            raise
        self.__dict__ = vars(search)
        return self

    def _search(self, X: Any, y: Any, groups: Any, fit_params: Dict[str, Any]) -> None:
        if self.cells is not None and not (isinstance(self.cells, Integral) and self.cells >= 10):
            raise ValueError(f"cells={self.cells!r}: None, or a number of rows from 10 on")
        if hasattr(self, "_parameter_constraints"):  # scikit-learn 1.3 and later
            self._validate_params()
        X = canonical(X.tocsr()) if issparse(X) else X
        scorers = self._scorers()
        points = [
            Point(number, self.estimator, params)
            for number, params in enumerate(ParameterGrid(self.param_grid))
        ]
        why = self._why_not(points, scorers, X, y, groups, fit_params)
        if why is None:
            try:
                return self._search_by_engine(points, scorers, X, y, groups, fit_params)
            except NeedsModel as reason:
                why = str(reason)
        if self.cells is not None:
            raise ValueError(f"cells={self.cells!r} are for the engine of csmo only, but {why}")
        self.engine_ = f"scikit-learn: {why}"
        note = f"{why}: this search is scikit-learn's own, which is as good, but slower"
        warnings.warn(note, SearchNote, stacklevel=3)
        start = time.perf_counter()
        if groups is not None:
            fit_params["groups"] = groups
        super().fit(X, y, **fit_params)
        self.search_time_ = time.perf_counter() - start - getattr(self, "refit_time_", 0.0)

    def _scorers(self) -> Any:
        """What GridSearchCV has as scorer_."""
        if callable(self.scoring):
            return self.scoring
        if self.scoring is None or isinstance(self.scoring, str):
            return check_scoring(self.estimator, scoring=self.scoring)
        scorers = _check_multimetric_scoring(self.estimator, self.scoring)
        self._check_refit_for_multimetric(scorers)
        return scorers

    def _why_not(
        self,
        points: List[Point],
        scorers: Any,
        X: Any,
        y: Any,
        groups: Any,
        fit_params: Dict[str, Any],
    ) -> Optional[str]:
        """Why the engine cannot do this search; None if it can."""
        if isinstance(self.estimator, Pipeline) and type(self.estimator) is not Pipeline:
            return f"{_name(self.estimator)} is not scikit-learn's Pipeline"
        for point in points:
            machine = point.machine
            if not _is_searched(machine):
                return f"{_name(machine)} is no SVC, NuSVC, SVR or NuSVR of csmo"
            if getattr(machine, "break_ties", False):
                return "break_ties needs decision values"
            if self.cells is not None and point.has_transformers:
                return "the estimator is a pipeline"
        if y is None:
            return "there is no y"
        for scorer in scorers.values() if isinstance(scorers, dict) else [scorers]:
            if not needs_predictions_only(scorer):
                return "the scoring needs decision values or probabilities"
        if self.return_train_score:
            return "return_train_score needs predictions of the training rows"
        if (fit_params or groups is not None) and get_config().get("enable_metadata_routing"):
            return "metadata routing is enabled"
        for name, value in fit_params.items():
            if name != self._weight_name():
                return f"fit takes the parameter {name}"
            if value is not None and (np.ndim(value) != 1 or len(value) != _num_samples(X)):
                return f"{name} is not one number for each row"
        return None

    def _weight_name(self) -> str:
        """The name of the machine's sample_weight among the parameters of fit."""
        if isinstance(self.estimator, Pipeline):
            return f"{self.estimator.steps[-1][0]}__sample_weight"
        return "sample_weight"

    def _search_by_engine(
        self,
        points: List[Point],
        scorers: Any,
        X: Any,
        y: Any,
        groups: Any,
        fit_params: Dict[str, Any],
    ) -> None:
        X, y, groups = indexable(X, y, groups)
        splits = self._splits(X, y, groups)
        weights = fit_params.get(self._weight_name())
        record = Record(len(points), len(splits))
        start = time.perf_counter()
        with KernelRows() as kernel_rows, _Bar(len(points) * len(splits), self.verbose) as bar:
            trainings = Trainings(
                X,
                y,
                None if weights is None else np.asarray(weights),
                splits,
                Settings(self.warm_start, self.cells, self.n_jobs),
                record,
                bar.show,
            )
            try:
                trainings.run(points, kernel_rows)
            except KeyboardInterrupt:
                self.search_time_ = time.perf_counter() - start
                self._keep_part_of_results(record, X, y, splits)
                raise
            self.search_time_ = time.perf_counter() - start
            bar.close()
            self._keep_results(record, X, y, splits, self.refit, self.error_score, fit_params)
            self.scorer_ = scorers
            self.engine_ = "csmo"
            if self.refit:
                self._refit(X, y, fit_params, kernel_rows)

    def _splits(self, X: Any, y: Any, groups: Any) -> Splits:
        """The rows of each training set, and of each fold."""
        folds = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        rows = np.arange(_num_samples(X))
        return [(rows[train], rows[test]) for train, test in folds.split(X, y, groups)]

    def _keep_results(
        self,
        record: Record,
        X: Any,
        y: Any,
        splits: Splits,
        refit: Any,
        error_score: Any,
        fit_params: Dict[str, Any],
    ) -> None:
        """Lets scikit-learn's search score the outcomes and choose the best point."""
        search = GridSearchCV(
            Replay(self.estimator, record),
            self.param_grid,
            scoring=watched(self.scoring),
            n_jobs=1,  # the outcomes are taken in order
            refit=refit,
            cv=splits,
            error_score=error_score,
        ).fit(X, y, **fit_params)
        seconds = record.seconds()
        search.cv_results_["mean_fit_time"] = seconds.mean(axis=1)
        search.cv_results_["std_fit_time"] = seconds.std(axis=1)
        for name in ("cv_results_", "n_splits_", "multimetric_"):
            setattr(self, name, getattr(search, name))
        for name in ("best_index_", "best_params_", "best_score_"):
            if hasattr(search, name):
                setattr(self, name, getattr(search, name))

    def _keep_part_of_results(self, record: Record, X: Any, y: Any, splits: Splits) -> None:
        """Keeps the results of a search that Ctrl-C has ended."""
        refit = self.refit if isinstance(self.refit, str) else False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of points without scores
            self._keep_results(record, X, y, splits, refit, np.nan, {})
        if not hasattr(self, "best_score_") or np.isnan(self.best_score_):
            for name in ("best_index_", "best_params_", "best_score_"):
                self.__dict__.pop(name, None)

    def _refit(self, X: Any, y: Any, fit_params: Dict[str, Any], kernel_rows: KernelRows) -> None:
        best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
        self.best_estimator_ = best
        start = time.perf_counter()
        if self.best_index_ in kernel_rows.points:
            machine_of(best)._kernel_rows_of_search = kernel_rows.handle
        try:
            best.fit(X, y, **fit_params)
        finally:
            machine_of(best).__dict__.pop("_kernel_rows_of_search", None)
        self.refit_time_ = time.perf_counter() - start
        if hasattr(best, "feature_names_in_"):
            self.feature_names_in_ = best.feature_names_in_


def _name(estimator: Any) -> str:
    """The name of the class and of its package."""
    kind = type(estimator)
    return f"{kind.__module__.split('.')[0]}.{kind.__name__}"


def _is_searched(machine: Any) -> bool:
    """True if the machine trains and predicts as one of ours that the engine knows."""
    known: Tuple[Any, ...] = (SVC, NuSVC, SVR, NuSVR)
    kind = type(machine)
    return any(
        isinstance(machine, ours) and kind.fit is ours.fit and kind.predict is ours.predict
        for ours in known
    )


class _Bar:
    """A progress bar, if it is wanted and tqdm is installed."""

    def __init__(self, trainings: int, wanted: int) -> None:
        self._bar = make_bar(total=trainings, desc="grid", unit="fit") if wanted else None

    def show(self, done: int) -> None:
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()
