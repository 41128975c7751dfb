"""Searches whose trainings other processes do: those of loky, and the workers of a dask cluster."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import joblib  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning  # noqa: E402
from sklearn.feature_selection import SelectKBest  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import csmo  # noqa: E402
import csmo._search  # noqa: E402

from searches import wine  # noqa: E402

SMO = {"solver": "smo", "cache_size": 50}
GRID = {"C": [1, 100], "gamma": [1e-5, 1e-4, 1e-3]}


def hard(count=600):
    draws = np.random.default_rng(0)
    return draws.normal(size=(count, 8)), draws.integers(0, 2, count)


def loses_a_worker(client):
    """True when the scheduler, which hears of a death a little later, has one worker left."""
    for _ in range(600):
        if len(client.nthreads()) == 1:
            return True
        time.sleep(0.1)
    return False


@contextlib.contextmanager
def cluster(folder, python_folder, workers, threads=1):
    """A scheduler and its workers on this machine, which can be killed one by one."""
    distributed = pytest.importorskip("distributed")
    path = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(python_folder), "OMP_NUM_THREADS": str(threads)}
    module, where = "distributed.cli.dask_", ["--scheduler-file", str(path)]
    processes = []

    def start(name, *words):
        command = [sys.executable, "-W", "ignore", "-m", module + name, *where, *words]
        with (folder / f"{name}{len(processes)}").open("wb") as log:
            processes.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))

    try:
        start("scheduler", "--port", "0", "--no-dashboard")
        for _ in range(workers):
            words = "--nthreads", str(threads), "--local-directory", str(folder)
            start("worker", *words, "--no-nanny", "--no-dashboard")
        while not path.exists():
            assert processes[0].poll() is None, (folder / "scheduler0").read_text()
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(path)) as client:
            client.wait_for_workers(workers, timeout=60)
            yield client
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def client(tmp_path_factory, python_folder):
    with cluster(tmp_path_factory.mktemp("dask"), python_folder, workers=2) as found:
        yield found


@pytest.fixture(params=["loky", "dask"])
def backend(request):
    """A context in which tasks go to two other processes."""
    if request.param == "dask":
        request.getfixturevalue("client")
        return lambda: joblib.parallel_backend("dask")
    return lambda: joblib.parallel_backend("loky", n_jobs=2)


@pytest.fixture
def sent(monkeypatch):
    """The numbers of points of the tasks that were sent."""
    sizes = []
    run = csmo._search.Elsewhere.run

    def counted(place, function, folds, tasks, pre_dispatch):
        tasks = list(tasks)
        sizes.append([len(points) for points in tasks])
        return run(place, function, folds, tasks, pre_dispatch)

    monkeypatch.setattr(csmo._search.Elsewhere, "run", counted)
    return sizes


def results(search):
    return {
        name: values.tolist() if hasattr(values, "tolist") else values
        for name, values in search.cv_results_.items()
        if not name.endswith("_time")
    }


def compare(backend, search, X, y, **fit_params):
    """Returns the search whose trainings others did; its results and warnings are those of one
    process."""
    found = []
    for context in (contextlib.nullcontext, backend):
        with warnings.catch_warnings(record=True) as caught, context():
            warnings.simplefilter("always")
            done = csmo._machine.copied(search).fit(X, y, **fit_params)
        ours = {
            str(warning.message).split("\n")[0]
            for warning in caught
            if issubclass(warning.category, (ConvergenceWarning, FitFailedWarning))
        }
        found.append((repr(results(done)), done.best_params_, done.engine_, ours))
    assert found[0] == found[1]
    assert (done.predict(X) == done.best_estimator_.predict(X)).all()
    return done


@pytest.mark.parametrize("sparse", [False, True])
def test_results_are_those_of_one_process(backend, sent, sparse):
    X, y = wine()
    X = sp.csr_matrix(X) if sparse else X
    weights = np.linspace(0.5, 2, len(y))
    search = csmo.GridSearchSVC(csmo.SVC(**SMO), GRID, return_train_score=True)
    compare(backend, search, X, y, sample_weight=weights)
    assert sent == [[2, 2, 2]]


def test_other_parameters_and_pipelines(backend, sent):
    pipeline = make_pipeline(SelectKBest(), csmo.SVC(**SMO))
    grid = {
        "selectkbest__k": [5, 13],
        "svc__gamma": [1e-4, 1e-3],
        "svc__C": [1, 10],
        "svc__kernel": ["rbf", "poly"],
    }
    X, y = hard(80)
    compare(backend, csmo.GridSearchSVC(pipeline, {**grid, "selectkbest__k": [3, 5]}), X, y)
    assert sent == [[2] * 8]


def test_other_searches(backend, sent):
    X, y = hard(200)
    points = {"C": [1, 10, 100], "gamma": np.logspace(-3, 0, 20)}
    search = csmo.RandomizedSearchSVC(
        csmo.SVC(**SMO), points, n_iter=9, gamma_bins=3, random_state=0, scoring="roc_auc"
    )
    compare(backend, search, X, y)
    assert sent == [[3, 3, 3]]
    compare(backend, csmo.HalvingGridSearchSVC(csmo.SVC(**SMO), GRID, random_state=0), X, y)
    assert sent[1] == [2, 2, 2] and len(sent) == 3


def test_csmo_chooses_the_same(backend):
    compare(backend, csmo.GridSearchSVC(csmo.SVC(tol=1e-6), GRID), *wine())


def test_warnings_and_failures_are_reported(backend):
    X, y = hard(100)
    limited = csmo.GridSearchSVC(csmo.SVC(max_iter=2, solver="smo"), GRID)
    compare(backend, limited, X, y)
    faulty = csmo.GridSearchSVC(csmo.SVC(**SMO), {"C": [1, -1], "gamma": [0.1, 1]})
    compare(backend, faulty, X, y)
    raising = csmo.GridSearchSVC(csmo.SVC(**SMO), {"C": [-1, 1]}, error_score="raise")
    with backend(), pytest.raises(ValueError, match="'C' parameter of SVC"):
        raising.fit(X, y)
    assert not hasattr(raising, "cv_results_")


def test_a_task_that_raises_ends_the_search(backend):
    def kernel(a, b):
        import asyncio

        raise asyncio.CancelledError("the task was told to stop")  # which is no Exception

    kernel.__module__ = "__main__"  # so that it is sent as a whole
    search = csmo.GridSearchSVC(csmo.SVC(kernel=kernel), {"C": [1, 2]})
    with backend(), pytest.raises(BaseException, match="told to stop"):
        search.fit(*hard(50))
    assert not hasattr(search, "cv_results_")


@pytest.mark.parametrize("name", ["threading", "sequential"])
def test_threads_share_one_run(name, sent):
    """So does loky with a single process."""
    X, y = wine()
    with joblib.parallel_backend(name):
        csmo.GridSearchSVC(csmo.SVC(), GRID).fit(X, y)
    with joblib.parallel_backend("loky", n_jobs=1):
        csmo.GridSearchSVC(csmo.SVC(), GRID).fit(X, y)
    csmo.GridSearchSVC(csmo.SVC(), GRID, n_jobs=2).fit(X, y)
    assert sent == []


def test_a_worker_of_dask_that_dies(tmp_path, python_folder, sent):
    """Another one does its task, even if it was the only one that had the data."""
    X, y = hard(1500)
    machine = csmo.SVC(**SMO, max_iter=20000)
    search = csmo.GridSearchSVC(machine, {"C": [1, 10, 1000], "gamma": np.logspace(-2, 1, 6)})
    with cluster(tmp_path, python_folder, workers=2) as client:
        pids = client.run(os.getpid)
        killed = []

        def kill_one():
            while not killed:
                busy = [address for address, tasks in client.processing().items() if tasks]
                with_data = [
                    address
                    for key, addresses in client.who_has().items()
                    for address in addresses
                    if key.startswith("loads-")
                ]
                if len(busy) == 2 and with_data:
                    killed.append(with_data[0])
                    time.sleep(0.1)
                    os.kill(pids[with_data[0]], signal.SIGKILL)
                time.sleep(0.01)

        thread = threading.Thread(target=kill_one, daemon=True)
        thread.start()
        compare(lambda: joblib.parallel_backend("dask"), search, X, y)
        thread.join(60)
        assert killed and loses_a_worker(client)
    assert sent == [[3] * 6]


DYING = """
import os, sys
PARENT = os.getpid()
sys.path.insert(0, {folder!r})
import joblib, numpy as np
import csmo

def kernel(a, b):
    if os.getpid() != PARENT:
        os.kill(os.getpid(), {signal})
    return a @ b.T

grid = {{"C": [1, 2], "class_weight": [None, {{0: 2}}]}}
search = csmo.GridSearchSVC(csmo.SVC(kernel=kernel), grid)
draws = np.random.default_rng(0)
with joblib.parallel_backend("loky", n_jobs=2):
    try:
        search.fit(draws.normal(size=(50, 2)), draws.integers(0, 2, 50))
    except BaseException as error:
        results = getattr(search, "cv_results_", None)
        scores = [] if results is None else results["mean_test_score"]
        print(type(error).__name__, results is None, all(np.isnan(scores)))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_process_of_loky_that_dies(python_folder, number):
    script = DYING.format(folder=str(python_folder), signal=int(number))
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    # joblib 1.3 and later passes the interrupt on, which is Ctrl-C to the search: then it has results
    # of the points that were finished, which are none.
    expected = {
        signal.SIGKILL: ["TerminatedWorkerError True True\n"],
        signal.SIGINT: ["WorkerInterrupt True True\n", "KeyboardInterrupt False True\n"],
    }
    assert run.stdout in expected[number], run.stdout + run.stderr
