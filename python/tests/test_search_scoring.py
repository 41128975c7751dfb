"""What scores a search, and which searches are left to scikit-learn."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn import svm  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402

from searches import FINE, SCALED, compare, wine  # noqa: E402


def best_of_simple(results):
    return int(np.argmin(results["mean_test_score"]))


def share_of_red(estimator, X, y):
    return float(np.mean(estimator.predict(X) == "red"))


def several(estimator, X, y):
    return {"red": share_of_red(estimator, X, y), "rows": len(X)}


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "f1_macro"},
        {"scoring": ["accuracy", "f1_macro"], "refit": "f1_macro"},
        {"scoring": ("accuracy", "f1_macro"), "refit": False},
        {"scoring": {"a": "accuracy", "b": share_of_red}, "refit": "b"},
        {"scoring": share_of_red},
        {"scoring": several, "refit": "red"},
        {"refit": best_of_simple},
        {"refit": False},
        {"error_score": 0, "cv": 3, "n_jobs": 2, "pre_dispatch": 2},
    ],
)
def test_scoring_by_predictions(options):
    compare(SCALED, {"svc__C": [0.01, 1], "svc__gamma": [0.1]}, *wine(), **options)


def needs_support(estimator, X, y):
    return float(len(estimator[-1].support_))


def needs_values(estimator, X, y):
    return float(np.abs(estimator.decision_function(X)).max())


def other_rows(estimator, X, y):
    return float(np.mean(estimator.predict(X * 0.5) == y))


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "roc_auc_ovr"},
        {"scoring": "neg_log_loss"},
        {"scoring": ["accuracy", "roc_auc_ovo"], "refit": "accuracy"},
        {"scoring": needs_support},
        {"scoring": needs_values},
        {"scoring": other_rows},
        {"return_train_score": True},
    ],
)
def test_what_the_engine_cannot_do(options):
    pipeline = make_pipeline(
        StandardScaler(), csmo.SVC(probability=True, random_state=0, n_jobs=1, **FINE)
    )
    grid = {"svc__C": [0.01, 1]}
    X, y = wine()
    compare(pipeline, grid, X, y, engine="scikit-learn: ", **options)
    with pytest.warns(csmo.SearchNote, match="slower"):
        csmo.GridSearchSVC(pipeline, grid, **options).fit(X, y)
    with pytest.raises(ValueError, match="cells="):
        csmo.GridSearchSVC(pipeline, grid, cells=100, **options).fit(X, y)


def test_scoring_by_values_of_two_classes():
    X, y = wine()
    X, y = X[y != "rose"], y[y != "rose"]
    for scoring in ("roc_auc", "average_precision"):
        labels = np.where(y == "red", 1, 0)
        compare(SCALED, {"svc__C": [0.01, 1]}, X, labels, engine="scikit-learn", scoring=scoring)
    search = compare(SCALED, {"svc__C": [1e-4, 1]}, X, labels, scoring="f1", cv=3)
    assert search.decision_function(X).shape == (len(X),)


def test_other_estimators():
    X, y = wine()
    grid = {"svc__C": [0.01, 1]}
    compare(
        make_pipeline(StandardScaler(), svm.SVC()), grid, X, y, engine="scikit-learn: sklearn.SVC"
    )
    compare(svm.SVC(), {"C": [0.01, 1]}, X, y, engine="scikit-learn: sklearn.SVC")

    class OtherSteps(Pipeline):
        pass

    other = OtherSteps(SCALED.steps)
    compare(other, grid, X, y, engine=f"scikit-learn: {__name__}.OtherSteps")
    mixed = {"svc": [csmo.SVC(), svm.SVC()]}
    compare(SCALED, mixed, X, y, engine="scikit-learn: sklearn.SVC")
    compare(csmo.SVC(break_ties=True), {"C": [0.01, 1]}, X, y, engine="scikit-learn: break_ties")

    class Contrary(csmo.SVC):
        def predict(self, X):
            return super().predict(X)[::-1]

    compare(Contrary(), {"C": [0.01, 1]}, X, y, engine=f"scikit-learn: {__name__}.Contrary")
    compare(
        csmo.OneClassSVM(),
        {"nu": [0.1, 0.5]},
        X,
        np.ones(len(X)),
        engine="scikit-learn",
        scoring="accuracy",
    )


def test_a_search_can_be_pickled_and_is_of_the_size_of_its_model():
    X, y = wine()
    for scoring in (None, share_of_red):
        search = csmo.GridSearchSVC(SCALED, {"svc__C": [1]}, scoring=scoring).fit(X, y)
        again = pickle.loads(pickle.dumps(search))
        np.testing.assert_array_equal(again.predict(X), search.predict(X))
        assert again.score(X, y) == search.score(X, y)
    assert b"Replay" not in pickle.dumps(search)


def test_times_are_averages():
    X, y = wine()
    search = csmo.GridSearchSVC(
        SCALED, {"svc__C": [0.1, 1], "svc__gamma": [0.01, 0.1, "scale"]}
    ).fit(X, y)
    fits = search.cv_results_["mean_fit_time"] * 5
    assert (fits > 0).all() and fits.sum() <= search.search_time_
