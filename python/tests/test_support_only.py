"""Kernels that are functions, called with the support vectors only."""

import pickle
import warnings
from typing import Any, List, Tuple

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import svm
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV

from csmo import SVC, SVR, GridSearchSVC, NuSVC, NuSVR, OneClassSVM

X, Y = make_blobs(150, centers=3, cluster_std=2, random_state=0)
CLASSIFIER = {"probability": True, "random_state": 0}
MACHINES = [
    SVC(**CLASSIFIER), NuSVC(nu=0.2, **CLASSIFIER), SVR(), NuSVR(), OneClassSVM(nu=0.2, probability=True),
]  # fmt: skip
calls: List[Tuple[int, int]] = []


def kernel(a: Any, b: Any) -> Any:
    """A value depends on its two rows alone, to the bit, which is not so with matrix products."""
    calls.append((a.shape[0], b.shape[0]))
    a, b = (rows.toarray() if sp.issparse(rows) else rows for rows in (a, b))
    return 1 / (1 + 0.1 * sum((a[:, [j]] - b[:, j]) ** 2 for j in range(a.shape[1])))


def common_letters(a: Any, b: Any) -> Any:
    calls.append((len(a), len(b)))
    return np.array([[float(len(set(one) & set(other))) for other in b] for one in a])


def fitted(machine: Any, support_only: bool, rows: Any = X, function: Any = kernel) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `probability`
        machine = clone(machine).set_params(kernel=function, support_only=support_only)
        return machine.fit(rows, Y[: rows.shape[0] if hasattr(rows, "shape") else len(rows)])


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_predictions_and_calls(machine: Any) -> None:
    of_all, of_support = fitted(machine, False), fitted(machine, True)
    count = len(of_support.support_)
    assert 0 < count < 130 and (of_all.support_ == of_support.support_).all()
    for name in ("predict", "decision_function", "predict_proba", "score_samples"):
        if not hasattr(machine, name):
            continue
        calls.clear()
        values = getattr(of_support, name)(X[:70] + 0.1)
        assert set(calls) == {(70, count)}
        assert (values == getattr(of_all, name)(X[:70] + 0.1)).all()
    again = pickle.loads(pickle.dumps(of_support))
    assert (again.predict(X) == of_all.predict(X)).all()
    assert len(again._X_fit) == count and len(of_all._X_fit) == len(X)
    assert clone(again).get_params()["support_only"] is True


def test_pickles_are_small() -> None:
    wide = np.pad(X, ((0, 0), (0, 500)))
    sizes = [len(pickle.dumps(fitted(SVC(), support_only, wide))) for support_only in (False, True)]
    count = len(fitted(SVC(), True, wide).support_)
    assert sizes[0] - sizes[1] >= (len(X) - count) * wide.shape[1] * 8


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.coo_matrix])
def test_sparse_rows(form: Any) -> None:
    rows = form(X)
    expected = fitted(SVC(), False).predict(X)
    assert (fitted(SVC(), True, rows).predict(rows) == expected).all()


@pytest.mark.parametrize("form", [list, np.array])
def test_strings(form: Any) -> None:
    words = form(["abc", "abd", "bcd", "xyz", "xyw", "yzw", "axy", "bxy"])
    machine = fitted(SVC(C=0.5), True, words, common_letters)
    expected = fitted(SVC(C=0.5), False, words, common_letters)
    theirs = svm.SVC(C=0.5, kernel=common_letters).fit(words, Y[:8])
    assert (machine.decision_function(words) == expected.decision_function(words)).all()
    assert (machine.predict(words) == theirs.predict(words)).all()
    assert len(machine._X_fit) == len(machine.support_)


def test_all_rows_are_support_vectors() -> None:
    machine, expected = fitted(SVC(C=1e-9), True), fitted(SVC(C=1e-9), False)
    assert len(machine.support_) == len(X)
    assert (machine.decision_function(X) == expected.decision_function(X)).all()


@pytest.mark.parametrize("kind", [GridSearchCV, GridSearchSVC])
def test_searches(kind: Any) -> None:
    searches = [
        kind(SVC(kernel=kernel, support_only=support_only), {"C": [0.1, 1, 10]}, cv=3).fit(X, Y)
        for support_only in (False, True)
    ]
    scores = [search.cv_results_["mean_test_score"] for search in searches]
    assert (scores[0] == scores[1]).all()
    best = searches[1].best_estimator_
    assert len(best._X_fit) == len(best.support_) < len(X)
    assert (best.predict(X) == searches[0].predict(X)).all()


def test_intercepts_can_be_changed() -> None:
    machines = [fitted(SVC(), support_only) for support_only in (False, True)]
    for machine in machines:
        machine._intercept_ = machine._intercept_ + 0.5
    values = [machine.decision_function(X) for machine in machines]
    assert (values[0] == values[1]).all()


@pytest.mark.parametrize("name", ["rbf", "precomputed"])
def test_other_kernels_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="support_only=True is for a kernel that is a function"):
        SVC(kernel=name, support_only=True).fit(X, Y)
