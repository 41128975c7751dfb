"""What a part of a call raises ends the call, wherever that is: no one waits for what will never come."""

import _thread
import contextlib
import faulthandler
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import joblib  # noqa: E402
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import csmo  # noqa: E402
import csmo._forest  # noqa: E402
import csmo._search  # noqa: E402

SECONDS = 300  # after which a call counts as hung


class Fault(RuntimeError):
    pass


def fault(*_arguments, **_named):
    raise Fault("a part of the call")


class Unsendable(np.ndarray):
    """Rows that raise when they are to go to another process, or when they arrive there."""

    where = "start"

    def __reduce__(self):
        return (fault, ()) if self.where == "end" else fault()


class Transformer(BaseEstimator):
    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return fault()


# A class that is not known there is sent as a whole.
for part in (Fault, fault, Unsendable, Transformer):
    part.__module__ = "__main__"


@pytest.fixture(autouse=True)
def limit():
    """A call that does not end cannot be ended alone: the tests end, and say where it waits."""
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="module")
def dask():
    """A cluster with workers in threads of this process."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.Client(processes=False, **options) as client:
            yield client


@pytest.fixture(params=["here", "loky", "dask"])
def backend(request):
    if request.param == "here":
        return contextlib.nullcontext
    if request.param == "dask":
        request.getfixturevalue("dask")
        return lambda: joblib.parallel_backend("dask")
    return lambda: joblib.parallel_backend("loky", n_jobs=2)


def rows(count=200):
    draws = np.random.default_rng(0)
    X = draws.normal(size=(count, 4))
    return X, (X[:, 0] + draws.normal(size=count) > 0).astype(int)


def search(estimator=None, **options):
    grid = {"C": [1, 2, 4]} if estimator is None else {"svc__C": [1, 2, 4]}
    machine = csmo.SVC(gamma=0.1) if estimator is None else estimator
    return csmo.GridSearchSVC(machine, grid, error_score="raise", **options)


class Bar:
    """A progress bar that raises at an update."""

    total = 0

    def refresh(self):
        pass

    def close(self):
        pass

    update = fault


def of_training(_monkeypatch):
    X, y = rows()
    X[7] = 1e200
    machine = csmo.SVC(kernel="poly", gamma=1.0)
    return csmo.GridSearchSVC(machine, {"C": [1, 2]}, error_score="raise").fit, (X, y), "beyond"


def of_transformer(_monkeypatch):
    return search(make_pipeline(Transformer(), csmo.SVC(gamma=0.1))).fit, rows(), "a part"


def of_score(_monkeypatch):
    return search(scoring=fault).fit, rows(), "a part"


def of_bar(monkeypatch):
    monkeypatch.setattr(csmo._search, "make_bar", lambda **_options: Bar())
    return search(verbose=1).fit, rows(), "a part"


def of_forest(_monkeypatch):
    X, y = rows(600)
    X[7] = 1e200
    forest = csmo.ForestSVC(kernel="poly", gamma=1.0, cell_size=100, n_trees=2, random_state=0)
    return forest.fit, (X, y), "beyond"


@pytest.mark.parametrize("place", [of_training, of_transformer, of_score, of_bar, of_forest])
def test_ends_the_call(place, backend, monkeypatch):
    call, data, message = place(monkeypatch)
    with backend(), pytest.raises(Exception, match=message):
        call(*data)


@pytest.mark.parametrize("where", ["start", "end"])
def test_rows_that_cannot_be_sent(where, backend, monkeypatch):
    if backend is contextlib.nullcontext:
        pytest.skip("nothing is sent")
    monkeypatch.setattr(Unsendable, "where", where)
    stored = csmo._search.Elsewhere._stored
    monkeypatch.setattr(
        csmo._search.Elsewhere,
        "_stored",
        lambda place, data: stored(place, (data, np.zeros(3).view(Unsendable))),
    )
    with backend(), pytest.raises(Exception):
        search().fit(*rows())


def test_workers_that_die_again_and_again():
    distributed = pytest.importorskip("distributed")

    def kernel(_a, _b):
        import os

        os._exit(3)

    kernel.__module__ = "__main__"
    machine = csmo.GridSearchSVC(csmo.SVC(kernel=kernel), {"C": [1, 2]})
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(processes=True, **options) as cluster:
        # Not the client of `dask`, whose workers are threads of this process.
        with distributed.Client(cluster) as client, joblib.parallel_backend("dask", client=client):
            with pytest.raises(distributed.scheduler.KilledWorker):
                machine.fit(*rows(50))


def test_a_thread_that_cannot_be_started(monkeypatch):
    monkeypatch.setattr(_thread, "start_new_thread", fault)
    for model in (csmo.SVC(gamma=0.1), search()):
        with pytest.raises(Fault):
            model.fit(*rows())
