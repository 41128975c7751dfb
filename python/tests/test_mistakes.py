"""Errors of the estimators; they are scikit-learn's if it has them."""

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402

import csmo  # noqa: E402
from reference import both, breast_cancer, iris  # noqa: E402

# scikit-learn 1.9 and later
C_MAY_BE_INFINITE = np.inf in svm.SVC._parameter_constraints["C"][0]
WRONG = [
    {"C": "1"}, {"C": np.inf}, {"C": -1}, {"C": 0}, {"C": np.nan}, {"C": None},
    {"nu": 0}, {"nu": 1.5}, {"nu": "half"}, {"epsilon": -1}, {"epsilon": "thin"},
    {"kernel": "cosine"}, {"kernel": 3}, {"degree": 2.5}, {"degree": -1}, {"gamma": "wide"},
    {"gamma": -1.0}, {"gamma": np.inf}, {"coef0": "a"}, {"coef0": np.inf}, {"tol": 0},
    {"tol": "fine"}, {"cache_size": 0}, {"max_iter": -2}, {"max_iter": 2.5},
    {"shrinking": "no"}, {"probability": "yes"}, {"class_weight": "even"}, {"class_weight": [1]},
    {"verbose": "a"}, {"random_state": "a"}, {"break_ties": "no"},
    {"decision_function_shape": "x"},
]  # fmt: skip


@pytest.mark.parametrize(
    "name, options",
    [
        (name, options)
        for name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM")
        for options in WRONG
        if options.keys() <= getattr(svm, name)().get_params().keys()
        and not (options == {"C": np.inf} and C_MAY_BE_INFINITE)
    ],
)
def test_wrong_parameters_are_told_as_by_scikit_learn(name, options):
    X, y = iris()
    y = np.unique(y, return_inverse=True)[1]
    found = []
    for estimator in both(name, **options):
        with pytest.raises(ValueError) as caught:
            estimator.fit(X, y)
        found.append((caught.type, str(caught.value)))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "options, text",
    [
        ({"solver": "adam"}, "'solver' parameter of SVC .* Got 'adam' instead"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"n_jobs": "all"}, "'n_jobs' parameter of SVC .* Got 'all' instead"),
        ({"max_iter": 0}, "max_iter"),
    ],
)
def test_faults(options, text):
    X, y = iris()
    with pytest.raises(ValueError, match=text):
        csmo.SVC(**options).fit(X, y)


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
@pytest.mark.parametrize("weight", [0, -1])
def test_weights_that_leave_nothing(name, weight):
    X, y = breast_cancer()
    text = "specified nu is infeasible" if name == "NuSVC" else "Invalid input - all samples have"
    with pytest.raises(ValueError, match=text):
        getattr(csmo, name)().fit(X, y, sample_weight=np.full(len(y), weight))


@pytest.mark.parametrize("name", ["SVC", "NuSVC"])
@pytest.mark.parametrize("other", [0, -1])
def test_weights_that_leave_one_class(name, other):
    X, y = breast_cancer()
    texts = []
    for estimator in both(name):
        with pytest.raises(ValueError) as caught:
            estimator.fit(X, y, sample_weight=np.where(y == 0, 1, other))
        texts.append(str(caught.value))
    assert texts[0].startswith(texts[1]) and "belong to the same class" in texts[0]


@pytest.mark.parametrize("method", ["predict_proba", "predict_log_proba"])
@pytest.mark.parametrize("name", ["SVC", "NuSVC"])
def test_probabilities_that_are_not_there(name, method):
    X, y = iris()
    texts = []
    for estimator in both(name, **({"nu": 0.1} if name == "NuSVC" else {})):
        estimator.fit(X, y)
        assert not hasattr(estimator, method)
        with pytest.raises(AttributeError) as caught:
            getattr(estimator, method)(X)
        texts.append(str(caught.value))
        estimator.probability = True
        assert hasattr(estimator, method)
        with pytest.raises(NotFittedError) as caught:
            getattr(estimator, method)(X)
        texts.append(str(caught.value))
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            getattr(clone(estimator), method)(X)
    assert texts[:2] == texts[2:]


def test_infeasible_nu():
    X, y = make_classification(200, weights=[0.9], random_state=0)
    with pytest.raises(ValueError, match="specified nu is infeasible"):
        csmo.NuSVC(nu=0.9).fit(X, y)


@pytest.mark.parametrize(
    "estimator, rows, y, text",
    [
        (csmo.SVC(kernel="precomputed"), [[2, 1], [0, 2]], [0, 1], "is not symmetric"),
        (
            csmo.SVC(solver="smo", kernel="poly", degree=2, gamma=1),
            [[1, 9999], [2, 9999]],
            [0, 1],
            "smo ended at a KKT violation of",
        ),
        (
            csmo.OneClassSVM(nu=1e-4, gamma=1e-3),
            make_classification(30, random_state=0)[0],
            None,
            "nu is below 1 / rows",
        ),
    ],
)
def test_notes_of_the_library_are_warnings(estimator, rows, y, text):
    with pytest.warns(UserWarning, match=text) as caught:
        estimator.fit(np.array(rows, dtype=float), y)
    assert [warning.category for warning in caught] == [UserWarning]
