"""Compares RandomizedSearchSVC and HalvingGridSearchSVC with scikit-learn's searches."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

from scipy.stats import loguniform, uniform  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits  # noqa: E402
from sklearn.experimental import enable_halving_search_cv  # noqa: E402, F401
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.model_selection import HalvingGridSearchCV, RandomizedSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import scale  # noqa: E402

import csmo  # noqa: E402

from searches import FINE, SCALED, compare_kinds, wine  # noqa: E402

C_AND_GAMMA = {"C": loguniform(0.1, 100), "gamma": loguniform(0.001, 0.1)}


def same_as_random(estimator, points, X, y, fit_params={}, tolerance=1e-12, **options):
    kinds = csmo.RandomizedSearchSVC, RandomizedSearchCV
    return compare_kinds(
        *kinds, estimator, points, X, y, fit_params, tolerance=tolerance, options=options
    )


def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return scale(X), y


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("scoring", [None, "roc_auc"])
def test_the_points_and_scores_are_those_of_scikit_learn(seed, scoring):
    points = [C_AND_GAMMA, {"kernel": ["linear"], "C": uniform(0.01, 1)}]
    search = same_as_random(
        csmo.SVC(**FINE), points, *cancer(), n_iter=8, random_state=seed, scoring=scoring
    )
    assert len(search.cv_results_["params"]) == 8


def test_pipelines_and_weights():
    X, y = wine()
    points = {f"svc__{name}": values for name, values in C_AND_GAMMA.items()}
    weights = {"svc__sample_weight": np.where(y == "red", 2.0, 1.0)}
    same_as_random(SCALED, points, X, y, weights, n_iter=5, random_state=1, return_train_score=True)


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    points = {"C": [1, 10], "epsilon": uniform(1, 20), "gamma": [0.01, 0.1]}
    machine = csmo.SVR(tol=1e-7)
    same_as_random(machine, points, scale(X), y, n_iter=6, random_state=0, tolerance=1e-6)


def test_a_source_of_draws_is_used_once():
    """Also if the engine begins a search that scikit-learn's own has to do."""
    X, y = wine()
    points = {"C": loguniform(0.1, 100)}
    for estimator in (csmo.SVC(), svm.SVC()):
        drawn = []
        for kind in (csmo.RandomizedSearchSVC, RandomizedSearchCV):
            draws = np.random.RandomState(5)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                first = kind(estimator, points, n_iter=3, random_state=draws).fit(X, y)
            drawn.append((str(first.cv_results_["params"]), draws.randint(1 << 30)))
        assert drawn[0] == drawn[1]


def test_bins_of_gamma():
    X, y = cancer()
    search = csmo.RandomizedSearchSVC(
        csmo.SVC(**FINE), C_AND_GAMMA, n_iter=11, gamma_bins=3, random_state=0
    )
    binned = search.fit(X, y).cv_results_["params"]
    drawn = clone(search).set_params(gamma_bins=None).fit(X, y).cv_results_["params"]
    assert [params["C"] for params in binned] == [params["C"] for params in drawn]
    gammas = sorted(params["gamma"] for params in drawn)
    assert sorted(params["gamma"] for params in binned) == (
        [gammas[2]] * 4 + [gammas[6]] * 4 + [gammas[9]] * 3
    )
    by_gamma = sorted(drawn, key=lambda params: params["gamma"])
    assert sorted(binned, key=lambda params: params["gamma"])[0]["C"] in [
        params["C"] for params in by_gamma[:4]
    ]
    pipeline = csmo.RandomizedSearchSVC(
        SCALED,
        {"svc__gamma": ["scale", 0.1, 0.2, 0.3], "svc__C": [1, 2]},
        n_iter=8,
        gamma_bins=1,
        random_state=0,
    ).fit(*wine())
    assert set(pipeline.cv_results_["param_svc__gamma"]) == {"scale", 0.2}
    steps = make_pipeline(Nystroem(n_components=20, random_state=0), csmo.SVC(kernel="linear"))
    of_transformer = csmo.RandomizedSearchSVC(
        steps, {"nystroem__gamma": [1e-5, 1e-4, 1e-3]}, n_iter=3, gamma_bins=1, random_state=0
    ).fit(*wine())
    assert len(set(of_transformer.cv_results_["param_nystroem__gamma"])) == 3
    with pytest.raises(ValueError, match="gamma_bins=0"):
        clone(search).set_params(gamma_bins=0).fit(X, y)


def same_as_halving(estimator, grid, X, y, tolerance=1e-12, **options):
    kinds = csmo.HalvingGridSearchSVC, HalvingGridSearchCV
    ours = compare_kinds(*kinds, estimator, grid, X, y, tolerance=tolerance, options=options)
    theirs = HalvingGridSearchCV(estimator, grid, **options).fit(X, y)
    for name in (
        "n_resources_ n_candidates_ n_remaining_candidates_ max_resources_ min_resources_ "
        "n_iterations_ n_possible_iterations_ n_required_iterations_"
    ).split():
        assert getattr(ours, name) == getattr(theirs, name), name
    for name in ("iter", "n_resources"):
        np.testing.assert_array_equal(ours.cv_results_[name], theirs.cv_results_[name])
    return ours


def test_halving():
    X, y = load_digits(return_X_y=True)
    grid = {"C": [0.1, 1, 10], "gamma": [1e-4, 1e-3, 1e-2]}
    search = same_as_halving(csmo.SVC(**FINE), grid, X, y, random_state=0)
    assert search.best_params_ == {"C": 1, "gamma": 0.001} or search.n_iterations_ == 3
    X, y = cancer()
    options = {"scoring": "roc_auc", "return_train_score": False, "random_state": 3}
    same_as_halving(csmo.SVC(**FINE), grid, X, y, factor=2, min_resources=100, **options)
    grid = {"C": [0.1, 1, 10]}
    limited = {"resource": "max_iter", "max_resources": 90, "min_resources": 10}
    same_as_halving(csmo.SVC(), grid, X, y, random_state=0, **limited)


def test_what_is_left_to_scikit_learn():
    X, y = cancer()
    points = {"C": [1, 2]}
    for kind, options in (
        (csmo.RandomizedSearchSVC, {"n_iter": 2, "random_state": 0}),
        (csmo.HalvingGridSearchSVC, {"random_state": 0}),
    ):
        with pytest.warns(csmo.SearchNote, match="sklearn's SVC is not csmo's: use csmo.SVC.  .*slower"):
            search = kind(svm.SVC(), points, **options).fit(X, y)
        assert search.engine_.startswith("scikit-learn") and search.score(X, y) > 0.9
