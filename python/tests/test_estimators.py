"""Compares the estimators with scikit-learn's, on its data sets."""

import pickle
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_iris, make_classification  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, NotFittedError  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import both, breast_cancer, diabetes, digits, iris  # noqa: E402

TIGHT = 1e-6


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
@pytest.mark.parametrize("name, options", [("SVC", {"C": 2}), ("NuSVC", {"nu": 0.2})])
@pytest.mark.parametrize("load", [iris, breast_cancer, digits])
def test_classifiers(load, name, options, kernel):
    X, y = load()
    if kernel == "sigmoid":  # not positive definite: several optima, unless gamma is small
        options = {**options, "gamma": 1e-3}
    ours, theirs = both(name, kernel=kernel, tol=TIGHT, **options)
    ours.fit(X, y)
    theirs.fit(X, y)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    values, expected = ours.decision_function(X), theirs.decision_function(X)
    size = np.abs(expected).max()
    np.testing.assert_allclose(values, expected, atol=4e-3 * size)
    # Decisions that do not depend on rounding are the same.
    ours.decision_function_shape = theirs.decision_function_shape = "ovo"
    expected = theirs.decision_function(X)
    certain = np.abs(expected.reshape(len(X), -1)).min(axis=1) > 1e-2
    assert certain.mean() > 0.3
    np.testing.assert_array_equal(ours.predict(X)[certain], theirs.predict(X)[certain])
    np.testing.assert_allclose(
        ours.decision_function(X), expected, atol=4e-3 * np.abs(expected).max()
    )
    assert ours.dual_coef_.shape[0] == theirs.dual_coef_.shape[0]
    assert ours.n_iter_.shape == theirs.n_iter_.shape and (ours.n_iter_ > 0).all()
    assert ours.n_support_.sum() == len(ours.support_) == len(ours.support_vectors_)
    np.testing.assert_array_equal(ours.support_vectors_, X[ours.support_])
    if kernel == "linear":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=5e-3 * np.abs(theirs.coef_).max())


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize(
    "name, options",
    [("SVR", {"C": 50, "epsilon": 5}), ("NuSVR", {"C": 50, "nu": 0.4}), ("OneClassSVM", {})],
)
def test_functions(name, options, kernel):
    X, y = diabetes()
    X = X + 1  # a linear kernel cannot support the distribution of centred rows
    ours, theirs = both(name, kernel=kernel, tol=1e-4, **options)
    ours.fit(X, y)
    theirs.fit(X, y)
    answer = "decision_function" if name == "OneClassSVM" else "predict"
    expected = getattr(theirs, answer)(X)
    np.testing.assert_allclose(
        getattr(ours, answer)(X), expected, atol=1e-3 * np.abs(expected).max()
    )
    np.testing.assert_allclose(
        ours.intercept_, theirs.intercept_, atol=1e-3 * np.abs(expected).max()
    )
    assert isinstance(ours.n_iter_, int)
    if kernel == "linear":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-2 * np.abs(theirs.coef_).max())
    if name == "OneClassSVM":
        np.testing.assert_allclose(ours.score_samples(X), ours.decision_function(X) + ours.offset_)
        assert set(ours.predict(X)) == {-1, 1}


@pytest.mark.parametrize("solver", ["csmo", "smo", "hybrid"])
def test_solvers_agree(solver):
    X, y = breast_cancer()
    reference = svm.SVC(tol=TIGHT).fit(X, y).decision_function(X)
    values = csmo.SVC(tol=TIGHT, solver=solver).fit(X, y).decision_function(X)
    np.testing.assert_allclose(values, reference, atol=1e-4)


def test_sparse_rows_and_floats_are_the_same_data():
    X, y = digits()
    X = np.round(X, 2).astype(np.float32)
    dense = csmo.SVC(gamma=0.05).fit(X.astype(np.float64), y).decision_function(X)
    for other in (X, np.asfortranarray(X), sp.csr_matrix(X), sp.csr_matrix(X, dtype=np.float64)):
        model = csmo.SVC(gamma=0.05).fit(other, y)
        np.testing.assert_allclose(model.decision_function(other), dense, atol=1e-4)
        assert sp.issparse(model.support_vectors_) == sp.issparse(other)
    strided = np.repeat(X.astype(np.float64), 2, axis=1)[:, ::2]
    model = csmo.SVC(gamma=0.05).fit(strided, y)
    np.testing.assert_array_equal(model.decision_function(strided), dense)


def test_sparse_linear_weights():
    X, y = iris()
    ours, theirs = both("SVC", kernel="linear", tol=TIGHT)
    weights = ours.fit(sp.csr_matrix(X), y).coef_
    assert sp.issparse(weights)
    np.testing.assert_allclose(weights.toarray(), theirs.fit(X, y).coef_, atol=1e-3)


def test_gamma():
    X, y = breast_cancer()
    for gamma in ("scale", "auto", 0.3):
        for rows in (X, sp.csr_matrix(X)):
            ours, theirs = both("SVC", gamma=gamma)
            ours.fit(rows, y)
            theirs.fit(rows, y)
            assert ours._gamma == pytest.approx(theirs._gamma, rel=1e-12)


def test_kernel_functions_and_kernel_values():
    X, y = iris()

    def kernel(a, b):
        return a @ b.T

    expected = csmo.SVC(kernel="linear").fit(X, y).decision_function(X)
    model = csmo.SVC(kernel=kernel).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-3)
    values = X @ X.T
    model = csmo.SVC(kernel="precomputed").fit(values, y)
    np.testing.assert_allclose(model.decision_function(values), expected, atol=1e-3)
    half = model.decision_function(values[:50])
    np.testing.assert_array_equal(half, model.decision_function(values)[:50])
    with pytest.raises(ValueError, match="shape"):
        csmo.SVC(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError):
        model.predict(values[:, :50])


WORDS = ["abc", "b", "", "xyzz", "aa", "bb", "cab", "zy"] * 5


def common_letters(a, b):
    return np.array([[sum(min(s.count(c), t.count(c)) for c in "abcxyz") for t in b] for s in a])


@pytest.mark.parametrize(
    "rows, kernel",
    [
        (WORDS, common_letters),
        (np.array(WORDS), common_letters),
        (np.array(WORDS, dtype=object), common_letters),
        (
            np.array(WORDS, dtype=object).reshape(-1, 1),
            lambda a, b: common_letters(a[:, 0], b[:, 0]),
        ),
        (
            [{"word": word} for word in WORDS],
            lambda a, b: common_letters([row["word"] for row in a], [row["word"] for row in b]),
        ),
        (np.where(np.eye(40)[:, :3] > 0, np.nan, 1), lambda a, b: np.isnan(a) @ np.isnan(b).T * 1),
        (np.eye(40, dtype=int), lambda a, b: (a @ b.T) * (a.dtype == b.dtype == int)),
        (sp.csc_matrix(np.eye(40)[:, :7]), lambda a, b: a @ b.T),
    ],
    ids=["list", "strings", "objects", "column", "dicts", "nan", "integers", "sparse"],
)
def test_a_kernel_function_gets_rows_of_any_kind(rows, kernel):
    y = np.arange(40) % 3
    for name in ("SVC", "SVR", "OneClassSVM"):
        ours, theirs = both(name, kernel=kernel)
        ours.fit(rows, y, sample_weight=1 + y)
        theirs.fit(rows, y, sample_weight=1 + y)
        answer = "predict" if name == "SVR" else "decision_function"
        expected = getattr(theirs, answer)(rows)
        np.testing.assert_allclose(
            getattr(ours, answer)(rows), expected, atol=2e-2 * np.abs(expected).max() + 2e-3
        )
        assert ours.shape_fit_ == theirs.shape_fit_ and ours._gamma == theirs._gamma
        assert hasattr(ours, "n_features_in_") == hasattr(theirs, "n_features_in_")
        assert type(ours.dual_coef_) is type(theirs.dual_coef_)
    scores = [
        GridSearchCV(estimator, {"C": [1, 10]}, cv=2).fit(rows, y).cv_results_["mean_test_score"]
        for estimator in both("SVC", kernel=kernel)
    ]
    search = csmo.GridSearchSVC(csmo.SVC(kernel=kernel), {"C": [1, 10]}, cv=2).fit(rows, y)
    np.testing.assert_allclose(scores[0], scores[1], atol=0.03)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], scores[0], atol=0.03)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        csmo.SVC(kernel=kernel).fit(rows, y[:-1])


def test_kernels_of_a_wrong_shape():
    X, y = iris()
    for kernel in (
        lambda a, b: a[:-7] @ b.T,
        lambda a, b: np.vstack([a, a]) @ b.T,
        lambda a, b: a @ b[:-1].T,
        lambda a, b: np.ones(len(a)),
    ):
        with pytest.raises(ValueError, match="shape"):
            csmo.SVC(kernel=kernel).fit(X, y)
        with pytest.raises(ValueError, match="shape"):
            csmo.GridSearchSVC(csmo.SVC(kernel=kernel), {"C": [1]}).fit(X, y)


def problem_of_classes(classes, kind):
    """Overlapping classes; the first row belongs to the last one."""
    draws = np.random.default_rng(classes)
    numbers = (np.arange(240)[::-1] + 7 * (np.arange(240) % 11)) % classes
    numbers[:classes] = np.arange(classes)[::-1]
    centres = draws.normal(size=(classes, 5))
    X = centres[numbers] + draws.normal(size=(240, 5))
    if kind == "strings":
        return X, np.array([f"class {c:02}" for c in range(classes)])[numbers]
    return X, numbers - 1  # for two classes: 0 and -1


@pytest.mark.parametrize("kernel", ["sigmoid", "rbf", "poly"])
@pytest.mark.parametrize("kind", ["numbers", "strings"])
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_classes_are_sorted_before_training(classes, kind, kernel):
    """LIBSVM's steps are scikit-learn's only if the same class is the positive one of each pair.
    For a kernel that is not positive definite, such as the sigmoid, the optimum depends on it."""
    X, y = problem_of_classes(classes, kind)
    weights = 1 + np.arange(len(y)) % 3
    ours, theirs = both("SVC", kernel=kernel, class_weight="balanced")
    ours.set_params(solver="smo").fit(X, y, sample_weight=weights)
    theirs.fit(X, y, sample_weight=weights)
    for attribute in ("classes_", "support_", "n_support_", "n_iter_"):
        np.testing.assert_array_equal(getattr(ours, attribute), getattr(theirs, attribute))
    for attribute in ("dual_coef_", "intercept_", "class_weight_"):
        expected = getattr(theirs, attribute)
        size = np.abs(expected).max(initial=0)
        np.testing.assert_allclose(getattr(ours, attribute), expected, atol=1e-6 * size)
    for shape in ("ovr", "ovo"):
        ours.decision_function_shape = theirs.decision_function_shape = shape
        expected = theirs.decision_function(X)
        size = np.abs(expected).max()
        np.testing.assert_allclose(ours.decision_function(X), expected, atol=1e-6 * size)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("classes", [2, 3])
def test_results_do_not_depend_on_the_first_label(classes):
    """Classes are trained in their order, whatever the label of the first row is."""
    X, y = problem_of_classes(classes, "numbers")
    rows = np.argsort(y, kind="stable")
    model = csmo.SVC(kernel="sigmoid", gamma=0.1, probability=True, random_state=0)
    expected = model.fit(X[rows], y[rows])
    values = expected.decision_function(X)
    probabilities = expected.predict_proba(X)
    model = clone(model).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), values)
    np.testing.assert_array_equal(model.predict_proba(X), probabilities)


def test_iterations_are_in_the_order_of_the_classes():
    X, y = load_iris(return_X_y=True)
    model = csmo.SVC(C=100, solver="smo")
    counts = model.fit(X, y).n_iter_
    np.testing.assert_array_equal(counts, svm.SVC(C=100).fit(X, y).n_iter_)
    assert counts.argmax() == 2  # the second and the third class overlap
    rows = np.argsort(y)[::-1]
    assert model.fit(X[rows], y[rows]).n_iter_.argmax() == 2


def test_gamma_of_sparse_floats():
    X = (1000 + np.random.default_rng(0).normal(size=(3000, 4)) * 0.05).astype(np.float32)
    y = np.arange(3000) % 2
    dense = csmo.SVC(max_iter=1)
    sparse = csmo.SVC(max_iter=1)
    with pytest.warns(ConvergenceWarning):
        dense.fit(X, y)
        sparse.fit(sp.csr_matrix(X), y)
    assert sparse._gamma == pytest.approx(dense._gamma, rel=1e-6)


def test_doubled_entries_of_a_sparse_matrix():
    X = sp.csr_matrix(([1.0, 2, 3, 4, 1], [2, 0, 0, 1, 1], [0, 3, 5]), shape=(2, 3))
    model = csmo.SVC(kernel="linear").fit(X, [0, 1])
    dense = csmo.SVC(kernel="linear").fit(X.toarray(), [0, 1])
    np.testing.assert_array_equal(model.predict(X), dense.predict(X.toarray()))


def test_a_class_whose_rows_have_no_weight():
    X, y = iris()
    weights = (y != "versicolor") * 1.0
    model = csmo.SVC(kernel="linear", probability=True).fit(X, y, sample_weight=weights)
    assert set(model.predict(X)) == {"setosa", "virginica"}
    assert (model.predict_proba(X)[:, 1] == 0).all()
    assert np.isneginf(model.decision_function(X)[:, 1]).all()
    assert model.coef_.shape == (1, 4)
    assert model.n_support_[1] == 0 and (model.n_support_[[0, 2]] > 0).all()


def test_a_class_without_cost_has_no_support_vectors():
    X, y = breast_cancer()
    model = csmo.SVC(class_weight={0: 2, 1: 0}, kernel="linear").fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert len(model.support_) == 0
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


def test_weights_of_rows_and_classes():
    X, y = breast_cancer()
    weights = np.random.default_rng(0).uniform(0, 3, len(y))
    weights[:20] = 0
    for options in ({}, {"class_weight": "balanced"}, {"class_weight": {0: 5}}):
        for name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"):
            if options and name != "SVC":
                continue
            ours, theirs = both(name, tol=TIGHT, **options)
            ours.fit(X, y, sample_weight=weights)
            theirs.fit(X, y, sample_weight=weights)
            answer = "predict" if name in ("SVR", "NuSVR") else "decision_function"
            expected = getattr(theirs, answer)(X)
            np.testing.assert_allclose(
                getattr(ours, answer)(X), expected, atol=1e-3 * np.abs(expected).max()
            )
    with pytest.raises(ValueError, match="zero or negative"):
        csmo.SVC().fit(X, y, sample_weight=np.zeros(len(y)))


def test_probabilities():
    X, y = iris()
    model = csmo.SVC(probability=True, random_state=3).fit(X, y)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    theirs = svm.SVC(probability=True, random_state=3).fit(X, y).predict_proba(X)
    assert np.abs(probabilities - theirs).mean() < 0.05  # other folds
    assert (model.classes_[probabilities.argmax(axis=1)] == y).mean() > 0.95
    np.testing.assert_allclose(model.predict_log_proba(X), np.log(probabilities))
    assert model.probA_.shape == model.probB_.shape == (3,)
    again = csmo.SVC(probability=True, random_state=3, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), probabilities)
    assert model.n_iter_.shape == (3,)
    assert not hasattr(csmo.SVC(), "predict_proba")


def test_shapes_of_decisions():
    X, y = digits()
    model = csmo.SVC(decision_function_shape="ovo").fit(X, y)
    assert model.decision_function(X[:5]).shape == (5, 45)
    model.decision_function_shape = "ovr"
    assert model.decision_function(X[:5]).shape == (5, 10)
    model.break_ties = True
    values = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[values.argmax(axis=1)])


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_pickles_predict_to_the_last_bit(name):
    X, y = iris()
    y = np.unique(y, return_inverse=True)[1]
    model = getattr(csmo, name)().fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    answer = "predict" if name in ("SVR", "NuSVR") else "decision_function"
    np.testing.assert_array_equal(getattr(copy, answer)(X), getattr(model, answer)(X))
    np.testing.assert_array_equal(copy.support_, model.support_)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_in_searches_and_pipelines():
    X, y = digits()
    search = GridSearchCV(csmo.SVC(), {"C": [1, 10], "gamma": [0.01, 0.1]}, cv=3, n_jobs=2)
    theirs = GridSearchCV(svm.SVC(), {"C": [1, 10], "gamma": [0.01, 0.1]}, cv=3)
    np.testing.assert_allclose(
        search.fit(X, y).cv_results_["mean_test_score"],
        theirs.fit(X, y).cv_results_["mean_test_score"],
        atol=2e-3,
    )
    assert cross_val_score(make_pipeline(StandardScaler(), csmo.SVC()), X, y).mean() > 0.9


def test_an_early_end_is_a_warning():
    X, y = make_classification(400, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter=3"):
        model = csmo.SVC(max_iter=3, solver="smo").fit(X, y)
    assert model.fit_status_ == 1 and (model.n_iter_ <= 3).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert csmo.SVC().fit(X, y).fit_status_ == 0


def test_steps_are_counted():
    X, y = make_classification(400, random_state=0)
    smo, csmo_ = (csmo.SVC(C=100, solver=solver).fit(X, y) for solver in ("smo", "csmo"))
    assert smo.step_counts_ == {
        "conjugate": 0, "clipped": 0, "plain": smo.n_iter_.sum(), "phases": 0, "outer": 0,
    }  # fmt: skip
    counts = csmo_.step_counts_
    assert counts["conjugate"] > counts["clipped"] >= 0
    assert counts["conjugate"] + counts["plain"] + counts["outer"] == csmo_.n_iter_.sum()


def test_threads_change_nothing():
    X, y = digits()
    values = [csmo.SVC(n_jobs=n).fit(X, y).decision_function(X) for n in (1, 2, -1, None)]
    for other in values[1:]:
        np.testing.assert_array_equal(other, values[0])
