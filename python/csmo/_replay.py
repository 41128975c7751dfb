"""Lets scikit-learn's search score what the engine has predicted."""

import functools
from types import TracebackType
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics._scorer import _BaseScorer
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if


class NeedsModel(BaseException):
    """A scorer wants more of a fitted estimator than answers about the rows.  It is no Exception
    because scikit-learn takes these for failures of the scorer."""


class NeedsDecisions(BaseException):
    """A scorer wants decision values, which the engine has not been asked for."""


class NotFinished(Exception):
    """The search was ended before this training."""


class Failure(NamedTuple):
    """An exception of fit or of predict."""

    error: Exception
    traceback: Optional[TracebackType]
    in_predict: bool = False

    def raise_again(self) -> None:
        """Without what earlier calls have added to the traceback."""
        raise self.error.with_traceback(self.traceback)


class Answers(NamedTuple):
    """What a fitted estimator says about rows: what predict returns, and if the search needs it,
    what decision_function returns."""

    predictions: np.ndarray
    decisions: Optional[np.ndarray] = None


class Outcome(NamedTuple):
    """What became of a point on a fold: answers about the test rows, and if the search needs them
    about those of training, or a failure; and the seconds that it took."""

    tested: Optional[Answers] = None
    trained: Optional[Answers] = None
    failure: Optional[Failure] = None
    seconds: float = np.nan


_NOT_FINISHED = Outcome(
    failure=Failure(NotFinished("the search was ended before this training"), None, in_predict=True)
)


class Record:
    """The outcomes by point and fold, in which order scikit-learn's search asks for them."""

    def __init__(self, folds: int) -> None:
        self.outcomes: Dict[Tuple[int, int], Outcome] = {}
        self.points, self._folds = 0, folds
        self._taken = 0

    def rewind(self) -> None:
        self._taken = 0

    def __deepcopy__(self, _memo: Any) -> "Record":
        return self  # clones of an estimator share it

    def next(self) -> Optional[Outcome]:
        """The next outcome; None after the last one."""
        place, self._taken = divmod(self._taken, self._folds), self._taken + 1
        return None if place[0] >= self.points else self.outcomes.get(place, _NOT_FINISHED)

    def seconds(self) -> np.ndarray:
        """(n_points, n_folds) seconds of the outcomes."""
        return np.array(
            [
                [
                    self.outcomes.get((point, fold), _NOT_FINISHED).seconds
                    for fold in range(self._folds)
                ]
                for point in range(self.points)
            ]
        )


def machine_of(estimator: Any) -> Any:
    """The last step of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def prefix_of_machine(estimator: Any) -> str:
    """What the machine's parameters have before their names among those of the estimator."""
    return f"{estimator.steps[-1][0]}__" if isinstance(estimator, Pipeline) else ""


class Replay:
    """Takes the place of `estimator` in scikit-learn's search.  fit takes the next outcome of the
    record, and predict and decision_function return its answers.  The fit that follows the last
    outcome is that of the best estimator, and does nothing."""

    def __init__(self, estimator: Any, record: Record) -> None:
        self.estimator = estimator
        self.record = record
        self._outcome: Optional[Outcome] = None
        self._trained: Any = None  # the rows of the last fit
        self._expected: Any = None

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """For scorers the parameters of the estimator; with deep=False those that clone() needs."""
        if deep:
            return dict(self.estimator.get_params())
        return {"estimator": self.estimator, "record": self.record}

    def set_params(self, **params: Any) -> "Replay":
        self.estimator.set_params(**params)
        return self

    @property
    def _estimator_type(self) -> Any:
        return getattr(self.estimator, "_estimator_type", None)

    def _get_tags(self) -> Any:  # scikit-learn 1.5 and earlier
        return self.estimator._get_tags()

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        return self.estimator.__sklearn_tags__()

    def fit(self, X: Any, y: Any = None, **_params: Any) -> "Replay":
        self._outcome = self.record.next()
        self._trained = X
        if self._outcome is None:
            return self
        failure = self._outcome.failure
        if failure is not None and not failure.in_predict:
            failure.raise_again()
        if is_classifier(self.estimator):
            self.classes_ = np.unique(y)
        return self

    def expect(self, X: Any) -> None:
        """Lets predict accept this object only."""
        self._expected = X

    def _answers(self, X: Any) -> Answers:
        if self._outcome is None or (self._expected is not None and X is not self._expected):
            raise NeedsModel("the scorer predicts other rows than it is given")
        if self._outcome.failure is not None:
            self._outcome.failure.raise_again()
        answers = self._outcome.trained if X is self._trained else self._outcome.tested
        assert answers is not None
        return answers

    def predict(self, X: Any) -> np.ndarray:
        return self._answers(X).predictions

    @available_if(lambda replay: is_classifier(replay.estimator))
    def decision_function(self, X: Any) -> np.ndarray:
        decisions = self._answers(X).decisions
        if decisions is None:
            raise NeedsDecisions
        return decisions

    @available_if(lambda replay: hasattr(machine_of(replay.estimator), "predict_proba"))
    def predict_proba(self, _X: Any) -> np.ndarray:
        raise NeedsModel("the scoring needs probabilities")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The machine's own score, which is used if no scorer is given."""
        machine = type(machine_of(self.estimator))
        return float(machine.score(self, X, y, sample_weight=sample_weight))

    def __getitem__(self, _step: Any) -> Any:
        raise NeedsModel("the scorer needs a step of the pipeline")

    def __getattr__(self, name: str) -> Any:
        is_fitted = self.__dict__.get("_outcome") is not None
        if is_fitted and (name.endswith("_") or hasattr(self.estimator, name)) and name[0] != "_":
            raise NeedsModel(f"the scorer needs {name} of the fitted estimator")
        raise AttributeError(name)


def method_of(scorer: Any) -> str:
    """The method of the estimator that a scorer of scikit-learn calls first; else 'predict'."""
    methods = getattr(scorer, "_response_method", None)  # scikit-learn 1.4 and later
    if methods is None:
        kinds = {"_ProbaScorer": "predict_proba", "_ThresholdScorer": "decision_function"}
        return kinds.get(type(scorer).__name__, "predict")
    return str(methods if isinstance(methods, str) else methods[0])


def watched(scoring: Any) -> Any:
    """`scoring` with functions that let a Replay predict the rows that they are given only.  The
    scorers of scikit-learn do nothing else."""
    if isinstance(scoring, dict):
        return {name: watched(scorer) for name, scorer in scoring.items()}
    if not callable(scoring) or isinstance(scoring, _BaseScorer):
        return scoring

    @functools.wraps(scoring)
    def score(estimator: Any, X: Any, *arguments: Any, **options: Any) -> Any:
        estimator.expect(X)
        return scoring(estimator, X, *arguments, **options)

    return score
