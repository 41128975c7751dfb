"""Fitted estimators converted to scikit-learn's and back predict the same."""

import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from scipy.spatial.distance import cdist  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import (  # noqa: E402
    load_wine,
    make_blobs,
    make_classification,
    make_friedman1,
    make_moons,
    make_regression,
)
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler, scale  # noqa: E402

import csmo  # noqa: E402
from reference import both, breast_cancer, diabetes, digits, iris  # noqa: E402

# Trainings need not converge to be converted.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
FORMS = [np.asarray, sp.csr_matrix]
KERNELS = ["linear", "poly", "rbf", "sigmoid"]


def wine():
    X, y = load_wine(return_X_y=True)
    return scale(X), y * 10 - 7


def some_digits():
    X, y = digits()
    return X[:600], y[:600]


def classes():
    X, y = make_classification(300, n_informative=6, n_classes=4, random_state=0)
    return X, 2.0 * y - 1


def moons():
    X, y = make_moons(200, noise=0.3, random_state=0)
    return X, y == 1


def blobs():
    X, y = make_blobs(300, centers=7, cluster_std=3, random_state=0)
    return scale(X), np.array(["a", "bb", "c", "ddd", "e", "f", "g"], dtype=object)[y]


def words():
    """Sparse rows of three classes; some rows and some columns are empty."""
    draws = np.random.default_rng(0)
    X = sp.random(240, 500, density=0.02, format="csr", random_state=0).toarray()
    X[::50] = 0
    return X, draws.integers(0, 3, 240)


def regression():
    X, y = make_regression(200, n_features=30, n_informative=5, noise=3, random_state=0)
    return X, y / y.std()


def friedman():
    return make_friedman1(200, n_features=8, noise=0.5, random_state=0)


def sparse_targets():
    X, _ = words()
    return X, X @ np.random.default_rng(1).normal(size=X.shape[1])


LABELLED = [iris, wine, breast_cancer, some_digits, classes, moons, blobs, words]
TARGETS = [diabetes, regression, friedman, sparse_targets]
CLASSIFIERS = {"SVC": {"C": 2, "class_weight": "balanced"}, "NuSVC": {"nu": 0.05}}
OTHERS = {"SVR": {"C": 2}, "NuSVR": {"C": 2}, "OneClassSVM": {"nu": 0.3}}
ALL = list({**CLASSIFIERS, **OTHERS}.items())


def kernel_values(theirs, X, absolute=False):
    """(n_rows, n_support) kernel values, or what bounds their rounding errors by its last bits."""
    vectors = theirs.support_vectors_
    if sp.issparse(vectors):
        vectors = vectors.toarray()
    if theirs.kernel == "rbf":
        return np.exp(-theirs._gamma * cdist(X, vectors, "sqeuclidean"))
    offset = theirs.coef0
    if absolute:
        X, vectors, offset = abs(X), abs(vectors), abs(offset)
    products = X @ vectors.T
    if theirs.kernel == "linear":
        return products
    inner = theirs._gamma * products + offset
    if theirs.kernel == "poly":
        return inner**theirs.degree
    return inner + 1 if absolute else np.tanh(inner)


def function_values(theirs, X, absolute=False):
    """Decision values, as a converter computes them from public attributes; or the sums of the
    absolute values of their terms."""
    K = kernel_values(theirs, X, absolute)
    coefficients, intercepts = theirs.dual_coef_, theirs.intercept_
    if sp.issparse(coefficients):
        assert coefficients.nnz == np.prod(coefficients.shape)
        coefficients = coefficients.toarray()
    if absolute:
        coefficients, intercepts = abs(coefficients), abs(intercepts)
    if len(coefficients) == 1:
        return K @ coefficients.T + intercepts
    ends = np.append(0, np.cumsum(theirs.n_support_))
    columns = []
    for a in range(len(theirs.classes_)):
        for b in range(a + 1, len(theirs.classes_)):
            of_a, of_b = slice(ends[a], ends[a + 1]), slice(ends[b], ends[b + 1])
            columns.append(K[:, of_a] @ coefficients[b - 1, of_a])
            columns[-1] += K[:, of_b] @ coefficients[a, of_b]
    return np.transpose(columns) + intercepts


def answers(estimator, X):
    """(n_rows, n_functions) decision values, or predictions of a regression."""
    if hasattr(estimator, "classes_"):
        estimator.decision_function_shape = "ovo"
    answer = getattr(estimator, "decision_function", estimator.predict)
    return answer(X).reshape(X.shape[0], -1)


def check_same(ours, theirs, X):
    """Both are fitted, on dense or on sparse rows; X is an array."""
    rows = sp.csr_matrix(X) if theirs._sparse else X
    for attribute in ("support_", "n_iter_", "fit_status_", "shape_fit_", "n_features_in_"):
        np.testing.assert_array_equal(getattr(ours, attribute), getattr(theirs, attribute))
    for attribute in ("support_vectors_", "dual_coef_", "intercept_"):
        values, expected = getattr(ours, attribute), getattr(theirs, attribute)
        assert sp.issparse(values) == sp.issparse(expected) and values.dtype == expected.dtype
        if sp.issparse(values):
            values, expected = values.toarray(), expected.toarray()
        np.testing.assert_array_equal(values, expected)
    assert ours.n_support_.tolist() == theirs.n_support_.tolist() or theirs._sparse
    shared = theirs.get_params().keys() & ours.get_params().keys()
    assert shared == theirs.get_params().keys()
    assert all(ours.get_params()[name] == theirs.get_params()[name] for name in shared)
    if not isinstance(theirs, (svm.SVR, svm.NuSVR)):
        np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
    sizes = 1e-12 * function_values(theirs, X, absolute=True)
    expected = answers(theirs, rows)
    assert (abs(answers(ours, rows) - expected) <= sizes).all()
    assert (abs(function_values(theirs, X) - expected) <= sizes).all()


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "load, name, options",
    [(load, *item) for load in LABELLED for item in CLASSIFIERS.items()]
    + [(load, *item) for load in TARGETS for item in OTHERS.items()],
)
def test_both_ways(load, name, options, kernel, form):
    X, y = load()
    coef0 = {"coef0": 0.5} if kernel in ("poly", "sigmoid") else {}
    ours, theirs = both(name, kernel=kernel, max_iter=3000, **options, **coef0)
    rows, others = form(X[::2]), X[1::2]
    ours.fit(rows, y[::2])
    theirs.fit(rows, y[::2])
    converted = ours.to_sklearn()
    assert type(converted) is getattr(svm, name)
    check_same(ours, converted, others)
    back = type(ours).from_sklearn(theirs)
    assert type(back) is type(ours)
    check_same(back, theirs, others)


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("load", [moons, iris, blobs])
def test_probabilities(load, name, form):
    X, y = load()
    rows = form(X)
    ours, theirs = both(name, probability=True, random_state=0, **CLASSIFIERS[name])
    ours.fit(rows, y)
    theirs.fit(rows, y)
    for one, other in ((ours, ours.to_sklearn()), (theirs, type(ours).from_sklearn(theirs))):
        np.testing.assert_array_equal(one._probA, other._probA)
        np.testing.assert_array_equal(one._probB, other._probB)
        # scikit-learn ends its iteration early, which matters for two classes only.
        close = 5e-3 if load is moons else 1e-12
        np.testing.assert_allclose(other.predict_proba(rows), one.predict_proba(rows), atol=close)
        np.testing.assert_array_equal(other.predict(rows), one.predict(rows))


def test_probabilities_that_are_not_there():
    X, y = moons()
    ours, theirs = both("SVC")
    for converted in (ours.fit(X, y).to_sklearn(), csmo.SVC.from_sklearn(theirs.fit(X, y))):
        assert not hasattr(converted, "predict_proba")
        converted.probability = True
        with pytest.raises(NotFittedError, match="probability=False"):
            converted.predict_proba(X)


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
@pytest.mark.parametrize("name, options", ALL)
def test_kernel_values(name, options, form):
    X, y = friedman()
    y = y.astype(int) % 3
    K = X @ X.T
    ours, theirs = both(name, kernel="precomputed", **options)
    ours.fit(form(K[::2, ::2]), y[::2])
    theirs.fit(K[::2, ::2], y[::2])
    others = K[1::2, ::2]
    for one, other in ((ours, ours.to_sklearn()), (theirs, type(ours).from_sklearn(theirs))):
        expected = answers(one, others)
        np.testing.assert_allclose(answers(other, others), expected, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(other.predict(others), one.predict(others), atol=1e-10)


@pytest.mark.parametrize("name, options", ALL)
def test_pickles_copies_and_back(name, options):
    X, y = iris()
    y = np.unique(y, return_inverse=True)[1]
    ours, theirs = both(name, gamma=0.3, **options)
    ours.fit(X, y)
    theirs.fit(X, y)
    for one in (ours, theirs):
        converted = one.to_sklearn() if one is ours else type(ours).from_sklearn(one)
        expected = answers(converted, X)
        copy = pickle.loads(pickle.dumps(converted))
        np.testing.assert_array_equal(answers(copy, X), expected)
        fresh = clone(converted)
        with pytest.raises(NotFittedError):
            fresh.predict(X)
        np.testing.assert_array_equal(answers(fresh.fit(X, y), X).shape, expected.shape)
        assert fresh.get_params() == converted.get_params()
        back = type(ours).from_sklearn(converted) if one is ours else converted.to_sklearn()
        assert type(back) is type(one)
        np.testing.assert_array_equal(answers(back, X), answers(one, X))
        converted.support_vectors_[:] = converted.dual_coef_[:] = converted.intercept_[:] = 7
        np.testing.assert_array_equal(answers(back, X), answers(one, X))


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.25, 0.0])
@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
def test_gamma_of_rows_in_single_precision(form, gamma):
    X, y = iris()
    X = X.astype(np.float32)
    ours, theirs = both("SVC", gamma=gamma)
    converted = ours.fit(form(X), y).to_sklearn()
    assert converted.gamma == gamma and converted._gamma == ours._gamma
    assert converted.support_vectors_.dtype == np.float64
    # The converted model is scikit-learn's, whose BLAS may add in another order: within the bound of
    # rounding for sums of so many values, which are at most 1 but for their coefficients.
    bound = len(ours.support_) * np.abs(ours.dual_coef_).sum() * np.finfo(float).eps
    np.testing.assert_allclose(answers(converted, form(X)), answers(ours, form(X)), atol=bound)
    converted = csmo.SVC.from_sklearn(theirs.fit(form(X), y))
    assert converted.gamma == gamma and converted._gamma == theirs._gamma


def test_decisions_by_votes_and_by_values():
    X, y = blobs()
    for options in ({}, {"break_ties": True}, {"decision_function_shape": "ovo"}):
        ours, theirs = both("SVC", **options)
        pairs = [(ours.fit(X, y), ours.to_sklearn())]
        pairs.append((theirs.fit(X, y), csmo.SVC.from_sklearn(theirs)))
        for one, other in pairs:
            assert one.get_params().items() & options.items() == options.items()
            np.testing.assert_array_equal(one.predict(X), other.predict(X))
            expected = one.decision_function(X)
            np.testing.assert_allclose(other.decision_function(X), expected, atol=1e-10)


def test_sparse_rows_with_doubled_and_unsorted_entries():
    rows = sp.csr_matrix(([1.0, 2, 0, 3, 4, 1], [2, 0, 1, 0, 1, 1], [0, 3, 6]), shape=(2, 3))
    X = rows.toarray()
    model = csmo.SVC(gamma=0.1).fit(rows, ["a", "b"])
    converted = model.to_sklearn()
    np.testing.assert_array_equal(converted.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(converted.support_vectors_.toarray(), X)


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
def test_models_without_support_vectors(form):
    X, y = friedman()
    ours, theirs = both("SVR", epsilon=1000)
    for converted in (
        ours.fit(form(X), y).to_sklearn(),
        csmo.SVR.from_sklearn(theirs.fit(form(X), y)),
    ):
        assert len(converted.support_) == 0 and np.ptp(converted.predict(form(X))) == 0
        np.testing.assert_allclose(converted.predict(form(X)), (y.min() + y.max()) / 2)
    X, y = moons()
    model = csmo.SVC(class_weight={True: 0}).fit(form(X), y)
    assert len(model.support_) == 0
    np.testing.assert_array_equal(model.to_sklearn().predict(form(X)), model.predict(form(X)))


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse"])
@pytest.mark.parametrize("load, left_out", [(iris, 1), (blobs, 3)])
def test_classes_without_weight(load, left_out, form):
    """scikit-learn numbers the classes that are left, and predicts wrong ones itself."""
    X, y = load()
    rows, weights = form(X), 1.0 * (y != np.unique(y)[left_out])
    ours, theirs = both("SVC", probability=True)
    ours.fit(rows, y, sample_weight=weights)
    converted = pickle.loads(pickle.dumps(ours)).to_sklearn()
    kept = np.delete(ours.classes_, left_out)
    np.testing.assert_array_equal(converted.classes_, kept)
    np.testing.assert_array_equal(converted.predict(rows), ours.predict(rows))
    np.testing.assert_allclose(
        converted.predict_proba(rows),
        np.delete(ours.predict_proba(rows), left_out, axis=1),
        atol=5e-3 if len(kept) == 2 else 1e-12,
    )
    theirs.fit(X, y, sample_weight=weights)  # which fails on sparse rows
    with pytest.raises(ValueError, match=f"has {len(kept)} of the {len(kept) + 1} classes"):
        csmo.SVC.from_sklearn(theirs)


def test_names_of_features():
    pandas = pytest.importorskip("pandas")
    X, y = iris()
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    ours, theirs = both("SVC")
    for converted in (
        ours.fit(frame, y).to_sklearn(),
        csmo.SVC.from_sklearn(theirs.fit(frame, y)),
    ):
        assert converted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        with pytest.raises(ValueError, match="feature names"):
            converted.predict(frame[["d", "c", "b", "a"]])


def test_in_pipelines():
    X, y = iris()
    pipeline = make_pipeline(StandardScaler(), csmo.SVC()).fit(X, y)
    expected = pipeline.predict(X)
    pipeline.set_params(svc=pipeline[-1].to_sklearn())
    np.testing.assert_array_equal(pipeline.predict(X), expected)
    pipeline.set_params(svc=csmo.SVC.from_sklearn(pipeline[-1]))
    np.testing.assert_array_equal(pipeline.predict(X), expected)


def test_derived_classes_and_other_versions():
    X, y = moons()
    derived = type("Derived", (csmo.SVC,), {})
    assert type(derived().fit(X, y).to_sklearn()) is svm.SVC
    theirs = svm.SVC().fit(X, y)
    theirs.probability = "deprecated"  # the default of 1.9
    del theirs._num_iter  # which 1.0 has not
    converted = derived.from_sklearn(theirs)
    assert type(converted) is derived and not converted._has_probability()
    np.testing.assert_array_equal(converted.predict(X), theirs.predict(X))


@pytest.mark.parametrize("name, options", ALL)
def test_what_cannot_be_converted(name, options):
    X, y = moons()
    ours, theirs = both(name, **options)
    with pytest.raises(NotFittedError):
        ours.to_sklearn()
    with pytest.raises(NotFittedError):
        type(ours).from_sklearn(theirs)
    for other in (svm.LinearSVC(), ours, StandardScaler(), type(theirs), None):
        with pytest.raises(TypeError, match=f"fitted sklearn.svm.{name}, not .*"):
            type(ours).from_sklearn(other)
    ours, theirs = both(name, kernel=lambda a, b: a @ b.T, **options)
    with pytest.raises(ValueError, match="kernel that is a function"):
        ours.fit(X, y).to_sklearn()
    with pytest.raises(ValueError, match="kernel that is a function"):
        type(ours).from_sklearn(theirs.fit(X, y))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "load, name, options", [(moons, *ALL[0]), (iris, *ALL[0]), (friedman, *ALL[2])]
)
def test_onnx(load, name, options, kernel):
    skl2onnx = pytest.importorskip("skl2onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = load()
    X = X.astype(np.float32)
    model = getattr(csmo, name)(kernel=kernel, **options).fit(X, y)
    zipmap = {} if name == "SVR" else {"options": {"zipmap": False}}
    onnx = skl2onnx.to_onnx(model.to_sklearn(), X[:1], **zipmap).SerializeToString()
    session = onnxruntime.InferenceSession(onnx, providers=["CPUExecutionProvider"])
    found = session.run(None, {session.get_inputs()[0].name: X})[0]
    if name == "SVR":
        np.testing.assert_allclose(found.ravel(), model.predict(X), rtol=1e-3, atol=1e-3)
    else:
        certain = abs(answers(model, X)).min(axis=1) > 1e-3
        assert certain.mean() > 0.9
        np.testing.assert_array_equal(found[certain], model.predict(X)[certain])
