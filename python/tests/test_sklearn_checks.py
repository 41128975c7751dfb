"""scikit-learn's checks of estimators."""

import inspect

import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import csmo  # noqa: E402

ESTIMATORS = [
    csmo.SVC(),
    csmo.NuSVC(),
    csmo.SVR(),
    csmo.NuSVR(),
    csmo.SVC(metric="learned"),
    csmo.SVR(metric="learned"),
    csmo.LearnedMetric(),
    csmo.OneClassSVM(),
    csmo.LinearSVC(),
    csmo.LinearSVR(),
    csmo.NystroemSVC(),
    csmo.ForestSVC(),
    csmo.ForestSVC(cell_size=10, n_trees=3),
    csmo.ForestSVR(),
    csmo.ForestSVR(cell_size=10, n_trees=2),
]

OPTIONS = {}
if "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters:
    # scikit-learn 1.6 and later; before, the estimators have a tag for it.
    OPTIONS["expected_failed_checks"] = lambda estimator: getattr(estimator, "_LEFT_OUT", {})


@parametrize_with_checks(ESTIMATORS, **OPTIONS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
