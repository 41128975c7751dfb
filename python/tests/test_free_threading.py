"""Searches on threads of a Python without the global lock (3.13t, 3.14t and later)."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

if getattr(sys, "_is_gil_enabled", lambda: True)():
    pytest.skip("this Python has the global lock", allow_module_level=True)
pytest.importorskip("sklearn")

import joblib  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold  # noqa: E402

import csmo  # noqa: E402
from reference import digits, diabetes  # noqa: E402

GRID = {"C": [1, 10], "gamma": [1e-4, 1e-3]}


def in_threads(function, count=8):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda _: function(), range(count)))


def test_importing_csmo_leaves_the_lock_off():
    assert csmo.SVC is not None
    assert not sys._is_gil_enabled()


@pytest.mark.parametrize(
    "make",
    [
        lambda: csmo.GridSearchSVC(csmo.SVC(), GRID, cv=3),
        lambda: csmo.RandomizedSearchSVC(csmo.SVC(), GRID, n_iter=3, cv=3, random_state=0),
        lambda: csmo.GridSearchSVC(csmo.SVC(), GRID, cv=3, scoring="f1_macro"),
    ],
    ids=["grid", "random", "scoring"],
)
def test_searches_at_the_same_time_find_what_one_finds(make):
    X, y = digits()
    expected = make().fit(X[:300], y[:300])
    for search in in_threads(lambda: make().fit(X[:300], y[:300])):
        scores = [found.cv_results_["mean_test_score"] for found in (search, expected)]
        np.testing.assert_array_equal(*scores)
        assert search.best_params_ == expected.best_params_


def test_scikit_learns_search_on_threads():
    """Each thread fits an estimator of csmo at a time, on the same rows."""
    X, y = diabetes()
    search = GridSearchCV(csmo.SVR(), {"C": [1, 10, 100]}, cv=KFold(3))
    expected = search.fit(X, y).cv_results_["mean_test_score"].copy()
    with joblib.parallel_config("threading", n_jobs=4):
        found = search.fit(X, y).cv_results_["mean_test_score"]
    np.testing.assert_array_equal(found, expected)
