"""Compares GridSearchSVC with scikit-learn's GridSearchCV over the same estimators."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import csmo

FINE = {"tol": 1e-7}


def wine():
    X, y = load_wine(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(y))
    return X[order], np.array(["red", "white", "rose"])[y[order]]


def fitted(kind, estimator, grid, X, y, fit_params, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(estimator, grid, **options).fit(X, y, **fit_params)


def compare(estimator, grid, X, y, fit_params={}, engine="csmo", tolerance=1e-7, **options):
    """Both searches have the same results; the folds are few, so any other prediction is seen."""
    kinds = csmo.GridSearchSVC, GridSearchCV
    data = X, y, fit_params
    return compare_kinds(*kinds, estimator, grid, *data, engine, tolerance, options)


def compare_kinds(
    kind, peer, estimator, grid, X, y, fit_params={}, engine="csmo", tolerance=1e-7, options={}
):
    ours = fitted(kind, estimator, grid, X, y, fit_params, options)
    theirs = fitted(peer, estimator, grid, X, y, fit_params, options)
    assert ours.engine_.startswith(engine)
    assert set(ours.cv_results_) == set(theirs.cv_results_)
    assert str(ours.cv_results_["params"]) == str(theirs.cv_results_["params"])
    for name, values in theirs.cv_results_.items():
        if "_test_" in name or "_train_" in name:
            np.testing.assert_allclose(
                ours.cv_results_[name], values, rtol=tolerance, atol=tolerance, err_msg=name
            )
    for name in ("best_index_", "best_score_", "best_params_", "n_splits_", "multimetric_"):
        assert hasattr(ours, name) == hasattr(theirs, name), name
        if name != "best_score_":
            assert str(getattr(ours, name, None)) == str(getattr(theirs, name, None)), name
    assert np.shape(ours.scorer_) == np.shape(theirs.scorer_)
    if hasattr(theirs, "best_estimator_"):
        assert isinstance(ours.best_estimator_, type(theirs.best_estimator_))
        predicted, expected = ours.predict(X), theirs.predict(X)
        if predicted.dtype.kind == "f":
            np.testing.assert_allclose(predicted, expected, rtol=1e-4)
        else:
            np.testing.assert_array_equal(predicted, expected)
            assert ours.score(X, y) == pytest.approx(theirs.score(X, y))
    else:
        assert not hasattr(ours, "best_estimator_")
    return ours


SCALED = Pipeline([("scaler", StandardScaler()), ("svc", csmo.SVC(**FINE))])
