"""Searches by svm-grid's engine, in this process or as tasks of joblib's active backend.

scikit-learn's own search draws the candidates, scores them and chooses the best.  It asks for
batches of candidates: one, or with successive halving several.  The engine does all trainings of a
batch, and scikit-learn then scores what it has found (`_replay`).
"""

import time
import warnings
from contextlib import nullcontext
from numbers import Integral
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

import numpy as np
from joblib import parallel_backend
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.metrics._scorer import _check_multimetric_scoring
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import _num_samples, indexable

from ._elsewhere import Elsewhere
from ._engine import KernelRows, Settings
from ._estimators import NuSVC, NuSVR, SVC, SVR
from ._folds import Folds, Point, Points, Trainings, tasks_of
from ._machine import Fitted, copied
from ._progress import TrainingsBar
from ._replay import NeedsDecisions, NeedsModel, Outcome, Record, Replay
from ._replay import machine_of, method_of, prefix_of_machine, watched
from ._rows import canonical

Outcomes = Dict[Tuple[int, int], Outcome]
Splits = List[Tuple[np.ndarray, np.ndarray]]


class SearchNote(UserWarning):
    """The engine of csmo cannot do a search.  scikit-learn's does it, with the same results, but
    more slowly."""


# The tasks of joblib


def run_task(folds: Folds, points: Points) -> Outcomes:
    """The outcomes of points by a process of the backend.  An exception of a training is an
    outcome; tracebacks stay here."""
    outcomes: Outcomes = {}
    with KernelRows() as kernel_rows:
        Trainings(folds, outcomes).run(points, kernel_rows)
    for place, outcome in outcomes.items():
        if outcome.failure is not None:
            outcomes[place] = outcome._replace(failure=outcome.failure._replace(traceback=None))
    return outcomes


def run_elsewhere(
    place: Elsewhere, folds: Folds, tasks: Iterable[Points], pre_dispatch: Any
) -> Outcomes:
    """The outcomes of all tasks."""
    outcomes: Outcomes = {}
    for of_task in place.run(run_task, folds, tasks, pre_dispatch):
        outcomes.update(of_task)
    return outcomes


# The search


class _Batches:
    """The batches of candidates of one search, and what the engine has found for them."""

    def __init__(
        self, data: Tuple[Any, Any, Any, Any], splits: Splits, settings: Settings, search: Any
    ) -> None:
        self.data, self.splits, self.settings = data, splits, settings
        self.record = Record(len(splits))
        self.kernel_rows = KernelRows()
        self.trained: List[Tuple[Any, ...]] = []
        self.is_over = False
        self._search = search
        self.place = Elsewhere.active(search.n_jobs)  # the scores are always computed here
        self._bar = TrainingsBar(search.verbose)

    def train(self, drawn: Any, cv: Any, more_results: Any) -> Tuple[Any, ...]:
        """Trains all candidates on all folds of `cv`; returns what scikit-learn is to score."""
        X, y, groups, weights = self.data
        splits = self.splits if cv is None else _splits_of(cv, X, y, groups)
        first = self.record.points
        search = self._search
        candidates = search._candidates(drawn)
        points = [
            Point(first + place, search.estimator, params)
            for place, params in enumerate(candidates)
        ]
        for point in points:
            search._check_point(point, self.settings.decisions)
        self.record.points += len(points)
        self.trained.append((candidates, check_cv(splits), more_results))
        folds = Folds(X, y, weights, splits, self.settings)
        self._bar.begin(len(points) * len(splits))
        if self.place is not None:
            folds.settings = self.settings._replace(n_jobs=None)  # the number of tasks at a time
            dispatch = getattr(search, "pre_dispatch", "2*n_jobs")
            outcomes = run_elsewhere(self.place, folds, tasks_of(points), dispatch)
            self.record.outcomes.update(outcomes)
        else:
            Trainings(folds, self.record.outcomes, self._bar.show).run(points, self.kernel_rows)
        self._bar.end()
        return self.trained[-1]

    def __enter__(self) -> "_Batches":
        return self

    def __exit__(self, *_error: Any) -> None:
        self._bar.close()
        self.kernel_rows.clear()


class EngineSearch:
    """Gives a search of scikit-learn, which is the next base class, the engine.

    Attributes: `estimator`, `scoring`, `n_jobs`, `refit`, `cv`, `verbose`, `error_score` and
    `return_train_score` of scikit-learn, and `warm_start` and `cells`.
    """

    def fit(
        self: Fitted, X: Any, y: Any = None, *, groups: Any = None, **fit_params: Any
    ) -> Fitted:
        """Searches on X, (n_rows, n_features) or (n_rows, n_rows) kernel values, and y.  `groups`
        is for the splitter, and other parameters, such as sample_weight, for fit of the estimator.
        """
        # A copy searches, so that a failure changes nothing.
        search: Any = copied(self)
        for name in [name for name in vars(search) if name.endswith("_")]:
            del vars(search)[name]
        try:
            search._search(X, y, groups, fit_params)
        except KeyboardInterrupt:
            if hasattr(search, "cv_results_"):
                self.__dict__ = vars(search)
            raise
        self.__dict__ = vars(search)
        return self

    def _search(self: Any, X: Any, y: Any, groups: Any, fit_params: Dict[str, Any]) -> None:
        if self.cells is not None and not (isinstance(self.cells, Integral) and self.cells >= 10):
            raise ValueError(f"cells={self.cells!r}: None, or a number of rows from 10 on")
        if hasattr(self, "_parameter_constraints"):  # scikit-learn 1.3 and later
            self._validate_params()
        X = canonical(X.tocsr()) if issparse(X) else X
        scorers = self._scorers()
        methods = {method_of(scorer) for scorer in _each(scorers)}
        has_decisions = is_classifier(self.estimator) and "decision_function" in methods
        why = self._why_not(methods, X, y, groups, fit_params)
        draws = getattr(self, "random_state", None)
        state = draws.get_state() if isinstance(draws, np.random.RandomState) else None
        while why is None:
            try:
                return self._search_by_engine(scorers, X, y, groups, fit_params, has_decisions)
            except NeedsDecisions:
                has_decisions = True
            except NeedsModel as reason:
                why = str(reason)
            if state is not None:
                draws.set_state(state)  # for the same candidates
        if self.cells is not None:
            raise ValueError(f"cells={self.cells!r} is for csmo's own engine only, but {why}")
        self.engine_ = f"scikit-learn: {why}"
        note = f"{why}.  This search is scikit-learn's own, which is as good but slower."
        warnings.warn(note, SearchNote, stacklevel=3)
        start = time.perf_counter()
        if groups is not None:
            fit_params["groups"] = groups
        super().fit(X, y, **fit_params)
        self.search_time_ = time.perf_counter() - start - getattr(self, "refit_time_", 0.0)

    def _scorers(self: Any) -> Any:
        """What scikit-learn's search has as scorer_."""
        if callable(self.scoring):
            return self.scoring
        if self.scoring is None or isinstance(self.scoring, str):
            return check_scoring(self.estimator, scoring=self.scoring)
        scorers = _check_multimetric_scoring(self.estimator, self.scoring)
        self._check_refit_for_multimetric(scorers)
        return scorers

    def _why_not(
        self: Any, methods: Any, X: Any, y: Any, groups: Any, fit_params: Dict[str, Any]
    ) -> Optional[str]:
        """Why the engine cannot do this search; None if it can, as far as is known yet."""
        if isinstance(self.estimator, Pipeline) and type(self.estimator) is not Pipeline:
            return f"{_name(self.estimator)} is not scikit-learn's Pipeline"
        if y is None:
            return "there is no y"
        if "predict_proba" in methods:
            return "the scoring needs probabilities"
        if self.cells is not None and ("decision_function" in methods or self.return_train_score):
            return "the scoring needs more than predictions of rows that were left out"
        if (fit_params or groups is not None) and get_config().get("enable_metadata_routing"):
            return "metadata routing is enabled"
        for name, value in fit_params.items():
            if name != self._weight_name():
                return f"fit takes the parameter {name}"
            if value is not None and (np.ndim(value) != 1 or len(value) != _num_samples(X)):
                return f"{name} is not one number for each row"
        return None

    def _check_point(self: Any, point: Point, has_decisions: bool) -> None:
        """Raises NeedsModel if the engine cannot train the point."""
        machine = point.machine
        if not _is_searched(machine):
            raise NeedsModel(_why_not_searched(machine))
        if getattr(machine, "break_ties", False):
            if machine.decision_function_shape == "ovo":
                raise NeedsModel("break_ties is for decision_function_shape='ovr'")
            if not has_decisions:
                raise NeedsDecisions
        if self.cells is not None and point.has_transformers:
            raise NeedsModel("the estimator is a pipeline")

    def _weight_name(self: Any) -> str:
        """The name of the machine's sample_weight among the parameters of fit."""
        return f"{prefix_of_machine(self.estimator)}sample_weight"

    def _search_by_engine(
        self: Any,
        scorers: Any,
        X: Any,
        y: Any,
        groups: Any,
        fit_params: Dict[str, Any],
        has_decisions: bool,
    ) -> None:
        X, y, groups = indexable(X, y, groups)
        splits = _splits_of(
            check_cv(self.cv, y, classifier=is_classifier(self.estimator)), X, y, groups
        )
        weights = fit_params.get(self._weight_name())
        weights = None if weights is None else np.asarray(weights)
        train_scores = bool(self.return_train_score)
        settings = Settings(self.warm_start, self.cells, self.n_jobs, has_decisions, train_scores)
        start = time.perf_counter()
        with _Batches((X, y, groups, weights), splits, settings, self) as batches:
            try:
                self._replay(batches, X, y, fit_params, refit=self.refit)
            except KeyboardInterrupt:
                self.search_time_ = time.perf_counter() - start
                self._keep_part_of_results(batches, X, y)
                raise
            self.search_time_ = time.perf_counter() - start
            self.scorer_ = scorers
            self.engine_ = "csmo"
            if self.refit:
                self._refit(X, y, fit_params, batches.kernel_rows)

    def _replay(
        self: Any, batches: _Batches, X: Any, y: Any, fit_params: Any, **changes: Any
    ) -> None:
        """Runs scikit-learn's search over what the engine finds, and takes its results."""
        search = copied(self)
        vars(search).update(
            estimator=Replay(self.estimator, batches.record),
            scoring=watched(self.scoring),
            n_jobs=1,  # the outcomes are taken in order
            cv=batches.splits,
            verbose=0,
            _batches=batches,
            **changes,
        )
        with parallel_backend("sequential") if batches.place is not None else nullcontext():
            super(EngineSearch, search).fit(X, y, **fit_params)
        seconds = batches.record.seconds()
        search.cv_results_["mean_fit_time"] = seconds.mean(axis=1)
        search.cv_results_["std_fit_time"] = seconds.std(axis=1)
        ours = ("best_estimator_", "refit_time_", "feature_names_in_", "scorer_")
        for name, value in vars(search).items():
            if name.endswith("_") and name not in ours:
                setattr(self, name, value)

    def _candidates(self, candidates: Any) -> List[Dict[str, Any]]:
        """The candidates that scikit-learn's search has drawn, as they are to be searched."""
        return list(candidates)

    def _run_search(
        self: Any, evaluate_candidates: Callable[..., Any], callback_ctx: Any = None
    ) -> None:
        """Called by scikit-learn's search, with what scores a batch of candidates."""
        context = {} if callback_ctx is None else {"callback_ctx": callback_ctx}
        batches = vars(self).get("_batches")
        if batches is not None and batches.is_over:  # and Ctrl-C has ended it
            for batch in batches.trained:
                evaluate_candidates(*batch)
            return

        def evaluate(
            candidates: Any, cv: Any = None, more_results: Any = None, **context: Any
        ) -> Any:
            if batches is not None:
                return evaluate_candidates(*batches.train(candidates, cv, more_results), **context)
            return evaluate_candidates(self._candidates(candidates), cv, more_results, **context)

        super()._run_search(evaluate, **context)  # type: ignore[misc]

    def _keep_part_of_results(self: Any, batches: _Batches, X: Any, y: Any) -> None:
        """Keeps the results of a search that Ctrl-C has ended."""
        if not batches.trained:
            return
        batches.is_over = True
        batches.record.rewind()
        refit = self.refit if isinstance(self.refit, str) else False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of points without scores
            self._replay(batches, X, y, {}, refit=refit, error_score=np.nan)
        if not hasattr(self, "best_score_") or np.isnan(self.best_score_):
            for name in ("best_index_", "best_params_", "best_score_"):
                self.__dict__.pop(name, None)

    def _refit(self: Any, X: Any, y: Any, fit_params: Any, kernel_rows: KernelRows) -> None:
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


def _splits_of(cv: Any, X: Any, y: Any, groups: Any) -> Splits:
    """The rows of each training set, and of each fold."""
    rows = np.arange(_num_samples(X))
    return [(rows[train], rows[test]) for train, test in cv.split(X, y, groups=groups)]


def _each(scorers: Any) -> List[Any]:
    return list(scorers.values()) if isinstance(scorers, dict) else [scorers]


def _name(estimator: Any) -> str:
    """The name of the class and of its package."""
    kind = type(estimator)
    return f"{kind.__module__.split('.')[0]}.{kind.__name__}"


def _why_not_searched(machine: Any) -> str:
    package, name = _name(machine).split(".")
    if name in ("SVC", "NuSVC", "SVR", "NuSVR"):
        return f"{package}'s {name} is not csmo's: use csmo.{name}"
    return f"{package}.{name} is not one of csmo's SVC, NuSVC, SVR and NuSVR"


def _is_searched(machine: Any) -> bool:
    """True if the machine trains and predicts as one of ours that the engine knows."""
    known: Tuple[Any, ...] = (SVC, NuSVC, SVR, NuSVR)
    kind = type(machine)
    return any(
        isinstance(machine, ours) and kind.fit is ours.fit and kind.predict is ours.predict
        for ours in known
    )
