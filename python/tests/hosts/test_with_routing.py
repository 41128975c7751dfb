"""Metadata routing: weights reach the estimators that ask for them, and no others."""

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn", minversion="1.6")  # routing in all estimators of below

from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.compose import TransformedTargetRegressor  # noqa: E402
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingRegressor  # noqa: E402
from sklearn.exceptions import UnsetMetadataPassedError  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_validate  # noqa: E402
from sklearn.multiclass import OneVsRestClassifier  # noqa: E402
from sklearn.multioutput import MultiOutputRegressor  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402

CLASSIFIERS = ["SVC", "NuSVC", "LinearSVC", "ForestSVC", "NystroemSVC"]
REGRESSORS = ["SVR", "NuSVR", "LinearSVR", "ForestSVR"]


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def data(name):
    """Rows, targets and weights, of which a third is 0."""
    X, y = diabetes() if name in REGRESSORS else iris()
    return X, y, np.arange(len(X)) % 3 * 0.7


def machine(name, wanted=True):
    model = getattr(csmo, name)()
    model.set_params(**{"random_state": 0} if hasattr(model, "random_state") else {})
    return model.set_fit_request(sample_weight=wanted)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", [*CLASSIFIERS, *REGRESSORS, "OneClassSVM"])
def test_pipelines(name):
    X, y, weights = data(name)
    for wanted, passed in ((True, weights), (False, None)):
        scaler = StandardScaler().set_fit_request(sample_weight=not wanted)
        model = make_pipeline(scaler, machine(name, wanted)).fit(X, y, sample_weight=weights)
        rows = model[:-1].transform(X)
        expected = clone(model[-1]).fit(rows, y, sample_weight=passed)
        np.testing.assert_array_equal(model.predict(X), expected.predict(rows))
    with pytest.raises(UnsetMetadataPassedError, match=f"{name}.fit"):
        make_pipeline(scaler, getattr(csmo, name)()).fit(X, y, sample_weight=weights)


OUTER = {
    "bagging": lambda inner: BaggingClassifier(inner, n_estimators=2, random_state=0),
    "calibrated": lambda inner: CalibratedClassifierCV(inner, ensemble=False),
    "one against the rest": OneVsRestClassifier,
    "stacking": lambda inner: StackingClassifier([("svc", inner)], final_estimator=clone(inner)),
}


@pytest.mark.parametrize("outer", OUTER)
def test_estimators_of_classifiers(outer):
    X, y, weights = data("SVC")
    values = []
    for library, options in (
        (csmo, {"sample_weight": weights}),
        (svm, {"sample_weight": weights}),
        (csmo, {}),
    ):
        model = library.SVC(tol=1e-6).set_fit_request(sample_weight=True)
        model = OUTER[outer](model).fit(X, y, **options)
        values.append(
            getattr(model, "predict_proba" if outer == "calibrated" else "decision_function")(X)
        )
    np.testing.assert_allclose(values[0], values[1], atol=1e-3)
    assert abs(values[0] - values[2]).max() > 0.05


@pytest.mark.parametrize(
    "outer",
    [
        TransformedTargetRegressor,
        lambda inner: VotingRegressor([("svr", inner)]),
        MultiOutputRegressor,
    ],
)
def test_estimators_of_regressors(outer):
    X, y, weights = data("SVR")
    model = outer(machine("SVR"))
    model.fit(X, y[:, None] if outer is MultiOutputRegressor else y, sample_weight=weights)
    expected = csmo.SVR().fit(X, y, sample_weight=weights).predict(X)
    np.testing.assert_allclose(model.predict(X).ravel(), expected, rtol=1e-9)


def test_scores():
    X, y, weights = data("SVC")
    model = machine("SVC").set_score_request(sample_weight=True)
    found = cross_validate(model, X, y, params={"sample_weight": weights}, return_indices=True)
    for score, train, test in zip(found["test_score"], *found["indices"].values()):
        fitted = csmo.SVC().fit(X[train], y[train], sample_weight=weights[train])
        assert score == fitted.score(X[test], y[test], sample_weight=weights[test])


@pytest.mark.filterwarnings("ignore::csmo.SearchNote")
@pytest.mark.parametrize("scored", [True, False])
def test_searches(scored):
    X, y, weights = data("SVC")
    model = machine("SVC").set_score_request(sample_weight=scored)
    grid = {"C": [0.1, 1, 10]}
    found = csmo.GridSearchSVC(model, grid).fit(X, y, sample_weight=weights)
    theirs = GridSearchCV(model, grid).fit(X, y, sample_weight=weights)
    for key in ("mean_test_score", "std_test_score"):
        np.testing.assert_allclose(found.cv_results_[key], theirs.cv_results_[key], rtol=1e-12)
    with pytest.raises(UnsetMetadataPassedError, match="SVC.fit"):
        csmo.GridSearchSVC(csmo.SVC(), grid).fit(X, y, sample_weight=weights)
