"""The trainings of a search: which of them share a run of the engine, and on which rows."""

import ctypes
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from ._compat import num_samples, safe_split
from ._engine import KernelRows, Run, Settings, TrainingSet
from ._machine import function_count
from ._replay import Answers, Failure, Outcome, machine_of, prefix_of_machine

# The parameters that the engine searches.  Each combination of all others is a separate run.
_AXES = ("C", "gamma", "epsilon")
_MOST_BYTES = 1 << 30  # of the answers of a run, unless those of a single point take more


class Point:
    """A combination of parameters: an estimator with them, its last step, and the steps before."""

    def __init__(self, number: int, estimator: Any, params: Dict[str, Any]) -> None:
        self.number = number
        self.estimator = clone(estimator).set_params(**clone(params, safe=False))
        self.machine = machine_of(self.estimator)
        self.has_transformers = False
        self.of_transformers: Dict[str, Any] = {}  # the parameters of all steps but the last
        prefix = prefix_of_machine(self.estimator)
        if isinstance(self.estimator, Pipeline):
            self.has_transformers = len(self.estimator.steps) > 1
            self.of_transformers = {
                key: value
                for key, value in params.items()
                if key != self.estimator.steps[-1][0] and not key.startswith(prefix)
            }
        axes = [prefix + axis for axis in _AXES]
        self.others = {key: value for key, value in params.items() if key not in axes}
        self.of_kernel = {**self.others, "gamma": getattr(self.machine, "gamma", None)}


Points = List[Point]
Outcomes = Dict[Tuple[int, int], Outcome]  # by point and fold


class _Arrivals(BaseEstimator):
    """Takes the place of the machine in a pipeline, and keeps the rows that arrive there."""

    def fit(self, X: Any, y: Any = None) -> "_Arrivals":
        self.X_ = X
        return self

    def predict(self, X: Any) -> Any:
        return X


def _equal(one: Dict[str, Any], other: Dict[str, Any]) -> bool:
    """True if the parameters are certainly the same.  Values such as 1 and 1.0 are not, as
    transformers may take one for a number of features and the other for a part of them."""
    if one.keys() != other.keys():
        return False
    for key, value in one.items():
        is_plain = isinstance(value, (str, int, float)) and type(value) is type(other[key])
        if value is not other[key] and not (is_plain and value == other[key]):
            return False
    return True


def _gathered(points: Points, params: Callable[[Point], Dict[str, Any]]) -> List[Points]:
    """The points by equal parameters."""
    groups: List[Points] = []
    for point in points:
        for group in groups:
            if _equal(params(group[0]), params(point)):
                group.append(point)
                break
        else:
            groups.append([point])
    return groups


class Folds:
    """The rows of a search with their training sets and folds: what all of its trainings need."""

    def __init__(
        self,
        X: Any,
        y: Any,
        weights: Optional[np.ndarray],
        splits: Sequence[Tuple[np.ndarray, np.ndarray]],
        settings: Settings,
    ) -> None:
        self.X, self.y, self.weights = X, y, weights
        self.splits = splits
        self.settings = settings
        self.test_each_row_once = _is_partition(splits, num_samples(X))
        if settings.cells is not None and not self.test_each_row_once:
            raise ValueError("cells need a cv that tests each row once and leaves none out")

    def __len__(self) -> int:
        return len(self.splits)

    def training_set(self, fold: int, estimator: Any) -> Tuple[Any, Any]:
        """X and y of the rows that are trained on if this fold is left out."""
        return safe_split(estimator, self.X, self.y, self.splits[fold][0])


def tasks_of(points: Points) -> List[Points]:
    """The points that have all parameters but C and epsilon in common, those with the largest gamma
    first, as they mostly take the longest."""

    def gamma(group: Points) -> float:
        value = group[0].of_kernel["gamma"]
        return -value if isinstance(value, (int, float)) else 0.0

    return sorted(_gathered(points, lambda point: point.of_kernel), key=gamma)


class Trainings:
    """The trainings of points on all folds.

    Points whose machines differ in C, gamma and epsilon only share runs of the engine.  If all
    training sets have the same kernel and the same factors of classes, a run does all folds, which
    then share kernel rows.  Otherwise each fold has a run of its own.  Transformers are fitted once
    on a fold for all points that have the same.
    """

    def __init__(
        self,
        folds: Folds,
        outcomes: Outcomes,
        show: Callable[[int], None] = lambda trainings: None,
    ) -> None:
        self._folds, self._settings = folds, folds.settings
        self._outcomes = outcomes
        self._show, self._done = show, 0

    def run(self, points: Points, kernel_rows: KernelRows) -> None:
        """Adds the outcomes.  After Ctrl-C, raises KeyboardInterrupt and leaves out what was not
        finished."""
        valid = []
        for point in points:
            try:
                point.machine._check_parameters()
            except Exception as error:
                self._fail([point], range(len(self._folds)), error)
            else:
                valid.append(point)
        for same_steps in _gathered(valid, lambda point: point.of_transformers):
            groups = [
                piece
                for group in _gathered(same_steps, lambda point: point.others)
                for piece in self._pieces(group)
            ]
            if same_steps[0].has_transformers:
                self._run_fold_by_fold(groups)
                continue
            for group in groups:
                if self._may_share_folds(group) and self._run_all_folds(group, kernel_rows):
                    continue
                self._run_fold_by_fold([group])

    def _pieces(self, points: Points) -> List[Points]:
        """The points in as many parts as the memory for answers asks for."""
        size = num_samples(self._folds.X) * np.dtype(float).itemsize
        if self._settings.training_rows:
            size *= len(self._folds)
        if self._settings.decisions:
            size *= function_count(len(np.unique(self._folds.y)))
        most = max(_MOST_BYTES // size, 1)
        return [points[i : i + most] for i in range(0, len(points), most)]

    def _fail(
        self, points: Points, folds: Sequence[int], error: Exception, in_predict: bool = False
    ) -> None:
        failure = Failure(error, error.__traceback__, in_predict)
        for point in points:
            for fold in folds:
                self._keep(point, fold, Outcome(failure=failure))

    def _keep(self, point: Point, fold: int, outcome: Outcome) -> None:
        self._outcomes[point.number, fold] = outcome

    # All folds at once

    def _may_share_folds(self, points: Points) -> bool:
        """True if the machines have the same kernel and factors of classes on all training sets
        that have all classes."""
        if self._settings.cells is not None:
            return True  # an approximation anyway
        if not self._folds.test_each_row_once:
            return False
        machine = points[0].machine
        if isinstance(machine.kernel, str) and machine.kernel in ("poly", "rbf", "sigmoid"):
            if any(point.machine.gamma == "scale" for point in points):
                return False
        return getattr(machine, "class_weight", None) != "balanced"

    def _run_all_folds(self, points: Points, kernel_rows: KernelRows) -> bool:
        """Returns False if a training set lacks classes, or if the run failed, for whatever reason:
        it may be one of a single fold."""
        splits = self._folds.splits
        folds = range(len(splits))
        tests = [test for _, test in splits]
        begin = time.perf_counter()
        kernel_rows.clear()
        kept = ctypes.c_void_p()
        machines = [point.machine for point in points]
        try:
            training = TrainingSet(machines, self._folds.X, self._folds.y, self._folds.weights)
            if self._settings.cells is None:
                if not all(training.has_all_classes(train) for train, _ in splits):
                    return False
            run = training.with_folds(tests, self._settings)
            found = run.search(self._progress(len(folds)), kept)
        except Exception as error:
            if self._settings.cells is None:
                return False
            self._fail(points, folds, error)
            return True
        kernel_rows.replace(kept, run.data(), [point.number for point in points])
        seconds = (time.perf_counter() - begin) / (len(points) * len(folds))
        for point, of_point in zip(points, found):
            if of_point is not None:
                for fold, (train, test) in enumerate(splits):
                    outcome = self._outcome(run, of_point, fold, train, test, seconds)
                    self._keep(point, fold, outcome)
        self._advance(len(points) * len(folds))
        run.end()
        return True

    def _outcome(
        self, run: Run, found: np.ndarray, fold: int, train: Any, test: Any, seconds: float
    ) -> Outcome:
        trained = run.answers(found, fold, train) if self._settings.training_rows else None
        return Outcome(run.answers(found, fold, test), trained, seconds=seconds)

    # One fold at a time

    def _run_fold_by_fold(self, groups: List[Points]) -> None:
        """Runs groups that have the same transformers, or one group that has none."""
        points = [point for group in groups for point in group]
        data = self._folds
        for fold, (train, test) in enumerate(data.splits):
            begin = time.perf_counter()
            first = points[0].estimator
            X, y = data.training_set(fold, first)
            X_test, _ = safe_split(first, data.X, data.y, test, train)
            test_error: Optional[Exception] = None
            if points[0].has_transformers:
                pipeline = clone(first).set_params(**{first.steps[-1][0]: _Arrivals()})
                try:
                    X = pipeline.fit(X, y).steps[-1][1].X_
                except Exception as error:
                    self._fail(points, [fold], error)
                    continue
                try:
                    X_test = pipeline.predict(X_test)
                except Exception as error:
                    test_error = error
            seconds = (time.perf_counter() - begin) / len(points)
            weights = None if data.weights is None else data.weights[train]
            for group in groups:
                if test_error is not None:
                    self._fail(group, [fold], test_error, in_predict=True)
                else:
                    self._run_fold(group, fold, (X, y, weights), X_test, seconds)

    def _run_fold(
        self, points: Points, fold: int, trained: Tuple[Any, Any, Any], X_test: Any, seconds: float
    ) -> None:
        """Trains and predicts; `seconds` is what the transformers took for a point."""
        begin = time.perf_counter()
        try:
            training = TrainingSet([point.machine for point in points], *trained)
        except Exception as error:
            self._fail(points, [fold], error)
            return
        try:
            run = training.with_test_rows(X_test, self._settings)
        except Exception as error:
            self._fail(points, [fold], error, in_predict=True)
            return
        try:
            if self._settings.decisions and not training.has_all_classes():
                raise ValueError("the models lack decision values of a class")
            found = run.search(self._progress(1))
        except Exception:  # which may be due to one of the points
            for point in points:
                self._fit_alone(point, fold, trained, X_test, seconds)
            return
        seconds += (time.perf_counter() - begin) / len(points)
        train, test = slice(len(training)), slice(len(training), None)
        for point, of_point in zip(points, found):
            if of_point is not None:
                self._keep(point, fold, self._outcome(run, of_point, 0, train, test, seconds))
        self._advance(len(points))
        run.end()

    def _fit_alone(
        self, point: Point, fold: int, trained: Tuple[Any, Any, Any], X_test: Any, seconds: float
    ) -> None:
        """Trains and predicts by the machine itself, without the engine."""
        begin = time.perf_counter()
        try:
            point.machine.fit(*trained)
        except Exception as error:
            self._fail([point], [fold], error)
            return
        try:
            tested, of_training = self._answers_of(point.machine, X_test), None
            if self._settings.training_rows:
                of_training = self._answers_of(point.machine, trained[0])
        except Exception as error:
            self._fail([point], [fold], error, in_predict=True)
            return
        seconds += time.perf_counter() - begin
        self._keep(point, fold, Outcome(tested, of_training, seconds=seconds))
        self._advance(1)

    def _answers_of(self, machine: Any, X: Any) -> Answers:
        has_decisions = self._settings.decisions and hasattr(machine, "decision_function")
        return Answers(machine.predict(X), machine.decision_function(X) if has_decisions else None)

    def _progress(self, folds: int) -> Callable[[int], None]:
        return lambda points: self._show(self._done + points * folds)

    def _advance(self, trainings: int) -> None:
        self._done += trainings
        self._show(self._done)


def _is_partition(splits: Sequence[Tuple[np.ndarray, np.ndarray]], rows: int) -> bool:
    """True if each row is tested once, and trained on in all other folds."""
    all_rows = np.arange(rows)
    if len(splits) == 0:
        return False
    for train, test in splits:
        if not np.array_equal(np.sort(np.concatenate([train, test])), all_rows):
            return False
    return np.array_equal(np.sort(np.concatenate([test for _, test in splits])), all_rows)
