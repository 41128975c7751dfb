"""Ctrl-C, and what else may happen while the library works."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

pytest.importorskip("sklearn")

import csmo  # noqa: E402
from csmo import _call, _folds, _native  # noqa: E402
from csmo._call import Call  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, NotFittedError  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402


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
    for frame in sys._current_frames().values():
        while frame is not None:
            if (frame.f_code.co_filename, frame.f_code.co_name) == (_call.__file__, "work"):
                return True
            frame = frame.f_back
    return False


def test_ctrl_c_keeps_the_model_so_far():
    X, y = hard_problem(4000)
    model = csmo.SVC(**HARD)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.fit_status_ == 1
    assert set(model.predict(X[:50])) <= {0, 1}


def test_ctrl_c_before_there_are_probabilities():
    X, y = hard_problem(4000)
    model = csmo.SVC(probability=True, **HARD)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert len(model.predict(X[:50])) == 50
    with pytest.raises(NotFittedError, match="interrupted"):
        model.predict_proba(X)


@pytest.mark.parametrize("name", ["NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_ctrl_c_ends_all_estimators(name):
    X, y = hard_problem(3000)
    options = {"nu": 0.9} if name == "NuSVC" else {"nu": 0.5} if "Nu" in name else {}
    if name.endswith("SVR"):
        options["C"] = 1e9
    model = getattr(csmo, name)(gamma=0.01, tol=1e-14, **options)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        for _ in range(1000):  # a training might end earlier
            model.fit(X, y)
    assert len(model.predict(X[:50])) == 50


@pytest.mark.parametrize("name", ["free_predictor", "destroy"])
def test_ctrl_c_while_a_model_is_freed(name, monkeypatch):
    X, y = hard_problem(50)
    models = [csmo.SVC().fit(X, y) for _ in range(2)]
    models[0].predict(X)
    free, freed = getattr(_native, name), []

    def interrupted(handle):
        free(handle)
        freed.append(handle)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        with monkeypatch.context() as patch:
            patch.setattr(_native, name, interrupted)
            del models[0]
        assert len(freed) == 1
        for _ in range(1000):  # it comes between two of them
            time.sleep(0.01)
    assert len(models[0].predict(X)) == 50


@pytest.mark.parametrize("name", ["LinearSVC", "LinearSVR", "NystroemSVC"])
def test_ctrl_c_ends_linear_and_approximate_machines(name):
    X, y = hard_problem(3000)
    options = {} if name == "NystroemSVC" else {"tol": 1e-14}
    model = getattr(csmo, name)(C=1e9, **options)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        for _ in range(1000):  # a training might end earlier
            model.fit(X, y)
    assert model.fit_status_ in (0, 1)
    assert len(model.predict(X[:50])) == 50


@pytest.mark.parametrize("name", ["ForestSVC", "ForestSVR"])
def test_ctrl_c_keeps_the_trees_that_are_finished(name):
    X, y = hard_problem(400)
    model = getattr(csmo, name)(cell_size=200, n_trees=10**7)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.fit_status_ == 1 and 1 <= model.n_trees_ < 10**7
    assert len(model.predict(X[:50])) == 50
    trees, X, y = model.n_trees_, *hard_problem(4000)
    model.set_params(C=1e9, gamma=0.01, tol=1e-9, cell_size=4000)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)  # no tree is finished
    assert model.n_trees_ == trees


def test_ctrl_c_ends_cross_validation():
    X, y = hard_problem(4000)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        cross_val_score(csmo.SVC(**HARD), X, y)


def test_ctrl_c_ends_scikit_learns_search():
    X, y = hard_problem(4000)
    search = GridSearchCV(csmo.SVC(**HARD), {"C": [1e8, 1e9]}, n_jobs=1)
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert not hasattr(search, "best_estimator_")


# A search whose trainings start when their kernel is called, which prints a line.
SEARCH = """
import os, sys
sys.path.insert(0, {folder!r})
import csmo
import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV

def kernel(a, b):
    os.write(1, b"worker %d\\n" % os.getpid())
    return rbf_kernel(a, b, gamma=0.01)

draws = np.random.default_rng(0)
X, y = draws.normal(size=(2500, 4)), draws.integers(0, 2, 2500)
model = csmo.SVC(kernel=kernel, tol=1e-9)
try:
    GridSearchCV(model, {{"C": [1e8, 1e9]}}, n_jobs=2).fit(X, y)
except BaseException as error:  # joblib has its own for an interrupted worker
    print("ended by", type(error).__name__)
"""


@pytest.mark.parametrize("whom", ["all", "worker"])
def test_ctrl_c_ends_a_search_in_processes(whom, python_folder):
    script = SEARCH.format(folder=str(python_folder))
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        worker = int(process.stdout.readline().split()[1])
        time.sleep(0.5)
        if whom == "all":  # as a terminal does
            os.killpg(process.pid, signal.SIGINT)
        else:
            os.kill(worker, signal.SIGINT)
        printed, errors = process.communicate(timeout=120)
        assert "Interrupt" in printed, errors
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def test_ctrl_c_keeps_the_points_that_are_finished(monkeypatch):
    X, y = hard_problem(2500)
    grid = [{"C": [1e-6], "kernel": ["linear"]}, {"C": [1e9]}]
    finished = []
    keep = _folds.Trainings._keep

    def keep_and_tell(trainings, point, fold, outcome):
        keep(trainings, point, fold, outcome)
        finished.append(point.number)

    monkeypatch.setattr(_folds.Trainings, "_keep", keep_and_tell)
    search = csmo.GridSearchSVC(csmo.SVC(gamma=0.01, tol=1e-9), grid)

    def is_at_the_second():
        return len(finished) == 5 and library_thread_runs()

    with Interrupt(is_at_the_second), pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    known = ~np.isnan(search.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(known, [True, False])
    assert search.best_params_ == {"C": 1e-6, "kernel": "linear"}
    assert not hasattr(search, "best_estimator_")


def test_ctrl_c_keeps_the_folds_of_a_pipeline_that_are_finished():
    """The transformer cannot be interrupted earlier than at the third fold."""
    X, y = hard_problem(200)
    begun = []

    def scaled(rows):
        begun.append(len(rows))
        if len(begun) == 5:  # training and test rows of two folds, and training rows of the third
            os.kill(os.getpid(), signal.SIGINT)
        return rows / 2

    pipeline = make_pipeline(FunctionTransformer(scaled), csmo.SVC())
    search = csmo.GridSearchSVC(pipeline, {"svc__C": [1, 2]}, cv=3)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    for fold in range(3):
        known = ~np.isnan(search.cv_results_[f"split{fold}_test_score"])
        np.testing.assert_array_equal(known, fold < 2)
    assert not hasattr(search, "best_params_")


def test_ctrl_c_before_a_point_is_finished():
    X, y = hard_problem(2500)
    search = csmo.GridSearchSVC(csmo.SVC(gamma=0.01, tol=1e-9), {"C": [1e9]})
    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert np.isnan(search.cv_results_["mean_test_score"]).all()
    assert not hasattr(search, "best_params_")


def test_a_failure_after_ctrl_c_is_an_interrupt():
    call = Call()

    def work():
        while not call.watch.cancel:
            time.sleep(0.01)
        raise csmo.SvmError("the call was ended")

    with Interrupt(library_thread_runs), pytest.raises(KeyboardInterrupt):
        call.run(work)


def interrupted_call(line):
    """A call with a KeyboardInterrupt at a line of it, counted from 1: how often the library ran;
    None if there are not so many lines."""
    call, runs, left = Call(), [], line

    def work():
        runs.append(1)
        for _ in range(5):
            if not call.watch.cancel:
                time.sleep(0.01)

    def trace(frame, event, _argument):
        nonlocal left
        if frame.f_code.co_filename not in (_call.__file__, threading.__file__):
            return None
        left -= event == "line"
        if left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call.run(work)
        assert len(runs) == 1
        assert call.interrupted == (left == 0)
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    assert not library_thread_runs()
    return len(runs) if left == 0 else None


def test_ctrl_c_wherever_the_start_of_a_thread_is(monkeypatch):
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    found = []
    while not found or found[-1] is not None:
        found.append(interrupted_call(len(found) + 1))
    assert len(found) > 20
    assert set(found) == {0, 1, None}
    time.sleep(0.1)  # for threads whose start was interrupted
    assert ignored == []


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
    assert "15/15" in shown.err + shown.out
    csmo.SVC(verbose=2).fit(X, y)
    shown = capsys.readouterr()
    assert "csmo" in shown.err + shown.out
