"""Compares GridSearchSVC with GridSearchCV."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold  # noqa: E402
from sklearn.preprocessing import scale  # noqa: E402

import csmo  # noqa: E402

from searches import compare  # noqa: E402


def digits():
    X, y = load_digits(return_X_y=True)
    return X[:900] / 16, np.array(list("jihgfedcba"))[y[:900]]


FINE = csmo.SVC(tol=1e-6)


@pytest.mark.parametrize("options", [{}, {"cv": 3}, {"cv": KFold(4, shuffle=True, random_state=1)}])
def test_scores_are_those_of_grid_search_cv(options):
    X, y = digits()
    search = compare(FINE, {"C": [0.5, 3, 40], "gamma": [0.01, 0.07]}, X, y, **options)
    assert search.best_estimator_.score(X, y) == search.score(X, y) > 0.9
    assert search.n_splits_ == (
        options.get("cv") if isinstance(options.get("cv"), int) else 5 if not options else 4
    )
    assert list(search.classes_) == sorted(set(y))


@pytest.mark.parametrize("solver", ["smo", "csmo"])
def test_trainings_that_do_not_converge(solver):
    X, y = load_breast_cancer(return_X_y=True)
    machine = csmo.SVC(max_iter=3, solver=solver)
    grid = {"C": [0.1, 1, 10, 100], "gamma": [1e-5, 1e-4]}
    compare(machine, grid, X, y)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=3\).*in trainings of a search") as caught:
        csmo.GridSearchSVC(machine, grid, refit=False).fit(X, y)
    assert len(caught) == 1


@pytest.mark.parametrize("solver", ["smo", "csmo"])
@pytest.mark.parametrize("weighted", [False, True])
def test_thresholds_are_those_of_the_estimator_where_many_are_optimal(solver, weighted):
    """With a small C all coefficients are at their bounds."""
    draws = np.random.default_rng(2)
    for rows in (40, 77, 102):
        X = draws.normal(size=(rows, 3))
        y = X[:, 0] + draws.normal(size=rows) > 0.5
        machine = csmo.SVC(class_weight="balanced", solver=solver)
        weights = {"sample_weight": draws.choice([0.3, 1], rows)} if weighted else {}
        grid = {"C": [0.001, 0.01, 0.1], "gamma": [0.1, 1, 30]}
        compare(machine, grid, X, y, fit_params=weights, cv=KFold(5, shuffle=True, random_state=0))
    targets = X[:, 0] + draws.normal(size=rows)
    for machine in (csmo.NuSVR(nu=0.25), csmo.SVR()):
        machine.set_params(tol=1e-7, solver=solver)
        compare(machine, {"C": [0.0001, 0.001, 0.01], "gamma": [0.1, 10]}, X, targets)


def test_trainings_that_converge_give_no_warning():
    X, y = load_breast_cancer(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        csmo.GridSearchSVC(csmo.SVC(class_weight={0: 2}), {"C": [0.1, 10]}).fit(X, y)


@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro"])
def test_scoring(scoring):
    X, y = digits()
    compare(FINE, {"C": [1, 10]}, X, y, scoring=scoring, cv=3)


def test_what_is_not_searched_by_the_engine():
    X, y = digits()
    grid = [
        {"kernel": ["linear"], "C": [0.01, 1]},
        {"kernel": ["poly"], "degree": [2, 3], "C": [1], "gamma": [0.1]},
    ]
    compare(FINE, grid, X, y, cv=3, tolerance=1.01 / 300)  # a row of a fold


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    grid = {"C": [1, 30], "epsilon": [1, 20], "gamma": [0.01, 0.1]}
    estimator = csmo.SVR(tol=1e-4)
    compare(estimator, grid, scale(X), y)
    compare(estimator, grid, scale(X), y, scoring="neg_mean_absolute_error", tolerance=0.05)


def test_points_are_searched_as_they_are_given():
    """2 to the power of log2(10) is not 10."""
    X, y = load_diabetes(return_X_y=True)
    order = np.argsort(y, kind="stable")  # the order in which the engine trains
    X, y = scale(X)[order], y[order]
    predicted = []

    def keep(estimator, X, y):
        predicted.append(estimator.predict(X))
        return 0.0

    estimator = csmo.SVR(solver="smo", C=10, gamma=0.1, epsilon=0.3)
    grid = {"C": [10], "gamma": [0.1], "epsilon": [0.3]}
    csmo.GridSearchSVC(
        csmo.SVR(solver="smo"), grid, scoring=keep, cv=3, warm_start=False, refit=False
    ).fit(X, y)
    assert len(predicted) == 3
    for (train, test), values in zip(KFold(3).split(X), predicted):
        expected = clone(estimator).fit(X[train], y[train]).predict(X[test])
        np.testing.assert_array_equal(values, expected)


def test_nu():
    X, y = digits()
    compare(csmo.NuSVC(tol=1e-6), {"nu": [0.1, 0.3], "gamma": [0.02, 0.1]}, X, y, cv=3)
    X, y = load_diabetes(return_X_y=True)
    compare(csmo.NuSVR(tol=1e-4), {"nu": [0.2, 0.6], "C": [10]}, scale(X), y, cv=3)


def test_rows_in_any_form():
    X, y = load_breast_cancer(return_X_y=True)
    X = scale(X)
    grid = {"C": [0.3, 7]}
    values = csmo.GridSearchSVC(csmo.SVC(gamma=0.02), grid).fit(X, y).cv_results_
    sparse = csmo.GridSearchSVC(csmo.SVC(gamma=0.02), grid).fit(sp.csr_matrix(X), y).cv_results_
    np.testing.assert_array_equal(sparse["mean_test_score"], values["mean_test_score"])
    X[:, 3:] = 0
    X[:30, :3] = 0  # so that there are zeros among the kernel values
    linear = csmo.GridSearchSVC(csmo.SVC(kernel="linear", tol=1e-5), grid).fit(X, y).cv_results_
    kernel = csmo.GridSearchSVC(csmo.SVC(kernel="precomputed", tol=1e-5), grid)
    kernel.fit(X @ X.T, y)
    np.testing.assert_allclose(
        kernel.cv_results_["mean_test_score"], linear["mean_test_score"], atol=2e-3
    )


def test_warm_starts_change_no_score():
    X, y = digits()
    grid = {"C": [1, 8, 64], "gamma": [0.03, 0.1]}
    cold = csmo.GridSearchSVC(FINE, grid, warm_start=False).fit(X, y).cv_results_
    warm = csmo.GridSearchSVC(FINE, grid, warm_start=True).fit(X, y).cv_results_
    np.testing.assert_allclose(warm["mean_test_score"], cold["mean_test_score"], atol=2e-3)


def test_folds_that_lack_classes():
    """Classes keep their order even if the first fold that is trained on lacks the first class."""
    draws = np.random.default_rng(3)
    y = np.repeat([2, 0, 1], 60)
    X = draws.normal(size=(3, 5))[y] + draws.normal(size=(180, 5))
    options = {"kernel": "sigmoid", "gamma": 0.3, "tol": 1e-6}  # with several optima
    grid = {"C": [1, 10]}
    ours = csmo.GridSearchSVC(
        csmo.SVC(solver="smo", **options), grid, cv=KFold(6), warm_start=False
    ).fit(X, y)
    theirs = GridSearchCV(svm.SVC(**options), grid, cv=KFold(6)).fit(X, y)
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=0.02
    )


def test_ranks_and_doubled_points():
    X, y = digits()
    search = csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 1, 1e-3]}, refit=False).fit(X, y)
    results = search.cv_results_
    assert list(results["rank_test_score"]) == [1, 1, 3]
    assert search.best_index_ == 0 and not hasattr(search, "best_estimator_")


def test_faults():
    X, y = digits()
    with pytest.raises(ValueError, match="'C' parameter of SVC"):
        csmo.GridSearchSVC(csmo.SVC(), {"C": [-1]}).fit(X, y)
    with pytest.raises(ValueError, match="'C' parameter of SVC"):
        csmo.GridSearchSVC(csmo.SVC(), {"C": [1, -1]}, error_score="raise").fit(X, y)
    with pytest.raises(ValueError, match="Invalid parameter 'cost'"):
        csmo.GridSearchSVC(csmo.SVC(), {"cost": [1]}).fit(X, y)


def test_a_faulty_point_has_no_score():
    X, y = digits()
    grid = [{"C": [1, 0], "kernel": ["linear"]}, {"kernel": ["cosine"]}, {"tol": [0]}]
    with pytest.warns(FitFailedWarning, match="'C' parameter of SVC"):
        search = csmo.GridSearchSVC(csmo.SVC(), grid, cv=3).fit(X, y)
    known = ~np.isnan(search.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(known, [True, False, False, False])


def test_a_tube_that_takes_all_targets():
    """A machine without support vectors takes the middle of its optimal thresholds, whatever the
    previous trainings have left."""
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:150] * 20, y[:150] / 100
    grid = {"epsilon": [0.1, 10], "C": [0.1, 10]}
    for solver in ("csmo", "smo"):
        compare(csmo.SVR(gamma=0.1, tol=1e-6, solver=solver), grid, X, y, cv=3, tolerance=1e-3)


def test_clones():
    search = csmo.GridSearchSVC(csmo.SVC(C=3), {"C": [1]}, cv=4, verbose=1)
    assert clone(search).get_params()["estimator__C"] == 3


def many_rows(count=2000):
    random = np.random.RandomState(3)
    X = random.uniform(-3, 3, (count, 40))
    return X, np.sign(np.sin(X[:, 0]) + X[:, 1] + random.normal(0, 0.3, count)).astype(int)


@pytest.mark.parametrize("solver", ["csmo", "smo"])
@pytest.mark.parametrize("gammas", [[0.02], [0.005, 0.02]])
def test_the_last_training_gives_what_fit_gives(solver, gammas):
    X, y = many_rows()
    search = csmo.GridSearchSVC(csmo.SVC(solver=solver), {"C": [1, 10], "gamma": gammas}).fit(X, y)
    fitted = csmo.SVC(solver=solver, **search.best_params_).fit(X, y)
    best = search.best_estimator_
    assert not hasattr(best, "_kernel_rows_of_search") or best._kernel_rows_of_search is None
    if solver == "smo":
        np.testing.assert_array_equal(best.dual_coef_, fitted.dual_coef_)
        np.testing.assert_array_equal(best.intercept_, fitted.intercept_)
    values = fitted.decision_function(X)
    np.testing.assert_allclose(best.decision_function(X), values, atol=0.01)


def test_other_settings_of_the_last_training_are_those_of_the_best():
    X, y = many_rows(300)
    grid = [{"kernel": ["rbf"], "gamma": [0.02]}, {"kernel": ["poly"], "gamma": [1.0]}]
    search = csmo.GridSearchSVC(csmo.SVC(probability=True, random_state=0), grid).fit(X, y)
    best = search.best_estimator_
    again = csmo.SVC(probability=True, random_state=0, **search.best_params_).fit(X, y)
    np.testing.assert_allclose(best.predict_proba(X), again.predict_proba(X), atol=0.02)


def test_cells():
    X, y = many_rows()
    grid = {"C": [1, 10], "gamma": [0.005, 0.02]}
    shuffled = KFold(4, shuffle=True, random_state=1)
    whole = csmo.GridSearchSVC(csmo.SVC(), grid, cv=shuffled).fit(X, y)
    same = csmo.GridSearchSVC(csmo.SVC(), grid, cv=shuffled, cells=2000).fit(X, y)
    np.testing.assert_array_equal(
        same.cv_results_["split2_test_score"], whole.cv_results_["split2_test_score"]
    )
    cells = csmo.GridSearchSVC(csmo.SVC(), grid, cv=shuffled, cells=500).fit(X, y)
    scores = cells.cv_results_["mean_test_score"]
    assert (scores > 0.7).all() and (scores < whole.cv_results_["mean_test_score"]).any()
    assert cells.best_estimator_.shape_fit_ == X.shape
    np.testing.assert_array_equal(clone(cells).cells, 500)


@pytest.mark.parametrize("cells", [9, 2.5, "x"])
def test_cells_of_no_size(cells):
    X, y = many_rows(100)
    with pytest.raises(ValueError, match="cells="):
        csmo.GridSearchSVC(csmo.SVC(), {"C": [1]}, cells=cells).fit(X, y)


def test_cells_within_a_fold():
    X = np.concatenate([np.full((60, 2), 0.0), np.full((60, 2), 9.0)])
    X += np.random.RandomState(0).uniform(-1, 1, X.shape)
    y = np.arange(120) % 2
    with pytest.raises(ValueError, match="rows of a cell are in one fold"):
        csmo.GridSearchSVC(csmo.SVC(), {"C": [1]}, cv=KFold(2), cells=20).fit(X, y)
