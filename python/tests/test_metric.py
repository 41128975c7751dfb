"""Weights of features that are learned: of machines and forests, and as a step of pipelines."""

import pickle
import threading
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import make_friedman1  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from csmo import HalvingGridSearchSVC, _forest_model, _native, _stand_ins  # noqa: E402
from searches import compare, compare_kinds  # noqa: E402
from test_interrupt import Interrupt, library_thread_runs  # noqa: E402

WITH = {"metric": "learned"}
SMALL = {"cell_size": 200, "n_trees": 2, "random_state": 0}


def numbers(rows=800):
    """Targets that the first five of ten features tell.  The values are exact as floats, and many
    are 0."""
    X, _ = make_friedman1(rows, random_state=0)
    X = np.round(X * 256) / 256
    X[X < 0.2] = 0
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + X[:, 4]
    return X, y


def classes(rows=800):
    X, y = numbers(rows)
    return X, np.array(["a", "b", "c"])[(y > 10) * 1 + (y > 16)]


def one_feature(rows=400):
    """There is no choice of weights."""
    X, y = numbers(rows)
    return X[:, :1], (y > 10).astype(int)


CASES = {
    "SVC": (csmo.SVC(C=10, random_state=0, **WITH), classes),
    "NuSVC": (csmo.NuSVC(nu=0.2, random_state=0, **WITH), classes),
    "SVR": (csmo.SVR(C=100, **WITH), numbers),
    "NuSVR": (csmo.NuSVR(C=100, **WITH), numbers),
}
FORESTS = {
    "ForestSVC": (csmo.ForestSVC(C=10, **SMALL), classes),
    "ForestSVR": (csmo.ForestSVR(C=100, **SMALL), numbers),
}


def values(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.fixture(params=CASES)
def case(request):
    model, load = CASES[request.param]
    return (clone(model), *load())


@pytest.mark.parametrize("name", [*CASES, *FORESTS])
def test_weights_make_better_machines(name):
    model, load = {**CASES, **FORESTS}[name]
    X, y = load(2000)
    model = clone(model).fit(X[::2], y[::2])
    weights = model.feature_weights_
    assert weights.shape == (10,) and weights[:4].min() > 1.5 * weights[5:].max()
    without = clone(model).set_params(metric=None).fit(X[::2], y[::2])
    assert not hasattr(without, "feature_weights_")
    error, error_without = (1 - each.score(X[1::2], y[1::2]) for each in (model, without))
    assert error < 0.8 * error_without


def test_a_machine_is_one_of_weighted_rows(case):
    model, X, y = case
    model.fit(X[::2], y[::2])
    weighted = X * model.feature_weights_
    without = clone(model).set_params(metric=None, gamma=model._gamma)
    without.fit(weighted[::2], y[::2])
    np.testing.assert_array_equal(values(model, X), values(without, weighted))
    np.testing.assert_array_equal(model.predict(X), without.predict(weighted))
    np.testing.assert_array_equal(model.support_vectors_, weighted[::2][model.support_])
    plain = clone(model).set_params(metric=None).fit(X[::2], y[::2])
    assert model._gamma == plain._gamma  # 'scale' is of the features as they are
    np.testing.assert_array_equal(values(clone(model).fit(X[::2], y[::2]), X), values(model, X))


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array, sp.coo_matrix, np.float32])
def test_other_forms_of_rows(case, form):
    model, X, y = case
    model.set_params(gamma=1.0).fit(X, y)
    rows = X.astype(form) if form is np.float32 else form(X)
    other = clone(model).fit(rows, y)
    np.testing.assert_array_equal(other.feature_weights_, model.feature_weights_)
    for predicted in (rows, X):
        np.testing.assert_array_equal(values(other, predicted), values(model, X))
    vectors = other.support_vectors_
    assert sp.issparse(vectors) == sp.issparse(rows)
    if sp.issparse(rows):
        assert vectors.nnz == np.count_nonzero(X[other.support_])
        vectors = vectors.toarray()
    np.testing.assert_array_equal(vectors, model.support_vectors_)


@pytest.mark.parametrize("name", [*CASES, *FORESTS])
def test_no_weights_without_a_gain(name):
    model, _ = {**CASES, **FORESTS}[name]
    X, y = one_feature()
    model = clone(model).fit(X, y)
    np.testing.assert_array_equal(model.feature_weights_, [1])
    without = clone(model).set_params(metric=None).fit(X, y)
    assert model._model.text() == without._model.text()
    np.testing.assert_array_equal(values(model, X), values(without, X))


def test_weights_of_rows_and_classes_count(case):
    model, X, y = case
    weights = np.where(np.arange(len(y)) % 8 < 6, 1.0, 0.0)
    model.fit(X, y, sample_weight=weights)
    there = weights > 0
    alone = clone(model).set_params(gamma=model._gamma).fit(X[there], y[there])
    np.testing.assert_array_equal(model.feature_weights_, alone.feature_weights_)
    if isinstance(model, csmo.SVC):
        by_class = clone(model).set_params(class_weight={"a": 4, "c": 0.5}).fit(X, y)
        weights = np.select([y == "a", y == "c"], [4, 0.5], 1.0)
        by_row = clone(model).fit(X, y, sample_weight=weights)
        assert (by_class.feature_weights_ != clone(model).fit(X, y).feature_weights_).any()
        np.testing.assert_array_equal(by_class.feature_weights_, by_row.feature_weights_)


def test_pickles_and_other_fits(case):
    model, X, y = case
    expected = values(model.fit(X, y), X)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.get_params()["metric"] == "learned"
    np.testing.assert_array_equal(values(copy, X), expected)
    model.set_params(metric=None)
    np.testing.assert_array_equal(values(model, X), expected)  # which goes by the last fit
    assert not hasattr(model.fit(X, y), "feature_weights_")
    assert (values(model, X) != expected).any()
    old = pickle.loads(pickle.dumps(model))
    del old.metric  # as an older version has pickled it
    np.testing.assert_array_equal(values(old, X), values(model, X))


def test_probabilities():
    X, y = classes()
    model = csmo.SVC(C=10, probability=True, random_state=0, **WITH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = model.fit(X[::2], y[::2]).predict_proba(X[1::2])
    assert (model.classes_[found.argmax(axis=1)] == y[1::2]).mean() > 0.8


def test_refusals(case):
    model, X, y = case
    name = type(model).__name__
    with pytest.raises(ValueError, match=f"'metric' parameter of {name}"):
        clone(model).set_params(metric="given").fit(X, y)
    for kernel in ("linear", "poly", "precomputed", np.dot):
        with pytest.raises(ValueError, match="for the kernel 'rbf', which goes by distances"):
            clone(model).set_params(kernel=kernel).fit(X, y)
    with pytest.raises(csmo.SvmError, match="features"):
        many = sp.random(300, 20000, density=0.2, format="csr", random_state=0)
        model.fit(many, y[:300])
    assert not hasattr(model, "support_")


def test_conversion(case):
    model, X, y = case
    with pytest.raises(ValueError, match="no weights of features: make a Pipeline"):
        model.fit(X, y).to_sklearn()
    X, y = one_feature()
    theirs = model.fit(X, y).to_sklearn()
    np.testing.assert_allclose(values(theirs, X), values(model, X), atol=1e-9)
    ours = type(model).from_sklearn(theirs)
    assert ours.metric is None
    np.testing.assert_array_equal(ours.predict(X), model.predict(X))


# Searches

GRID = {"C": [1, 100], "metric": [None, "learned"]}


@pytest.mark.parametrize("grid", [GRID, {"C": [1, 100], "metric": ["learned"]}])
def test_searches_learn_within_each_fold(grid):
    X, y = numbers(400)
    engine = "scikit-learn: a metric is learned anew"
    found = compare(csmo.SVR(), grid, X, y, engine=engine, cv=3)
    assert found.best_params_["metric"] == "learned"
    assert found.best_estimator_.feature_weights_[0] > found.best_estimator_.feature_weights_[9]
    piped = make_pipeline(StandardScaler(), csmo.SVR(C=10))
    grid = {f"svr__{name}": choices for name, choices in grid.items()}
    found = compare(piped, grid, X, y, engine=engine, cv=3)
    kinds = _stand_ins.GridSearchCV, GridSearchCV
    compare_kinds(*kinds, piped, grid, X, y, engine=engine, options={"cv": 3})
    halving = HalvingGridSearchSVC(piped, grid, cv=3, random_state=0)
    with pytest.warns(csmo.SearchNote, match="a metric is learned anew"):
        assert halving.fit(X, y).best_score_ > 0.9
    with pytest.raises(ValueError, match="cells=100 is for csmo's own engine only"):
        csmo.GridSearchSVC(csmo.SVR(**WITH), {"C": [1, 100]}, cells=100).fit(X, y)


def test_searches_fit_a_learned_metric_on_each_fold():
    X, y = classes(400)
    piped = Pipeline([("metric", csmo.LearnedMetric()), ("svc", csmo.SVC(tol=1e-7))])
    grid = {"svc__C": [1, 10], "svc__gamma": [0.5, 2]}
    compare(piped, grid, X, y, cv=3)
    estimators = [None, csmo.SVC(C=10, gamma=1, random_state=0)]
    compare(piped, {**grid, "metric__estimator": estimators}, X, y, cv=3)


# LearnedMetric


@pytest.mark.parametrize("name", [*CASES, *FORESTS])
def test_learned_metric_has_the_weights_of_its_estimator(name):
    model, load = {**CASES, **FORESTS}[name]
    X, y = load()
    weights = np.linspace(1, 3, len(y))
    metric = csmo.LearnedMetric(clone(model).set_params(metric=None))
    metric.fit(X, y, sample_weight=weights)
    fitted = clone(model).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(metric.feature_weights_, fitted.feature_weights_)
    assert (metric.feature_weights_ != 1).any()
    assert metric.estimator.metric is None and not hasattr(metric.estimator, "n_features_in_")
    np.testing.assert_array_equal(metric.transform(X), X * metric.feature_weights_)
    for form in (sp.csr_matrix, sp.coo_matrix):
        transformed = metric.transform(form(X))
        assert transformed.format == "csr" and transformed.nnz == np.count_nonzero(X)
        np.testing.assert_array_equal(transformed.toarray(), X * metric.feature_weights_)
    copy = pickle.loads(pickle.dumps(metric))
    np.testing.assert_array_equal(copy.transform(X), metric.transform(X))


def test_learned_metric_as_a_step():
    X, y = numbers(2000)
    machine = csmo.SVR(gamma=1.0, C=100)
    piped = make_pipeline(csmo.LearnedMetric(machine), machine).fit(X[::2], y[::2])
    without = clone(machine).fit(X[::2], y[::2])
    assert 1 - piped.score(X[1::2], y[1::2]) < 0.8 * (1 - without.score(X[1::2], y[1::2]))
    for target, estimator in ((classes, csmo.SVC(random_state=0)), (numbers, csmo.SVR())):
        X, y = target()
        one, other = csmo.LearnedMetric().fit(X, y), csmo.LearnedMetric(estimator).fit(X, y)
        np.testing.assert_array_equal(one.feature_weights_, other.feature_weights_)
    with pytest.raises(ValueError, match="X has 9 features"):
        one.transform(X[:, 1:])


def test_learned_metric_with_names():
    pandas = pytest.importorskip("pandas")
    X, y = numbers()
    frame = pandas.DataFrame(X, columns=list("abcdefghij"))
    metric = csmo.LearnedMetric().set_output(transform="pandas").fit(frame, y)
    transformed = metric.transform(frame)
    assert list(transformed.columns) == list(metric.get_feature_names_out()) == list("abcdefghij")
    np.testing.assert_array_equal(transformed.to_numpy(), X * metric.feature_weights_)
    assert not hasattr(metric.fit(X, y), "feature_names_in_")


@pytest.mark.parametrize(
    "estimator, message",
    [
        (csmo.LinearSVC(), "estimator: SVC, NuSVC, .* not LinearSVC"),
        ("SVC", "estimator: SVC, NuSVC, .* not 'SVC'"),
        (csmo.SVC(kernel="poly"), "for the kernel 'rbf'"),
        (csmo.ForestSVC(kernel="poly"), r"RBF kernel \('rbf'\)"),
        (csmo.SVC(C=-1), "'C' parameter of SVC"),
    ],
)
def test_refusals_of_a_learned_metric(estimator, message):
    X, y = classes(100)
    with pytest.raises(ValueError, match=message):
        csmo.LearnedMetric(estimator).fit(X, y)


# Forests


@pytest.mark.parametrize("name", FORESTS)
def test_forests_have_their_weights(name):
    model, load = FORESTS[name]
    X, y = load()
    model = clone(model).fit(X, y)
    text = model._model.text()
    assert text.startswith(b"svm_forest 2\n") and b"\nweights 10 " in text
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy._model.feature_weights(10), model.feature_weights_)
    np.testing.assert_array_equal(values(copy, X), values(model, X))
    other = b" ".join(text.split(b"\nweights 10 ")[1].split(b"\n")[0].split())
    wide = model._model.feature_weights(12)
    assert (wide[10:] == float(other)).all() and (wide[:10] == model.feature_weights_).all()
    assert clone(model).set_params(metric=None).fit(X, y)._model.text().startswith(b"svm_forest 1")
    linear = clone(model).set_params(kernel="linear").fit(X, y)  # silently without
    np.testing.assert_array_equal(linear.feature_weights_, np.ones(10))
    assert linear._model.text().startswith(b"svm_forest 1")
    with pytest.raises(ValueError, match=f"'metric' parameter of {name}"):
        clone(model).set_params(metric="given").fit(X, y)


def test_an_unknown_feature_has_the_weight_of_others():
    forest = _forest_model.Forest.__new__(_forest_model.Forest)
    forest.facts = _native.sized(_native.ForestFacts, other_weight=0.5, features=2)
    features, weights = np.array([1, 2], np.int32), np.array([2.0, 3.0])
    forest.facts.weighted, forest.facts.weights = features.ctypes.data, weights.ctypes.data
    np.testing.assert_array_equal(forest.feature_weights(3), [2, 3, 0.5])
    np.testing.assert_array_equal(forest.feature_weights(1), [2])
    features[1] = 3
    np.testing.assert_array_equal(forest.feature_weights(3), [2, 0.5, 3])


# Ctrl-C


def test_ctrl_c_while_a_metric_is_learned(monkeypatch):
    X, y = numbers()
    models = csmo.SVR(C=100, **WITH).fit(X, y), csmo.LearnedMetric().fit(X, y)
    draws = np.random.default_rng(0)
    X, y = draws.normal(size=(4000, 10)), draws.normal(size=4000)
    hard = csmo.SVR(C=1e9, gamma=0.01, tol=1e-12, **WITH)
    started = threading.Event()
    learn = _native.learn_metric

    def watched(*arguments):
        started.set()
        return learn(*arguments)

    monkeypatch.setattr(_native, "learn_metric", watched)
    models[0].set_params(**hard.get_params())
    models[1].set_params(estimator=hard)
    for model in models:
        before = {name: id(value) for name, value in vars(model).items()}
        started.clear()
        with Interrupt(started.is_set), pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
        assert {name: id(value) for name, value in vars(model).items()} == before
    assert not library_thread_runs()
