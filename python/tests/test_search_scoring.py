"""What scores a search, and which searches are left to scikit-learn."""

import itertools
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
import csmo._folds  # noqa: E402

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


def needs_probabilities(estimator, X, y):
    return float(np.abs(estimator.predict_proba(X)).max())


def other_rows(estimator, X, y):
    return float(np.mean(estimator.predict(X * 0.5) == y))


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "roc_auc_ovr"},
        {"scoring": "neg_log_loss"},
        {"scoring": ["accuracy", "roc_auc_ovo"], "refit": "accuracy"},
        {"scoring": needs_support},
        {"scoring": needs_probabilities},
        {"scoring": other_rows},
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


def two_wines():
    X, y = wine()
    noise = np.random.RandomState(1).normal(scale=2, size=X.shape) * X.std(axis=0)
    return (X + noise)[y != "rose"], np.where(y[y != "rose"] == "red", 1, 0)


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "roc_auc"},
        {"scoring": "average_precision"},
        {"scoring": ["roc_auc", "accuracy", "f1"], "refit": "roc_auc"},
        {"scoring": {"first": "roc_auc", "second": share_of_red}, "refit": False},
    ],
)
@pytest.mark.parametrize("estimator", [SCALED, csmo.SVC(**FINE), csmo.NuSVC(nu=0.3, **FINE)])
def test_scoring_by_values_of_two_classes(estimator, options):
    prefix = "svc__" if estimator is SCALED else ""
    grid = {f"{prefix}gamma": [1e-6, 1e-3, "scale"], f"{prefix}C": [0.1, 10]}
    if isinstance(estimator, csmo.NuSVC):
        del grid["C"]
    search = compare(estimator, grid, *two_wines(), tolerance=1e-12, **options)
    for name in ("roc_auc", "score"):
        scores = search.cv_results_.get(f"mean_test_{name}", np.array([0.8, 0.9]))
        assert 0.6 < scores.max() < 1 and scores.min() < scores.max()


def test_values_of_the_rows_of_training():
    """Values of support vectors that are not at their bound are the same but for tol."""
    options = {"scoring": "average_precision", "return_train_score": True}
    compare(SCALED, {"svc__C": [0.1, 10]}, *two_wines(), tolerance=2e-3, **options)


def test_decision_values_are_those_of_fits():
    """To the bit, for smo without warm starts; rows and folds are in the engine's order."""
    X, y = two_wines()
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    kept = []

    def keep(estimator, X, y):
        kept.append((estimator.decision_function(X), estimator.predict(X)))
        return 0.0

    machine = csmo.SVC(solver="smo", gamma=1e-4)
    search = csmo.GridSearchSVC(
        machine, {"C": [1, 10]}, scoring=keep, warm_start=False, return_train_score=True
    ).fit(X, y)
    assert search.engine_ == "csmo" and len(kept) == 20
    for place, (params, (train, test)) in enumerate(
        itertools.product(search.cv_results_["params"], StratifiedKFold(5).split(X, y))
    ):
        fitted = clone(machine).set_params(**params).fit(X[train], y[train])
        for rows, (values, labels) in zip((test, train), kept[2 * place :]):
            np.testing.assert_array_equal(values, fitted.decision_function(X[rows]))
            np.testing.assert_array_equal(labels, fitted.predict(X[rows]))


def spread(estimator, X, y):
    return float(np.abs(estimator.decision_function(X)).mean())


@pytest.mark.parametrize(
    "changes",
    [{}, {"decision_function_shape": "ovo"}, {"break_ties": True}, {"class_weight": "balanced"}],
)
@pytest.mark.parametrize("scoring", [spread, "accuracy"])
def test_scoring_by_values_of_three_classes(changes, scoring):
    X, y = wine()
    machine = csmo.SVC(tol=1e-9, **changes)
    grid = {"C": [1, 1000], "gamma": [1e-5, 1e-4]}
    compare(machine, grid, X, y, scoring=scoring, return_train_score=True)
    assert machine.fit(X, y)._labels(machine._values(X)).tolist() == machine.predict(X).tolist()


def test_folds_that_lack_a_class_of_positive_weight():
    X, y = wine()
    weights = np.where(y == "rose", np.arange(len(y)) < 40, 1.0)
    compare(
        csmo.SVC(**FINE),
        {"C": [1, 100]},
        X,
        y,
        fit_params={"sample_weight": weights},
        cv=KFold(3),
        scoring=["accuracy", "f1_macro"],
        refit=False,
        return_train_score=True,
    )


@pytest.mark.parametrize("estimator", [SCALED, csmo.SVC(**FINE)])
@pytest.mark.parametrize("cv", [3, ShuffleSplit(3, random_state=0)])
def test_scores_of_the_rows_of_training(estimator, cv):
    prefix = "svc__" if estimator is SCALED else ""
    grid = {f"{prefix}C": [0.01, 1], f"{prefix}gamma": [1e-4, 0.1]}
    for options in ({}, {"scoring": share_of_red}, {"scoring": ["accuracy", "f1_macro"]}):
        refit = not isinstance(options.get("scoring"), list)
        compare(
            estimator, grid, *wine(), cv=cv, refit=refit, return_train_score=True, **options
        )


def test_little_memory_for_answers(monkeypatch):
    """The points are then searched in several runs."""
    monkeypatch.setattr(csmo._folds, "_MOST_BYTES", 100_000)
    X, y = wine()
    grid = {"C": [1, 10, 100], "gamma": [1e-4, 1e-3]}
    compare(csmo.SVC(**FINE), grid, X, y, scoring=spread, return_train_score=True, tolerance=1e-6)


def test_other_estimators():
    X, y = wine()
    grid = {"svc__C": [0.01, 1]}
    compare(
        make_pipeline(StandardScaler(), svm.SVC()), grid, X, y, engine="scikit-learn: sklearn's SVC"
    )
    compare(svm.SVC(), {"C": [0.01, 1]}, X, y, engine="scikit-learn: sklearn's SVC")

    class OtherSteps(Pipeline):
        pass

    other = OtherSteps(SCALED.steps)
    compare(other, grid, X, y, engine=f"scikit-learn: {__name__}.OtherSteps")
    mixed = {"svc": [csmo.SVC(), svm.SVC()]}
    compare(SCALED, mixed, X, y, engine="scikit-learn: sklearn's SVC")
    ties = csmo.SVC(break_ties=True, decision_function_shape="ovo")
    compare(ties, {"C": [0.01, 1]}, X, y, engine="scikit-learn: break_ties", refit=False)

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
