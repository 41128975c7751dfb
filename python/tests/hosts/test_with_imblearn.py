"""imbalanced-learn: its pipelines, its SMOTE by support vectors, and its ensembles."""

import numpy as np
import pytest

pytest.importorskip("imblearn")

from imblearn.ensemble import BalancedBaggingClassifier  # noqa: E402
from imblearn.over_sampling import SMOTE, SVMSMOTE  # noqa: E402
from imblearn.pipeline import make_pipeline  # noqa: E402
from imblearn.under_sampling import InstanceHardnessThreshold  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.metrics import balanced_accuracy_score  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402


def few_of_a_class():
    return make_classification(600, weights=[0.9], random_state=0)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_smote_by_support_vectors(kernel):
    X, y = few_of_a_class()
    found, expected = (
        SVMSMOTE(svm_estimator=library.SVC(kernel=kernel, tol=1e-6), random_state=0)
        for library in (csmo, svm)
    )
    rows, labels = found.fit_resample(X, y)
    assert isinstance(found.svm_estimator_, csmo.SVC)
    others = expected.fit_resample(X, y)
    np.testing.assert_array_equal(found.svm_estimator_.support_, expected.svm_estimator_.support_)
    np.testing.assert_array_equal(rows, others[0])
    np.testing.assert_array_equal(labels, others[1])


def pipeline():
    return make_pipeline(StandardScaler(), SMOTE(random_state=0), csmo.SVC())


def test_pipelines():
    X, y = few_of_a_class()
    model = pipeline().fit(X[:400], y[:400])
    alone = make_pipeline(StandardScaler(), csmo.SVC()).fit(X[:400], y[:400])
    scores = [balanced_accuracy_score(y[400:], each.predict(X[400:])) for each in (model, alone)]
    assert scores[0] > scores[1] > 0.5
    assert model[-1].shape_fit_[0] == 2 * np.bincount(y[:400]).max()


def test_searches_are_those_of_scikit_learn():
    """as the engine does not draw new rows in each fold."""
    X, y = few_of_a_class()
    grid = {"svc__C": [0.1, 1, 10]}
    found = csmo.GridSearchSVC(pipeline(), grid, cv=3, scoring="balanced_accuracy").fit(X, y)
    expected = GridSearchCV(pipeline(), grid, cv=3, scoring="balanced_accuracy").fit(X, y)
    assert found.engine_.startswith("scikit-learn: imblearn.Pipeline")
    key = "mean_test_score"
    np.testing.assert_array_equal(found.cv_results_[key], expected.cv_results_[key])


def test_ensembles_and_samplers_by_probability():
    X, y = few_of_a_class()
    model = BalancedBaggingClassifier(csmo.SVC(), n_estimators=3, random_state=0).fit(X, y)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.8
    judge = CalibratedClassifierCV(csmo.SVC(), ensemble=False)
    rows, labels = InstanceHardnessThreshold(estimator=judge, random_state=0).fit_resample(X, y)
    assert len(rows) == len(labels) < len(y) and (labels == 1).sum() == (y == 1).sum()
