"""Forests whose cells other processes train: those of loky, and the workers of a dask cluster."""

import contextlib
import os
import re
import signal
import threading
import time
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import joblib  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402

import csmo  # noqa: E402
import csmo._forest  # noqa: E402
from csmo import _native  # noqa: E402

from test_joblib import backend, client, cluster, loses_a_worker  # noqa: E402, F401

SMALL = {"cell_size": 200, "n_trees": 2, "random_state": 0}
MODELS = {
    "SVC": csmo.ForestSVC(**SMALL),
    "SVC of probabilities": csmo.ForestSVC(**SMALL, probability=True, class_weight="balanced"),
    "SVR": csmo.ForestSVR(**SMALL, epsilon=0.2),
}


def three_classes(rows=3000):
    X, y = make_classification(rows, 6, n_informative=6, n_redundant=0, n_classes=3, random_state=2)
    return X, y * 1.0


@pytest.fixture
def sent(monkeypatch):
    """The numbers of tasks that were sent."""
    sizes = []
    run = csmo._forest.Elsewhere.run

    def counted(place, function, data, tasks, *options):
        sizes.append(len(tasks))
        return run(place, function, data, tasks, *options)

    monkeypatch.setattr(csmo._forest.Elsewhere, "run", counted)
    return sizes


def outcome(model):
    """All that a fit leaves behind.  The weights of features are an attribute; the text may name
    more of them than that of one process, which names those of features that it has seen."""
    found = {name: value for name, value in vars(model).items() if name.endswith("_")}
    text = re.sub(rb"\nweights [^a-z]*\n", b"\n", model._model.text())
    return text, repr(sorted(found.items()))


def compare(context, model, X, y, **fit_params):
    """Returns the forest of other processes, which is that of this one, with its warnings."""
    outcomes = []
    for place in (contextlib.nullcontext, context):
        with warnings.catch_warnings(record=True) as caught, place():
            warnings.simplefilter("always")
            trained = clone(model).fit(X, y, **fit_params)
        told = [str(w.message) for w in caught if issubclass(w.category, ConvergenceWarning)]
        outcomes.append((*outcome(trained), told))
    assert outcomes[0] == outcomes[1]
    return trained


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", [np.asarray, np.float32, sp.csr_matrix])
def test_forests_are_those_of_one_process(backend, sent, name, form):  # noqa: F811
    X, y = three_classes()
    compare(backend, MODELS[name], form(X), y, sample_weight=np.linspace(0.5, 2, len(y)))
    assert sent == [4]
    compare(backend, MODELS[name], form(X[:500]), y[:500])
    assert sent == [4, 2]


def test_a_metric_is_learned_once(backend, sent, monkeypatch):  # noqa: F811
    """And all shares have it; none is learned if it is off or has no kernel."""
    X, y = three_classes()
    X = np.hstack([X, 3 * np.random.RandomState(0).normal(size=X.shape)])
    calls = []
    learn = _native.learn_metric

    def counted(*arguments):
        calls.append(arguments)
        return learn(*arguments)

    monkeypatch.setattr(_native, "learn_metric", counted)
    for name in ("SVC of probabilities", "SVR"):
        model = compare(backend, MODELS[name], X, y)
        weights = model.feature_weights_
        assert weights[:6].max() > 5 * weights[6:].max() and len(calls) == 1
        calls.clear()
    assert (compare(backend, model, X[:, :1], y).feature_weights_ == 1).all() and len(calls) == 1
    calls.clear()
    for options in ({"metric": None}, {"kernel": "poly"}):
        compare(backend, clone(model).set_params(**options), X, y)
        assert calls == []
    assert sent == [4] * 5


def test_many_features_have_no_weights(backend, sent):  # noqa: F811
    X = sp.random(400, 12000, density=0.5, format="csr", random_state=0)
    y = np.arange(400) % 2
    model = compare(backend, MODELS["SVC"], X, y)
    assert (model.feature_weights_ == 1).all() and sent == [2]


def test_seeds_and_limits(backend, sent):  # noqa: F811
    X, y = three_classes()
    texts = []
    for context in (contextlib.nullcontext, backend):
        with context():
            draws = np.random.RandomState(7)
            texts.append([clone(MODELS["SVC"]).set_params(random_state=draws).fit(X, y)
                          for _ in range(2)])  # fmt: skip
    first, second = ([outcome(model) for model in models] for models in texts)
    assert first == second and first[0] != first[1]
    limited = compare(backend, clone(MODELS["SVR"]).set_params(max_iter=5, C=1000), X, y)
    assert limited.fit_status_ == 1 and sent == [4] * 3


def test_failures_are_reported(backend, sent):  # noqa: F811
    X, y = three_classes()
    model = clone(MODELS["SVC"]).fit(X[:300], y[:300])
    before = outcome(model)
    model.set_params(kernel="poly")
    with backend(), pytest.raises(ValueError, match="not finite"):
        model.fit(X * 1e200, y)
    assert outcome(model) == before and sent == [4]


@pytest.mark.parametrize("name", ["threading", "sequential", "loky"])
def test_one_process_is_enough(name, sent):
    """For threads, for a single process, for few rows, and with a limit of time."""
    X, y = three_classes()
    with joblib.parallel_backend(name, n_jobs=1 if name == "loky" else -1):
        model = clone(MODELS["SVC"]).fit(X, y)
    with joblib.parallel_backend("loky", n_jobs=2):
        clone(MODELS["SVC"]).fit(X[:300], y[:300])
        clone(model).set_params(time_limit=1e6).fit(X, y)
    clone(model).set_params(n_jobs=2).fit(X, y)
    assert sent == []


def test_in_a_search(client):  # noqa: F811
    """Tasks of the search send tasks of their own."""
    X, y = three_classes(1500)
    grid = {"C": [0.1, 10], "gamma": [0.1, 1]}
    scores = []
    for context in (contextlib.nullcontext, lambda: joblib.parallel_backend("dask")):
        with context():
            search = GridSearchCV(MODELS["SVC"], grid, cv=3).fit(X, y)
        scores.append(search.cv_results_["mean_test_score"].tolist())
    assert scores[0] == scores[1]


def test_a_worker_of_dask_that_dies(tmp_path, python_folder, sent):
    """Another one trains its share."""
    X, y = three_classes(12000)
    model = clone(MODELS["SVC"]).set_params(C=1e4, cell_size=1000, solver="smo", max_iter=100000)
    with cluster(tmp_path, python_folder, workers=2) as client:  # noqa: F811
        pids = client.run(os.getpid)
        killed = []

        def kill_one():
            while not killed:
                busy = [address for address, tasks in client.processing().items() if tasks]
                if busy:
                    killed.append(busy[0])
                    os.kill(pids[busy[0]], signal.SIGKILL)
                time.sleep(0.01)

        thread = threading.Thread(target=kill_one, daemon=True)
        thread.start()
        compare(lambda: joblib.parallel_backend("dask"), model, X, y)
        thread.join(60)
        assert killed and loses_a_worker(client)
    assert sent == [4]
