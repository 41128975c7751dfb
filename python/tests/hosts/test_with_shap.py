"""SHAP explains the functions of the estimators."""

import numpy as np
import pytest

shap = pytest.importorskip("shap")

from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import breast_cancer, diabetes, iris  # noqa: E402


def check_sums(values, base, expected):
    """The values of the features of a row sum up to the function's difference from its mean."""
    np.testing.assert_allclose(np.sum(values, axis=1) + base, expected, atol=1e-9)
    assert np.abs(values).max() > 0.01


def test_probabilities():
    X, y = iris()
    model = CalibratedClassifierCV(csmo.SVC(), ensemble=False).fit(X, y)
    explainer = shap.KernelExplainer(model.predict_proba, X[::15])
    values = explainer.shap_values(X[:3], silent=True)
    assert values.shape == (3, 4, 3)
    check_sums(values, explainer.expected_value, model.predict_proba(X[:3]))


@pytest.mark.parametrize("name", ["SVC", "SVR", "OneClassSVM"])
def test_as_for_scikit_learns_estimators(name):
    X, y = breast_cancer() if name == "SVC" else diabetes()
    X = X[:, :5]
    model = make_pipeline(StandardScaler(), getattr(csmo, name)()).fit(X, y)
    theirs = make_pipeline(model[0], model[-1].to_sklearn())
    found = []
    for each in (model, theirs):
        function = each.predict if name == "SVR" else each.decision_function
        explainer = shap.KernelExplainer(function, X[::40])
        found.append(explainer.shap_values(X[:4], silent=True))
        check_sums(found[-1], explainer.expected_value, function(X[:4]))
    np.testing.assert_allclose(found[0], found[1], atol=1e-9)


def test_the_explainer_that_shap_chooses():
    X, y = breast_cancer()
    X = X[:, :4]
    model = csmo.SVC().fit(X, y)
    found = shap.Explainer(model.decision_function, X[::20])(X[:3])
    check_sums(found.values, found.base_values, model.decision_function(X[:3]))


def test_linear_models():
    X, y = breast_cancer()
    model = csmo.LinearSVC(random_state=0).fit(X, y)
    explainer = shap.LinearExplainer(model, X)
    expected = explainer.expected_value
    check_sums(explainer.shap_values(X[:5]), expected, model.decision_function(X[:5]))
