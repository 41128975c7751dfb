"""Probabilities: of classes, of calibrated classifiers, and of a single class."""

import pickle
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.datasets import load_svmlight_file, make_moons  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402

import csmo  # noqa: E402
from reference import both, iris  # noqa: E402


def future_warnings(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function()
    return result, [str(w.message) for w in caught if w.category is FutureWarning]


@pytest.mark.parametrize("options", [{}, {"probability": True}, {"probability": False}])
@pytest.mark.parametrize("name", ["SVC", "NuSVC"])
def test_probability_is_deprecated_if_scikit_learn_deprecates_it(name, options):
    X, y = make_moons(80, noise=0.2, random_state=0)
    (ours, our_texts), (theirs, their_texts) = (
        future_warnings(lambda: estimator.fit(X, y)) for estimator in both(name, **options)
    )
    assert len(our_texts) == len(their_texts)
    assert ours.get_params()["probability"] == theirs.get_params()["probability"]
    assert hasattr(ours, "predict_proba") == hasattr(theirs, "predict_proba")
    assert hasattr(ours, "predict_proba") == options.get("probability", False)
    if our_texts:
        assert f"CalibratedClassifierCV({name}(), ensemble=False)" in our_texts[0]
    if options.get("probability"):
        assert ours.predict_proba(X).shape == (80, 2)
    for attribute in ("probA_", "probB_"):
        counts = [len(future_warnings(lambda: getattr(e, attribute))[1]) for e in (ours, theirs)]
        assert counts[0] == counts[1]


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
