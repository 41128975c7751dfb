"""A fit that fails leaves a fitted estimator as it was."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import csmo  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from sklearn.base import is_classifier  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

DRAWS = np.random.default_rng(0)
X = DRAWS.normal(size=(60, 3))
Y = np.where(X[:, 0] + DRAWS.normal(size=60) / 2 > 0, "b", "a")
OTHERS = np.array(["c", "d", "e"])[np.arange(50) % 3]
ROWS = DRAWS.normal(size=(50, 4))


def failing_kernel(_A, _B):
    raise RuntimeError("the kernel fails")


def wrong_kernel(_A, _B):
    return np.ones((2, 2))


def nan_kernel(A, B):
    return np.full((len(A), len(B)), np.nan)


ESTIMATORS = {
    "SVC": lambda: csmo.SVC(),
    "SVC of probabilities": lambda: csmo.SVC(probability=True),
    "SVC of a function": lambda: csmo.SVC(kernel=lambda A, B: A @ B.T),
    "smo": lambda: csmo.SVC(solver="smo", decision_function_shape="ovo"),
    "NuSVC": lambda: csmo.NuSVC(nu=0.3),
    "SVR": lambda: csmo.SVR(),
    "NuSVR": lambda: csmo.NuSVR(),
    "OneClassSVM": lambda: csmo.OneClassSVM(),
    "LinearSVC": lambda: csmo.LinearSVC(random_state=0),
    "LinearSVR": lambda: csmo.LinearSVR(random_state=0),
    "NystroemSVC": lambda: csmo.NystroemSVC(landmarks=9, random_state=0),
    "ForestSVC": lambda: csmo.ForestSVC(cell_size=20, probability=True, random_state=0),
    "ForestSVR": lambda: csmo.ForestSVR(cell_size=20, random_state=0),
    "search": lambda: csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10]}),
    "search of a regression": lambda: csmo.GridSearchSVC(csmo.SVR(), {"C": [1, 10]}),
    "search of a pipeline": lambda: csmo.GridSearchSVC(
        make_pipeline(StandardScaler(), csmo.SVC()), {"svc__C": [1, 10]}
    ),
    "search by scikit-learn": lambda: csmo.GridSearchSVC(
        csmo.SVC(break_ties=True), {"C": [1, 10]}
    ),
}

# Parameters and arguments of a fit that fails, by what is wrong.
FAILURES = {
    "strings": ({}, ([["x"] * 4] * 50, OTHERS), {}),
    "NaN": ({}, (np.where(ROWS > 2, np.nan, ROWS), OTHERS), {}),
    "one dimension": ({}, (ROWS[:, 0], OTHERS), {}),
    "complex numbers": ({}, (ROWS * 1j, OTHERS), {}),
    "sparse NaN": ({}, (sp.csr_matrix(np.where(ROWS > 2, np.nan, ROWS)), OTHERS), {}),
    "length of y": ({}, (ROWS, OTHERS[1:]), {}),
    "no y": ({}, (ROWS, None), {}),
    "y of two columns": ({}, (ROWS, np.ones((50, 2))), {}),
    "one class": ({}, (ROWS, OTHERS[:1].repeat(50)), {}),
    "length of weights": ({}, (ROWS, OTHERS), {"sample_weight": np.ones(3)}),
    "NaN weights": ({}, (ROWS, OTHERS), {"sample_weight": np.full(50, np.nan)}),
    "weights of 0": ({}, (ROWS, OTHERS), {"sample_weight": np.zeros(50)}),
    "one class of weight": ({}, (ROWS, OTHERS), {"sample_weight": OTHERS == "c"}),
    "no rows": ({}, (ROWS[:0], OTHERS[:0]), {}),
    "huge values": ({"kernel": "poly"}, (ROWS * 1e200, OTHERS), {}),
    "kernel": ({"kernel": failing_kernel}, (ROWS, OTHERS), {}),
    "kernel of another shape": ({"kernel": wrong_kernel}, (ROWS, OTHERS), {}),
    "kernel values": ({"kernel": "precomputed"}, (ROWS, OTHERS), {}),
    "NaN kernel": ({"kernel": nan_kernel}, (ROWS, OTHERS), {}),
    "parameter": ({"tol": -1}, (ROWS, OTHERS), {}),
    "class weights": ({"class_weight": {"z": "heavy"}}, (ROWS, OTHERS), {}),
    "nu": ({"nu": 1.0}, (ROWS, np.where(np.arange(50) < 3, "c", "d")), {}),
    "grid": ({"param_grid": {"no_such": [1]}}, (ROWS, OTHERS), {}),
    "scoring": ({"scoring": "no such"}, (ROWS, OTHERS), {}),
    "folds": ({"cv": 51}, (ROWS, OTHERS), {}),
    "cells": ({"cells": 2}, (ROWS, OTHERS), {}),
    "parameter of the estimator": ({"estimator__tol": -1}, (ROWS, OTHERS), {}),
    "parameter of fit": ({}, (ROWS, OTHERS), {"no_such": 1}),
    "warning": ({"max_iter": 1}, (ROWS, OTHERS), {}),
}


def outputs(model):
    """What a fitted model answers."""
    found = [model.predict(X)]
    for name in ("decision_function", "predict_proba"):
        if hasattr(model, name):
            found.append(getattr(model, name)(X))
    if is_classifier(model):
        found.append(model.classes_)
    return found


def fails(model, rows, labels, options):
    """Whether this fit of a model fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            model.fit(rows, labels, **options)
        except Exception:
            return True
    return False


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_failed_fit_changes_nothing(name):
    failed = []
    for failure, (parameters, (rows, labels), options) in FAILURES.items():
        model = ESTIMATORS[name]()
        if not parameters.keys() <= model.get_params().keys():
            continue
        of_classes = is_classifier(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, Y if of_classes else X[:, 0])
        expected, before = outputs(model), dict(vars(model))
        old_parameters = {key: model.get_params()[key] for key in parameters}
        if not of_classes and labels is not None and np.ndim(labels) == 1:
            labels = np.arange(len(labels), dtype=float)
        model.set_params(**parameters)
        if not fails(model, rows, labels, options):
            continue
        failed.append(failure)
        model.set_params(**old_parameters)
        assert vars(model).keys() == before.keys(), failure
        for key, value in vars(model).items():
            assert value is before[key] or key in parameters, (failure, key)
        for found, value in zip(outputs(model), expected):
            np.testing.assert_array_equal(found, value, failure)
    assert len(failed) > 12
    assert {"NaN weights", "warning"} & {*failed}


def test_nothing_changes_before_the_training_has_succeeded():
    """Other threads may predict meanwhile."""
    model = csmo.SVC().fit(X, Y)
    before, seen = dict(vars(model)), []

    def kernel(A, B):
        seen.append({key: value for key, value in vars(model).items() if key != "kernel"})
        return A @ B.T

    model.set_params(kernel=kernel).fit(ROWS, OTHERS)
    del before["kernel"]
    assert seen[0].keys() == before.keys()
    assert all(seen[0][key] is before[key] for key in before)
    assert list(model.classes_) == ["c", "d", "e"]


def test_names_of_features_go_with_those_who_had_them():
    pandas = pytest.importorskip("pandas")
    model = csmo.SVC().fit(pandas.DataFrame(X, columns=["p", "q", "r"]), Y)
    assert list(model.feature_names_in_) == ["p", "q", "r"]
    model.fit(X, Y)
    assert not hasattr(model, "feature_names_in_")


def test_a_failed_search_keeps_the_old_one_and_ctrl_c_before_it_began_too():
    search = csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10]}).fit(X, Y)
    before = dict(vars(search))

    class Interrupted:
        def split(self, *_, **__):
            raise KeyboardInterrupt

        def get_n_splits(self, *_, **__):
            return 2

    search.cv = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        search.fit(ROWS, OTHERS)
    search.cv = None
    assert vars(search) == before


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, None])
def test_kernel_values_are_finite(value):
    def kernel(A, B):
        values = (A @ B.T).astype(object)
        values[0, 1] = value if is_wrong else 0
        return values

    for model in (csmo.SVC(), csmo.NuSVC(nu=0.1), csmo.SVR(), csmo.NuSVR(), csmo.OneClassSVM()):
        is_wrong = True
        with pytest.raises(ValueError, match="not finite"):
            model.set_params(kernel=kernel).fit(X, Y == "a")
        is_wrong = False
        model.fit(X, Y == "a")
        is_wrong = True
        with pytest.raises(ValueError, match="not finite"):
            model.predict(X)


@pytest.mark.parametrize("weight", [None, np.r_[np.ones(40), np.full(10, 0.1)]])
def test_nu_is_checked_before_the_kernel_is_computed(weight):
    calls = []

    def kernel(A, B):
        calls.append(1)
        return A @ B.T

    labels = np.arange(50) >= (3 if weight is None else 40)
    with pytest.raises(ValueError, match="specified nu is infeasible"):
        csmo.NuSVC(nu=0.2, kernel=kernel).fit(ROWS, labels, weight)
    assert calls == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        csmo.NuSVC(nu=0.03, kernel=kernel).fit(ROWS, labels, weight)
    assert calls == [1]


def test_nu_may_be_the_largest_feasible_one():
    for size in (3, 7, 11):
        labels = np.arange(50) >= size
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            csmo.NuSVC(nu=2 * size / 50).fit(ROWS, labels, np.full(50, 0.1))
