"""LinearSVC and LinearSVR, compared with scikit-learn's and with machines of two classes."""

import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402

import csmo  # noqa: E402
from reference import breast_cancer, diabetes, digits, iris  # noqa: E402

TIGHT = {"tol": 1e-5, "random_state": 0}
WEIGHTS = {"no weights": lambda y: None, "weights": lambda y: np.arange(len(y)) % 4 / 2}


def close(found, expected, error=1e-3):
    size = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, atol=error * size)


def objective(model, X, y, weights):
    """What a regression minimises; it tells the optimum better than the weights of features do,
    which hardly change it."""
    weights = np.ones(len(y)) if weights is None else weights
    errors = np.abs(X @ model.coef_ + model.intercept_ - y)
    costs = model.C * (weights * np.maximum(errors - model.epsilon, 0)).sum()
    scaled = np.append(model.coef_, model.intercept_ / model.intercept_scaling)
    return (scaled**2).sum() / 2 + costs


@pytest.mark.parametrize("solver", ["dcd", "avsf"])
@pytest.mark.parametrize("weigh", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"C": 0.05, "intercept_scaling": 3.0},
        {"fit_intercept": False},
        {"class_weight": "balanced"},
        {"class_weight": {0: 3}},
    ],
)
def test_two_classes_have_scikit_learns_optimum(options, weigh, solver):
    X, y = breast_cancer()
    if options.get("class_weight") == "balanced":
        weigh = WEIGHTS["no weights"]  # their influence on such factors depends on the version
    theirs = svm.LinearSVC(loss="hinge", dual=True, max_iter=10**6, **options, **TIGHT)
    theirs.fit(X, y, sample_weight=weigh(y))
    for rows in (X, sp.csr_matrix(X)):
        ours = csmo.LinearSVC(solver=solver, **options, **TIGHT)
        ours.fit(rows, y, sample_weight=weigh(y))
        assert ours.coef_.shape == theirs.coef_.shape
        close(np.append(ours.coef_, ours.intercept_), np.append(theirs.coef_, theirs.intercept_))
        close(ours.decision_function(rows), theirs.decision_function(X))
        assert (ours.predict(rows) == theirs.predict(X)).mean() > 0.99
        assert isinstance(ours.n_iter_, int) and ours.fit_status_ == 0


@pytest.mark.parametrize("weigh", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("options", [{}, {"epsilon": 0.2, "C": 2.0}, {"fit_intercept": False}])
def test_regressions_have_scikit_learns_optimum(options, weigh):
    X, y = diabetes()
    X, y = X + 1, y / 100
    theirs = svm.LinearSVR(dual=True, max_iter=10**6, **options, **TIGHT)
    theirs.fit(X, y, sample_weight=weigh(y))
    for rows in (X, sp.csr_matrix(X)):
        ours = csmo.LinearSVR(**options, **TIGHT).fit(rows, y, sample_weight=weigh(y))
        assert ours.coef_.shape == theirs.coef_.shape and ours.intercept_.shape == (1,)
        values = [objective(model, X, y, weigh(y)) for model in (ours, theirs)]
        assert values[0] == pytest.approx(values[1], rel=1e-4)
        close(ours.predict(rows), theirs.predict(X), 0.02)
        close(X @ ours.coef_ + ours.intercept_, ours.predict(rows))


def test_more_classes_are_trained_in_pairs():
    X, y = iris()
    model = csmo.LinearSVC(decision_function_shape="ovo", **TIGHT).fit(X, y)
    values = model.decision_function(X)
    np.testing.assert_allclose(values, X @ model.coef_.T + model.intercept_, atol=1e-9)
    for function, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        of_pair = np.isin(y, model.classes_[[a, b]])
        pair = csmo.LinearSVC(**TIGHT).fit(X[of_pair], y[of_pair])
        close(-pair.coef_[0], model.coef_[function])
        close(-pair.decision_function(X), values[:, function])
    model.decision_function_shape = "ovr"
    assert model.decision_function(X).shape == (150, 3)
    best = model.classes_[model.decision_function(X).argmax(axis=1)]
    assert (best == model.predict(X)).mean() > 0.98


def test_a_class_whose_rows_have_no_weight():
    X, y = iris()
    model = csmo.LinearSVC().fit(X, y, sample_weight=(y != "versicolor") * 1.0)
    assert set(model.predict(X)) == {"setosa", "virginica"}
    assert np.isneginf(model.decision_function(X)[:, 1]).all()
    assert model.coef_.shape == (1, 4)


def test_results_are_repeatable():
    X, y = digits()
    X, y = X[:500], y[:500]
    first = csmo.LinearSVC(random_state=3, n_jobs=1).fit(X, y)
    again = csmo.LinearSVC(random_state=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(first.coef_, again.coef_)
    copy = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(copy.decision_function(X), first.decision_function(X))
    floats = clone(first).fit(X.astype(np.float32), y)
    close(floats.coef_, first.coef_)


@pytest.mark.parametrize("name", ["LinearSVC", "LinearSVR"])
def test_weights_of_features_cannot_change(name):
    X, y = breast_cancer()
    model = getattr(csmo, name)().fit(X, y)
    for values in (model.coef_, model.intercept_):
        with pytest.raises(ValueError, match="read-only"):
            values[..., 0] = 1


def test_searches():
    X, y = breast_cancer()
    search = GridSearchCV(csmo.LinearSVC(), {"C": [0.01, 0.1]}).fit(X, y)
    assert search.best_score_ > 0.95
    with pytest.warns(csmo.SearchNote, match="csmo.LinearSVC is not one of"):
        ours = csmo.GridSearchSVC(csmo.LinearSVC(), {"C": [0.01, 0.1]}).fit(X, y)
    assert ours.best_params_ == search.best_params_ and ours.best_score_ == search.best_score_


def test_faults():
    X, y = breast_cancer()
    for options, text in (
        ({"loss": "squared_hinge"}, "'loss' parameter of LinearSVC"),
        ({"solver": "csmo"}, "'solver' parameter of LinearSVC"),
        ({"intercept_scaling": 0}, "'intercept_scaling' parameter of LinearSVC"),
        ({"C": 0}, "'C' parameter of LinearSVC"),
    ):
        with pytest.raises(ValueError, match=text):
            csmo.LinearSVC(**options).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="max_iter=5"):
        model = csmo.LinearSVC(max_iter=5).fit(X, y)
    assert model.fit_status_ == 1 and model.n_iter_ == 5
