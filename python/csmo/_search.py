"""Searches by svm-grid's engine, in this process or as tasks of joblib's active backend.

scikit-learn's own search draws the candidates, scores them and chooses the best.  It asks for
batches of candidates: one, or with successive halving several.  The engine does all trainings of a
batch, and scikit-learn then scores what it has found (`_replay`).
"""

import time
import warnings
from contextlib import closing, nullcontext
from numbers import Integral
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
from joblib import parallel_backend
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable

from ._compat import check_parameters, num_samples
from ._elsewhere import Elsewhere
from ._engine import KernelRows, Settings
from ._estimators import NuSVC, NuSVR, SVC, SVR
from ._folds import Folds, Outcomes, Point, Points, Trainings, tasks_of
from ._log import tell
from ._machine import Fitted, copied
from ._progress import make_bar
from ._replay import NeedsDecisions, NeedsModel, Record, Replay
from ._replay import machine_of, needs_decisions, prefix_of_machine, scorers_of, watched
from ._rows import canonical

Splits = List[Tuple[np.ndarray, np.ndarray]]


class SearchNote(UserWarning):
    """The engine of csmo cannot do a search.  scikit-learn's does it, with the same results, but
    more slowly."""


class Stopped(BaseException):
    """A callback of scikit-learn has raised the cause of this.  It is no Exception because the
    engine takes these for failures of trainings."""


def run_task(folds: Folds, points: Points) -> Outcomes:
    """The outcomes of points by a process of joblib's backend.  An exception of a training is an
    outcome; tracebacks stay here."""
    outcomes: Outcomes = {}
    with KernelRows() as kernel_rows:
        Trainings(folds, outcomes).run(points, kernel_rows)
    for place, outcome in outcomes.items():
        if outcome.failure is not None:
            outcomes[place] = outcome._replace(failure=outcome.failure._replace(traceback=None))
    return outcomes


class _Tasks:
    """The trainings of a batch: a progress bar and, since scikit-learn 1.9, callbacks show how many
    have ended.  For callbacks they are tasks in the order of the candidates."""

    def __init__(self, bar: Any, context: Any, search: Any, folds: Folds) -> None:
        self._bar, self._context = bar, context  # either may be None
        self._search, self._folds = search, folds
        self._told, self._failed = 0, False

    def show(self, done: int) -> None:
        if self._failed:
            return
        try:
            if self._bar is not None:
                self._bar.update(done - self._told)
            for number in range(self._told, done):
                self._told += 1
                if self._context is not None:
                    self._tell(number)
        except Exception as error:
            self._failed = True
            raise Stopped from error

    def _tell(self, number: int) -> None:
        fold = number % len(self._folds)
        name = "candidate-split-evaluation"
        task = self._context.subcontext(task_name=name, task_id=number)
        data, machine = self._folds, self._search.estimator
        given = {
            "estimator": self._search,
            "X": lambda: data.training_set(fold, machine)[0],  # called if a callback asks for it
            "y": lambda: data.training_set(fold, machine)[1],
        }
        task.call_on_fit_task_begin(**given)
        task.call_on_fit_task_end(**given)


class _Batches:
    """The batches of candidates of one search, and what the engine has found for them."""

    def __init__(
        self, data: Tuple[Any, Any, Any, Any], splits: Splits, settings: Settings, search: Any
    ) -> None:
        self.data, self.splits, self.settings = data, splits, settings
        self.record = Record(len(splits), self._train_best)
        self.kernel_rows = KernelRows()
        self.trained: List[Tuple[Any, ...]] = []
        self.is_over = False  # Ctrl-C has ended it
        self.best: Any = None  # the estimator that the last training was given
        self.replayed: Any = None  # the search that scikit-learn runs
        self._search = search
        self.place = Elsewhere.active(search.n_jobs)  # the scores are always computed here
        self._bar = make_bar(total=0, desc="search", unit="fit") if search.verbose else None

    def train(self, drawn: Any, cv: Any, more_results: Any, context: Any) -> Tuple[Any, ...]:
        """Trains all candidates on all folds of `cv`, and tells the callbacks of `context`, if there
        is one; returns what scikit-learn is to score."""
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
        count = len(points) * len(splits)
        tasks = _Tasks(self._bar, context, search, folds)
        if self._bar is not None:
            self._bar.total += count
            self._bar.refresh()
        try:
            if self.place is not None:
                folds.settings = self.settings._replace(n_jobs=None)  # the number of tasks at a time
                dispatch = getattr(search, "pre_dispatch", "2*n_jobs")
                for found in self.place.run(run_task, folds, tasks_of(points), dispatch):
                    self.record.outcomes.update(found)
            else:
                Trainings(folds, self.record.outcomes, tasks.show).run(points, self.kernel_rows)
            tasks.show(count)  # also those that failed
        except Stopped as stopped:
            raise stopped.__cause__ or stopped
        return self.trained[-1]

    def _train_best(self, best: Any, X: Any, y: Any, fit_params: Any) -> None:
        if self.is_over:
            return
        self.best = best
        if self.replayed.best_index_ in self.kernel_rows.points:
            machine_of(best)._kernel_rows_of_search = self.kernel_rows.handle
        try:
            best.fit(X, y, **fit_params)
        finally:
            machine_of(best).__dict__.pop("_kernel_rows_of_search", None)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self.kernel_rows.clear()


class EngineSearch:
    """Gives a search of scikit-learn, which is the next base class, the engine.

    Attributes: `estimator`, `scoring`, `n_jobs`, `refit`, `cv`, `verbose`, `error_score` and
    `return_train_score` of scikit-learn, and `warm_start` and `cells`.
    """

    warm_start: bool = True
    cells: Optional[int] = None
    engine_: str
    search_time_: float
    best_estimator_: Any
    best_params_: Dict[str, Any]
    best_score_: float
    best_index_: int
    cv_results_: Dict[str, Any]

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
        check_parameters(self)
        X = canonical(X.tocsr()) if issparse(X) else X
        why = self._why_not(X, y, groups, fit_params)
        draws = getattr(self, "random_state", None)
        state = draws.get_state() if isinstance(draws, np.random.RandomState) else None
        has_decisions: Optional[bool] = None
        while why is None:
            try:
                if has_decisions is None:
                    has_decisions = needs_decisions(self.estimator, self.scoring, X, y)
                return self._search_by_engine(X, y, groups, fit_params, has_decisions)
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
        tell(self, "fit", f"left to scikit-learn: {why}")
        start = time.perf_counter()
        if groups is not None:
            fit_params["groups"] = groups
        super().fit(X, y, **fit_params)
        self.search_time_ = time.perf_counter() - start - getattr(self, "refit_time_", 0.0)

    def _why_not(
        self: Any, X: Any, y: Any, groups: Any, fit_params: Dict[str, Any]
    ) -> Optional[str]:
        """Why the engine cannot do this search; None if it can, as far as is known yet."""
        if isinstance(self.estimator, Pipeline) and type(self.estimator) is not Pipeline:
            return f"{_name(self.estimator)} is not scikit-learn's Pipeline"
        if y is None:
            return "there is no y"
        if (fit_params or groups is not None) and get_config().get("enable_metadata_routing"):
            return "metadata routing is enabled"
        for name, value in fit_params.items():
            if name != self._weight_name():
                return f"fit takes the parameter {name}"
            if value is not None and (np.ndim(value) != 1 or len(value) != num_samples(X)):
                return f"{name} is not one number for each row"
        return None

    def _check_point(self: Any, point: Point, has_decisions: bool) -> None:
        """Raises NeedsModel if the engine cannot train the point."""
        machine = point.machine
        if not _is_searched(machine):
            raise NeedsModel(_why_not_searched(machine))
        if machine.metric is not None:
            raise NeedsModel("a metric is learned anew for each fold and point")
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
        self: Any, X: Any, y: Any, groups: Any, fit_params: Dict[str, Any], has_decisions: bool
    ) -> None:
        train_scores = bool(self.return_train_score)
        if self.cells is not None and (has_decisions or train_scores):
            raise NeedsModel("the scoring needs more than predictions of rows that were left out")
        X, y, groups = indexable(X, y, groups)
        cv = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        weights = fit_params.get(self._weight_name())
        data = X, y, groups, None if weights is None else np.asarray(weights)
        settings = Settings(self.warm_start, self.cells, self.n_jobs, has_decisions, train_scores)
        start = time.perf_counter()
        with closing(_Batches(data, _splits_of(cv, X, y, groups), settings, self)) as batches:
            try:
                self._replay(batches, X, y, fit_params)
            except KeyboardInterrupt:
                self.search_time_ = time.perf_counter() - start
                self._keep_part_of_results(batches, X, y)
                raise
        self.search_time_ = time.perf_counter() - start - getattr(self, "refit_time_", 0.0)
        self.scorer_ = scorers_of(self.estimator, self.scoring)
        self.engine_ = "csmo"
        points = len(self.cv_results_["params"])
        tell(self, "fit", f"csmo's engine, {points} points in {self.n_splits_} folds", since=start)

    def _replay(
        self: Any, batches: _Batches, X: Any, y: Any, fit_params: Any, **changes: Any
    ) -> None:
        """Runs scikit-learn's search over what the engine finds, and takes its results."""
        batches.replayed = search = copied(self)
        if batches.is_over and hasattr(search, "set_callbacks"):
            search.set_callbacks()  # those of the user have been told already
        vars(search).update(
            estimator=Replay(self.estimator, batches.record),
            scoring=watched(self.scoring),
            n_jobs=1,  # the outcomes are taken in order
            cv=batches.splits,
            verbose=0,
            _batches=batches,
            **changes,
        )
        here = parallel_backend("sequential") if batches.place is not None else nullcontext()
        with here, warnings.catch_warnings():
            text = f"The estimator {Replay.__name__} does not support callbacks"
            warnings.filterwarnings("ignore", text)  # its caller tells them
            super(EngineSearch, search).fit(X, y, **fit_params)
        seconds = batches.record.seconds()
        search.cv_results_["mean_fit_time"] = seconds.mean(axis=1)
        search.cv_results_["std_fit_time"] = seconds.std(axis=1)
        for name, value in vars(search).items():
            if name.endswith("_") and name not in ("best_estimator_", "scorer_"):
                setattr(self, name, value)
        if batches.best is not None:
            self.best_estimator_ = batches.best
            if hasattr(batches.best, "feature_names_in_"):
                self.feature_names_in_ = batches.best.feature_names_in_

    def _candidates(self, candidates: Any) -> List[Dict[str, Any]]:
        """The candidates that scikit-learn's search has drawn, as they are to be searched."""
        return list(candidates)

    def _run_search(
        self: Any, evaluate_candidates: Callable[..., Any], callback_ctx: Any = None
    ) -> None:
        """Called by scikit-learn's search with what scores a batch of candidates, and since 1.9 with
        the context of callbacks."""
        batches = vars(self).get("_batches")
        if batches is not None and batches.is_over:
            for batch in batches.trained:
                evaluate_candidates(*batch)
            return

        def evaluate(
            candidates: Any, cv: Any = None, more_results: Any = None, **context: Any
        ) -> Any:
            if batches is not None:
                told = context.get("callback_ctx")
                return evaluate_candidates(*batches.train(candidates, cv, more_results, told))
            return evaluate_candidates(self._candidates(candidates), cv, more_results, **context)

        context = {} if callback_ctx is None else {"callback_ctx": callback_ctx}
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


def _splits_of(cv: Any, X: Any, y: Any, groups: Any) -> Splits:
    """The rows of each training set, and of each fold."""
    rows = np.arange(num_samples(X))
    return [(rows[train], rows[test]) for train, test in cv.split(X, y, groups=groups)]


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
