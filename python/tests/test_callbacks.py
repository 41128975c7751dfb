"""Callbacks of scikit-learn 1.9 and later, which searches tell of their trainings."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn.callback", reason="scikit-learn 1.9 and later have callbacks")

from sklearn.datasets import load_iris  # noqa: E402
from sklearn.experimental import enable_halving_search_cv  # noqa: E402, F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV  # noqa: E402
from sklearn.model_selection import RandomizedSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
import csmo._search  # noqa: E402

X, y = load_iris(return_X_y=True)
GRID = {"C": [0.1, 1, 10], "gamma": [0.1, 1]}


class Events:
    """A callback that keeps what it is told of."""

    def __init__(self, fails_at=None):
        self.events, self.fails_at = [], fails_at

    def setup(self, estimator, context):
        self.events.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(("begin", context.task_name, context.task_id, context.max_subtasks))

    def on_fit_task_end(self, estimator, context, *, X, y):
        rows = None if X is None else (X.shape, y.sum())
        self.events.append(("end", context.task_name, context.task_id, rows))
        if self.events[-1][1:3] == ("candidate-split-evaluation", self.fails_at):
            raise RuntimeError("enough of it")

    def teardown(self, estimator, context):
        self.events.append("teardown")


class Everywhere(Events):
    """One that scikit-learn hands on to the estimators of a search."""

    max_propagation_depth = 1


def told(kind, *arguments, callback=None, **options):
    callback = callback or Events()
    search = kind(*arguments, **options).set_callbacks(callback)
    search.fit(X, y)
    assert getattr(search, "engine_", "csmo") == "csmo"
    return callback.events


@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("estimator", [csmo.SVC(), make_pipeline(StandardScaler(), csmo.SVC())])
@pytest.mark.parametrize(
    "ours, theirs, options",
    [
        (csmo.GridSearchSVC, GridSearchCV, {}),
        (csmo.RandomizedSearchSVC, RandomizedSearchCV, {"n_iter": 3, "random_state": 0}),
        (csmo.HalvingGridSearchSVC, HalvingGridSearchCV, {"random_state": 0}),
    ],
)
def test_events_are_those_of_scikit_learns_searches(ours, theirs, options, estimator, refit):
    prefix = "" if isinstance(estimator, csmo.SVC) else "svc__"
    points = {prefix + name: values for name, values in GRID.items()}
    found = told(ours, estimator, points, refit=refit, **options)
    assert found == told(theirs, estimator, points, refit=refit, **options)
    assert found[0] == "setup" and found[-1] == "teardown"


def test_no_warning_comes_from_what_stands_for_the_estimator():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        events = told(csmo.GridSearchSVC, csmo.SVC(), GRID, callback=Everywhere())
    assert sum(event[:2] == ("end", "candidate-split-evaluation") for event in events) == 30


def test_trainings_are_told_while_others_run(monkeypatch):
    callback = Events()
    at_once = []

    class Slow(csmo._search.Trainings):
        def run(self, points, kernel_rows):
            self._show(7)
            at_once.extend(callback.events)
            super().run(points, kernel_rows)

    monkeypatch.setattr(csmo._search, "Trainings", Slow)
    told(csmo.GridSearchSVC, csmo.SVC(), GRID, callback=callback)
    assert [event[2] for event in at_once if event[0] == "end"] == list(range(7))
    ended = ("end", "candidate-split-evaluation")
    assert [event[2] for event in callback.events if event[:2] == ended] == list(range(30))


@pytest.mark.parametrize("gamma", [0.1, "scale"])
def test_an_exception_of_a_callback_ends_the_search(gamma):
    search = csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10], "gamma": [gamma]})
    search.fit(X, y)
    before = search.cv_results_
    callback = Events(fails_at=3)
    with pytest.raises(RuntimeError, match="enough of it"):
        search.set_callbacks(callback).fit(X, y)
    assert callback.events[-1] == "teardown" and search.cv_results_ is before
    assert sum(event[0] == "end" for event in callback.events) == 4


def test_a_search_that_ctrl_c_ends_is_told_once(monkeypatch):
    class Interrupted(csmo._search.Trainings):
        def run(self, points, kernel_rows):
            super().run(points[:3], kernel_rows)
            raise KeyboardInterrupt

    monkeypatch.setattr(csmo._search, "Trainings", Interrupted)
    callback = Events()
    search = csmo.GridSearchSVC(csmo.SVC(), GRID).set_callbacks(callback)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).sum() == 3
    assert callback.events.count("setup") == callback.events.count("teardown") == 1


def test_progress_bar(capsys):
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    search = csmo.GridSearchSVC(csmo.SVC(), GRID).set_callbacks(ProgressBar())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(X, y)
    printed = capsys.readouterr().out
    assert "GridSearchSVC" in printed and "100%" in printed
