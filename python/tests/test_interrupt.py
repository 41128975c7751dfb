"""Ctrl-C, and what else goes on while the library works."""

import os
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("sklearn")

import csmo  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, NotFittedError  # noqa: E402


def hard_problem(rows):
    """Random labels with a large C: far more work than a test can wait for."""
    draws = np.random.default_rng(0)
    return draws.normal(size=(rows, 4)), draws.integers(0, 2, rows)


HARD = {"C": 1e9, "gamma": 0.01, "tol": 1e-9}


class Interrupt:
    """Sends SIGINT to this process when `begun` is true, as Ctrl-C does."""

    def __init__(self, begun=lambda: True):
        self._thread = threading.Thread(target=self._send, args=(begun,), daemon=True)

    @staticmethod
    def _send(begun):
        while not begun():
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._thread.join()


def library_thread_runs():
    return any(thread.name == "csmo" for thread in threading.enumerate())


def test_ctrl_c_keeps_the_model_so_far():
    X, y = hard_problem(4000)
    with Interrupt(library_thread_runs), pytest.warns(ConvergenceWarning, match="interrupted"):
        model = csmo.SVC(**HARD).fit(X, y)
    assert model.fit_status_ == 1
    assert set(model.predict(X[:50])) <= {0, 1}


def test_ctrl_c_before_there_are_probabilities():
    X, y = hard_problem(4000)
    with Interrupt(library_thread_runs), pytest.warns(ConvergenceWarning, match="without prob"):
        model = csmo.SVC(probability=True, **HARD).fit(X, y)
    assert len(model.predict(X[:50])) == 50
    with pytest.raises(NotFittedError):
        model.predict_proba(X)


def test_ctrl_c_keeps_the_points_that_are_finished():
    X, y = hard_problem(2500)
    search = csmo.GridSearchSVC(
        csmo.SVC(gamma=0.01, tol=1e-9), {"C": [1e-6, 1e9]}, warm_start=False, refit=False
    )
    with Interrupt(library_thread_runs):
        try:
            with pytest.warns(UserWarning, match="interrupted"):
                search.fit(X, y)
        except ValueError as error:  # where points of a gamma are done together
            assert "no finished point" in str(error)
            return
    assert np.isnan(search.cv_results_["mean_test_score"]).any()


def test_other_threads_run_meanwhile():
    """The interpreter's lock is released."""
    X, y = hard_problem(3000)
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.warns(ConvergenceWarning):
        csmo.SVC(max_iter=20000, **HARD).fit(X, y)
    stop.set()
    thread.join()
    assert len(counted) > 3


def test_trainings_in_many_threads():
    X, y = hard_problem(300)
    expected = csmo.SVC().fit(X, y).decision_function(X)
    results = [None] * 4

    def train(place):
        results[place] = csmo.SVC().fit(X, y).decision_function(X)

    threads = [threading.Thread(target=train, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_verbose_prints_what_libsvm_prints(capsys):
    X, y = hard_problem(100)
    csmo.SVC(verbose=True).fit(X, y)
    assert "optimization finished, #iter = " in capsys.readouterr().out
    csmo.SVC().fit(X, y)
    assert capsys.readouterr().out == ""


def test_progress_bar(capsys):
    pytest.importorskip("tqdm")
    X, y = hard_problem(300)
    csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 2, 3]}, verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert "3/3" in shown.err + shown.out
    csmo.SVC(verbose=2).fit(X, y)
    shown = capsys.readouterr()
    assert "csmo" in shown.err + shown.out
