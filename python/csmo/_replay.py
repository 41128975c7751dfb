"""Lets scikit-learn's search score what the engine has predicted."""

import contextlib
import functools
from types import TracebackType
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
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
    """The outcomes by point and fold, in which order scikit-learn's search asks for them, and then
    `train_best`, which is called with the best estimator and what its fit is to be given."""

    def __init__(self, folds: int, train_best: Callable[..., None]) -> None:
        self.outcomes: Dict[Tuple[int, int], Outcome] = {}
        self.train_best = train_best
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
        places = np.ndindex(self.points, self._folds)
        seconds = [self.outcomes.get(place, _NOT_FINISHED).seconds for place in places]
        return np.reshape(seconds, (self.points, self._folds))


def machine_of(estimator: Any) -> Any:
    """The last step of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def prefix_of_machine(estimator: Any) -> str:
    """What the machine's parameters have before their names among those of the estimator."""
    return f"{estimator.steps[-1][0]}__" if isinstance(estimator, Pipeline) else ""


class Replay:
    """Takes the place of `estimator` in scikit-learn's search.  fit takes the next outcome of the
    record, and predict and decision_function return its answers.  The fit that follows the last
    outcome is that of the best estimator."""

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

    def __sklearn_clone__(self) -> "Replay":
        return Replay(clone(self.estimator), self.record)

    def fit(self, X: Any, y: Any = None, **params: Any) -> "Replay":
        self._outcome = self.record.next()
        if self._outcome is None:
            self.record.train_best(self.estimator, X, y, params)
            return self
        failure = self._outcome.failure
        if failure is not None and not failure.in_predict:
            failure.raise_again()
        return self.with_outcome(self._outcome, X, y)

    def with_outcome(self, outcome: Outcome, X: Any, y: Any) -> "Replay":
        """This object, fitted on X and y."""
        self._outcome, self._trained = outcome, X
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
        """The estimator's tags and the like.  What else it has, or has when it is fitted, is not
        here: scorers look for methods that an estimator need not have."""
        if name in ("estimator", "_outcome"):
            raise AttributeError(name)  # of an object that is not complete
        if name.startswith("_"):
            return getattr(self.estimator, name)
        if self._outcome is not None and (name.endswith("_") or hasattr(self.estimator, name)):
            raise NeedsModel(f"the scorer needs {name} of the fitted estimator")
        raise AttributeError(name)


# Scorers


def scorers_of(estimator: Any, scoring: Any) -> Any:
    """What scikit-learn's search has as scorer_: a scorer, or several by name."""
    if isinstance(scoring, (list, tuple, set, dict)):
        by_name = scoring if isinstance(scoring, dict) else dict(zip(scoring, scoring))
        return {name: check_scoring(estimator, scoring=each) for name, each in by_name.items()}
    return scoring if callable(scoring) else check_scoring(estimator, scoring=scoring)


def _is_of_scikit_learn(scorer: Any) -> bool:
    """True for scorers that do no more than predict the rows that they are given."""
    return type(scorer).__module__.split(".")[0] == "sklearn"


def needs_decisions(estimator: Any, scoring: Any, X: Any, y: Any) -> bool:
    """Whether scorers of scikit-learn ask for decision values, found out by letting them score true
    labels.  Raises NeedsModel if they ask for more than the engine has.  Other functions are not
    called before there are models."""
    asks = False
    replay = Replay(estimator, Record(1, lambda *_data: None))
    replay.with_outcome(Outcome(Answers(np.asarray(y))), None, y)
    with contextlib.suppress(Exception):  # which the search will raise
        scorers = scorers_of(estimator, scoring)
        for scorer in scorers.values() if isinstance(scorers, dict) else [scorers]:
            try:
                if _is_of_scikit_learn(scorer):
                    scorer(replay, X, y)
            except NeedsDecisions:
                asks = True
    return asks


def watched(scoring: Any) -> Any:
    """`scoring` with functions that let a Replay predict the rows that they are given only."""
    if isinstance(scoring, dict):
        return {name: watched(scorer) for name, scorer in scoring.items()}
    if not callable(scoring) or _is_of_scikit_learn(scoring):
        return scoring

    @functools.wraps(scoring)
    def score(estimator: Any, X: Any, *arguments: Any, **options: Any) -> Any:
        estimator.expect(X)
        return scoring(estimator, X, *arguments, **options)

    return score
