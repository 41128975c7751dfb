"""Probabilities: of classes, of calibrated classifiers, and of a single class."""

import copy
import pickle
import re
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.datasets import load_svmlight_file, make_moons  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402

import csmo  # noqa: E402
from reference import both, iris  # noqa: E402


def outcome(function):
    """What a step gives, as far as two estimators must agree: the name of its exception, or whether
    it has a result and of which shape; and the categories of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = getattr(function(), "shape", None)
        except (AttributeError, NotFittedError, ValueError) as error:
            result = type(error).__name__
    # NuSVC cannot be fitted to some data without a warning, which is no matter here.
    kinds = [w.category.__name__ for w in caught if "onverge" not in w.category.__name__]
    return result, kinds


def subclass(kind):
    """A class of a user."""
    return type("Mine", (kind,), {"__init__": kind.__init__})


X_MOONS, Y_MOONS = make_moons(80, noise=0.2, random_state=0)
STEPS = {
    "predict_proba before fit": lambda e: e.predict_proba(X_MOONS),
    "fit": lambda e: e.fit(X_MOONS, Y_MOONS),
    "predict_proba": lambda e: e.predict_proba(X_MOONS),
    "predict_log_proba": lambda e: e.predict_log_proba(X_MOONS),
    "hasattr": lambda e: np.zeros(int(hasattr(e, "predict_proba"))),
    "probA_": lambda e: e.probA_,
    "probB_": lambda e: e.probB_,
    "predict": lambda e: e.predict(X_MOONS),
    "clone": clone,
    "copy": copy.deepcopy,
    "fit again": lambda e: e.fit(X_MOONS, Y_MOONS),
    "cross validation": lambda e: cross_val_score(e, X_MOONS, Y_MOONS, cv=3),
    "calibration": lambda e: CalibratedClassifierCV(e, cv=3, ensemble=False).fit(X_MOONS, Y_MOONS),
    "True after fit": lambda e: e.set_params(probability=True).predict_proba(X_MOONS),
    "fit with True": lambda e: e.fit(X_MOONS, Y_MOONS).predict_proba(X_MOONS),
    "False after fit": lambda e: e.set_params(probability=False).predict_proba(X_MOONS),
    "nonsense": lambda e: e.set_params(probability="yes").fit(X_MOONS, Y_MOONS),
}


@pytest.mark.parametrize("derive", [lambda kind: kind, subclass], ids=["itself", "subclass"])
@pytest.mark.parametrize("given", [None, True, False, "deprecated"])
@pytest.mark.parametrize("name", ["SVC", "NuSVC"])
def test_probability_is_deprecated_as_in_scikit_learn(name, given, derive):
    """Every step says the same number of the same warnings, and has what scikit-learn has."""
    if given == "deprecated" != csmo.SVC().probability:
        pytest.skip("the installed scikit-learn does not deprecate the parameter")
    options = {} if given is None else {"probability": given}
    ours, theirs = (derive(type(estimator))(**options) for estimator in both(name))
    assert ours.get_params()["probability"] == theirs.get_params()["probability"]
    for step, function in STEPS.items():
        found, expected = outcome(lambda: function(ours)), outcome(lambda: function(theirs))
        assert found == expected, step


@pytest.mark.parametrize("name", ["SVR", "NuSVR", "OneClassSVM"])
def test_other_estimators_have_no_deprecated_probability(name):
    for estimator in both(name):
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            estimator.fit(X_MOONS, Y_MOONS)
        assert not hasattr(estimator, "predict_proba")


def test_the_warning_says_what_to_use_instead():
    if csmo.SVC().probability != "deprecated":
        pytest.skip("the installed scikit-learn does not deprecate the parameter")
    for name in ("SVC", "NuSVC"):
        text = re.escape(f"CalibratedClassifierCV({name}(), ensemble=False)")
        with pytest.warns(FutureWarning, match=text):
            getattr(csmo, name)(probability=True).fit(X_MOONS, Y_MOONS)


@pytest.mark.parametrize("ensemble", [False, True])
@pytest.mark.parametrize("name", ["SVC", "NuSVC", "LinearSVC"])
def test_calibrated_classifiers(name, ensemble):
    X, y = iris()
    weights = 1 + 9.0 * (np.arange(len(y)) % 4 == 0)
    options = {"nu": 0.1} if name == "NuSVC" else {}
    found = []
    for sample_weight in (weights, None):
        model = CalibratedClassifierCV(getattr(csmo, name)(**options), ensemble=ensemble, cv=3)
        model.fit(X, y, sample_weight=sample_weight)
        found.append(model.predict_proba(X))
    np.testing.assert_allclose(found[0].sum(axis=1), 1)
    assert (model.classes_[found[0].argmax(axis=1)] == y).mean() > 0.9
    assert np.abs(found[0] - found[1]).max() > 0.01  # weights matter
    if name in ("SVC", "NuSVC"):
        theirs = CalibratedClassifierCV(both(name, **options)[1], ensemble=ensemble, cv=3)
        expected = theirs.fit(X, y, sample_weight=weights).predict_proba(X)
        np.testing.assert_allclose(found[0], expected, atol=0.01)


@pytest.mark.parametrize("nu", [0.2, 0.5, 0.8])
def test_one_class_probabilities_are_those_of_the_programs(nu, small, run_program, tmp_path):
    model, output = tmp_path / "model", tmp_path / "output"
    words = ["-q", "-s", 2, "-b", 1, "-n", nu, "-g", 0.25]
    assert run_program("svm-train", *words, small, model).returncode == 0
    assert run_program("svm-predict", "-b", 1, small, model, output).returncode == 0
    first, *lines = output.read_text().splitlines()
    assert first == "label normal outlier"
    expected = np.array([[float(word) for word in line.split()] for line in lines])
    X, _ = load_svmlight_file(str(small))
    ours = csmo.OneClassSVM(nu=nu, gamma=0.25, probability=True, solver="smo").fit(X)
    for estimator in (ours, pickle.loads(pickle.dumps(ours))):
        np.testing.assert_allclose(estimator.predict_proba(X), expected[:, 1:], rtol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), expected[:, 0])
    values = csmo.OneClassSVM(nu=nu, gamma=0.25, probability=True).fit(X).predict_proba(X)
    # Support vectors are at the boundary, on either side of it, and LIBSVM counts by sides.
    assert np.abs(values - expected[:, 1:]).mean() < 0.06
    np.testing.assert_allclose(values.sum(axis=1), 1)


def test_one_class_probabilities_that_are_not_there():
    X, _ = iris()
    model = csmo.OneClassSVM().fit(X)
    assert not hasattr(model, "predict_proba")
    model.probability = True
    with pytest.raises(NotFittedError, match="probability=False"):
        model.predict_proba(X)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        csmo.OneClassSVM(probability=True).predict_proba(X)
    with pytest.raises(ValueError, match="'probability' parameter of OneClassSVM"):
        csmo.OneClassSVM(probability="yes").fit(X)
    too_few = csmo.OneClassSVM(probability=True).fit(X[:8])
    with pytest.raises(NotFittedError, match="too few"):
        too_few.predict_proba(X)
    converted = csmo.OneClassSVM(probability=True).fit(X).to_sklearn()
    assert not hasattr(converted, "predict_proba")
