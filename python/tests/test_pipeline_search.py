"""Compares GridSearchSVC with GridSearchCV: pipelines, splitters, weights, failures."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.datasets import load_diabetes  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.exceptions import FitFailedWarning  # noqa: E402
from sklearn.feature_selection import SelectKBest  # noqa: E402
from sklearn.metrics import make_scorer, mean_absolute_error  # noqa: E402
from sklearn.metrics.pairwise import rbf_kernel  # noqa: E402
from sklearn.model_selection import (  # noqa: E402
    GroupKFold,
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import (  # noqa: E402
    KernelCenterer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    StandardScaler,
    scale,
)

import csmo  # noqa: E402

from searches import FINE, SCALED, compare, wine  # noqa: E402


def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X[:200], y[:200]


class Counted(StandardScaler):
    """Keeps the numbers of rows of its fits."""

    fits = []

    def fit(self, X, y=None, sample_weight=None):
        self.fits.append(len(X))
        return super().fit(X, y, sample_weight)


C_AND_GAMMA = {"svc__C": [0.1, 1, 30], "svc__gamma": [0.01, 0.1, "scale"]}


@pytest.mark.parametrize(
    "estimator, grid",
    [
        (SCALED, C_AND_GAMMA),
        (make_pipeline(MinMaxScaler(), csmo.SVC(**FINE)), {"svc__C": [1, 10]}),
        (make_pipeline(MinMaxScaler(), csmo.NuSVC(**FINE)), {"nusvc__nu": [0.2, 0.4]}),
        (make_pipeline(csmo.SVC(**FINE)), {"svc__C": [1, 10], "svc__gamma": [1e-4, "auto"]}),
        (SCALED, {"svc__kernel": ["linear", "poly"], "svc__C": [0.01, 1]}),
        (SCALED, {"svc__class_weight": ["balanced", {"red": 3}], "svc__C": [0.1, 1]}),
        (SCALED, {"svc__C": [0.1, 1], "scaler": [MinMaxScaler(), "passthrough", None]}),
        (SCALED, {"scaler": [MinMaxScaler()], "scaler__feature_range": [(0, 1), (-9, 9)]}),
        (SCALED, {"svc": [csmo.SVC(C=3), csmo.NuSVC(nu=0.3), csmo.SVC(kernel="linear")]}),
        (
            make_pipeline(StandardScaler(), PCA(), csmo.SVC(**FINE)),
            [
                {"pca__n_components": [2, 5, 0.5], "svc__C": [0.1, 1]},
                {"pca": [SelectKBest(k=3)], "svc__C": [1]},
            ],
        ),
    ],
)
def test_pipelines(estimator, grid):
    compare(estimator, grid, *wine(), cv=4)


def test_transformers_are_fitted_once_on_each_training_set():
    X, y = wine()
    Counted.fits.clear()
    pipeline = make_pipeline(Counted(), csmo.SVC())
    csmo.GridSearchSVC(
        pipeline, {"svc__C": [1, 2, 3], "svc__gamma": ["scale", 1], "svc__degree": [2, 3]}
    ).fit(X, y)
    assert sorted(Counted.fits) == [142, 142, 142, 143, 143, 178]


@pytest.mark.parametrize("machine", ["svr", "nusvr"])
def test_regression(machine):
    X, y = diabetes()
    made = {"svr": csmo.SVR(**FINE), "nusvr": csmo.NuSVR(**FINE)}[machine]
    name = "epsilon" if machine == "svr" else "nu"
    grid = {f"{machine}__C": [1, 30], f"{machine}__{name}": [0.2, 0.5]}
    compare(make_pipeline(StandardScaler(), made), grid, X, y, tolerance=1e-3)
    scoring = {"r2": "r2", "mae": make_scorer(mean_absolute_error, greater_is_better=False)}
    compare(
        make_pipeline(StandardScaler(), made),
        grid,
        X,
        y,
        tolerance=1e-3,
        scoring=scoring,
        refit="mae",
    )


@pytest.mark.parametrize(
    "cv",
    [
        3,
        KFold(3),
        ShuffleSplit(3, random_state=0),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        TimeSeriesSplit(3),
        [(list(range(100)), list(range(90, 130))), (np.arange(178) > 50, np.arange(178) < 9)],
    ],
)
def test_splitters(cv):
    X, y = wine()
    compare(SCALED, {"svc__C": [0.1, 10], "svc__gamma": [0.02]}, X, y, cv=cv)
    compare(csmo.SVC(**FINE), {"C": [0.1, 10], "gamma": [0.02]}, scale(X), y, cv=cv)


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.01])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"white": 5}])
def test_gamma_and_factors_are_those_of_each_training_set(gamma, class_weight):
    X, y = wine()
    estimator = csmo.SVC(gamma=gamma, class_weight=class_weight, **FINE)
    compare(estimator, {"C": [0.01, 0.1, 1]}, X[40:] / [100], y[40:], cv=KFold(4))


def test_folds_that_lack_classes():
    X, y = wine()
    order = np.argsort(y, kind="stable")
    for class_weight in (None, "balanced", {"red": 2, "white": 1, "rose": 1}):
        estimator = csmo.SVC(gamma=0.1, class_weight=class_weight, **FINE)
        compare(estimator, {"C": [0.1, 1]}, scale(X)[order], y[order], cv=KFold(3))
    red, white = np.flatnonzero(y == "red"), np.flatnonzero(y == "white")
    one, both = red[:20], np.concatenate([red[20:], white])
    X, y = scale(X), np.where(y == "red", "red", "white")
    rest = np.setdiff1d(np.arange(len(y)), one)
    for cv in ([(one, both), (both, one)], [(one, rest), (rest, one)]):
        search = compare(csmo.SVC(gamma=0.1, **FINE), {"C": [0.1, 1]}, X, y, cv=cv)
        assert np.isnan(search.cv_results_["split0_test_score"]).all()
        assert (search.cv_results_["split1_test_score"] > 0.9).any()


def test_groups():
    X, y = wine()
    groups = np.arange(len(y)) // 10
    compare(SCALED, {"svc__C": [0.1, 1]}, X, y, {"groups": groups}, cv=GroupKFold(3))


def test_weights_of_rows():
    X, y = wine()
    weights = np.random.RandomState(1).choice([0, 0.1, 1, 5], len(y))
    for gamma in ("scale", 0.1):
        machine = csmo.SVC(gamma=gamma, **FINE)
        compare(machine, {"C": [0.1, 1]}, scale(X), y, {"sample_weight": weights})
        compare(
            make_pipeline(StandardScaler(), machine),
            {"svc__C": [0.1, 1]},
            X,
            y,
            {"svc__sample_weight": weights},
            scoring="balanced_accuracy",
        )
    compare(csmo.NuSVC(**FINE), {"nu": [0.2, 0.9]}, scale(X), y, {"sample_weight": weights})
    compare(
        csmo.SVR(**FINE), {"C": [1]}, *diabetes(), {"sample_weight": np.ones(200)}, tolerance=1e-4
    )
    one_class = np.where(y == "red", 1, 0)
    with pytest.raises(ValueError, match="same class"):
        csmo.GridSearchSVC(csmo.SVC(), {"C": [1]}).fit(X, y, sample_weight=one_class)
    compare(
        SCALED,
        {"svc__C": [1]},
        X,
        y,
        {"scaler__sample_weight": weights},
        engine="scikit-learn: fit",
    )


def test_training_sets_whose_weights_are_too_little():
    X, y = wine()
    X, last, white = scale(X), np.arange(len(y)) >= 119, y == "white"
    no_red = np.where(last | (y != "red"), 1.0, 0.0)  # in the training set of the last fold
    only_white = np.where(last | white, 1.0, 0.0)
    for weights, failures in ((no_red, 0), (only_white, 1), (last * 1.0, 1)):
        machine = csmo.SVC(gamma=0.1, **FINE)
        options = {"fit_params": {"sample_weight": weights}, "cv": KFold(3)}
        search = compare(machine, {"C": [0.1, 1]}, X, y, **options)
        scores = [search.cv_results_[f"split{fold}_test_score"] for fold in range(3)]
        assert np.isnan(scores).all(axis=1).sum() >= failures  # 1.9 scores by weights as well
    rows, targets = diabetes()
    weights = (np.arange(200) >= 134) * 1.0
    with pytest.warns(FitFailedWarning, match="zero or negative weights"):
        search = csmo.GridSearchSVC(csmo.SVR(gamma=0.1), {"C": [0.1, 1]}, cv=KFold(3))
        search.fit(rows, targets, sample_weight=weights)
    assert np.isnan(search.cv_results_["split2_test_score"]).all()
    options = {"fit_params": {"sample_weight": weights}, "tolerance": 1e-3, "cv": KFold(3)}
    compare(csmo.SVR(gamma=0.1, **FINE), {"C": [0.1, 1]}, rows, targets, **options)


@pytest.mark.parametrize("kernel", ["precomputed", rbf_kernel])
def test_kernel_values(kernel):
    X, y = wine()
    X = scale(X)
    machine = csmo.SVC(kernel=kernel, **FINE)
    rows = X @ X.T if kernel == "precomputed" else X
    compare(machine, {"C": [0.01, 1]}, rows, y)
    compare(machine, {"C": [0.01, 1]}, rows, y, cv=ShuffleSplit(3, random_state=0))
    compare(make_pipeline(machine), {"svc__C": [0.01, 1]}, rows, y)
    if kernel == "precomputed":
        compare(machine, {"C": [1], "class_weight": ["balanced"]}, sp.csr_matrix(rows), y)
        centred = make_pipeline(KernelCenterer(), machine)
        compare(centred, {"svc__C": [0.01, 1]}, rows, y)
    else:
        compare(make_pipeline(StandardScaler(), machine), {"svc__C": [0.01, 1]}, rows, y)


def test_the_last_training_reads_its_own_kernel():
    """The kernel rows that the search has kept are those of the pipeline without a scaler."""
    random = np.random.RandomState(0)
    X = random.normal(size=(300, 200)) * np.geomspace(0.01, 1, 200)
    y = X[:, :9].sum(axis=1) > 0
    machine = csmo.SVC(gamma=0.02, **FINE)
    alone, scaled = [("svc", machine)], [("scaler", StandardScaler()), ("svc", machine)]
    search = compare(Pipeline(alone), {"steps": [scaled, alone]}, X, y)
    assert search.best_index_ == 0


def test_sparse_rows():
    X, y = wine()
    X = sp.csr_matrix(np.where(X > np.median(X, axis=0), X, 0))
    compare(make_pipeline(MaxAbsScaler(), csmo.SVC(**FINE)), {"svc__C": [0.1, 1]}, X, y)
    compare(csmo.SVC(**FINE), {"C": [0.1, 1]}, X, y)


def test_tables():
    pandas = pytest.importorskip("pandas")
    X, y = wine()
    table = pandas.DataFrame(X[:, :3], columns=["a", "b", "c"], index=np.arange(len(y)) + 1000)
    table["kind"] = np.where(X[:, 4] > 100, "x", "z")
    columns = ColumnTransformer(
        [("numbers", StandardScaler(), ["a", "b", "c"]), ("kinds", OneHotEncoder(), ["kind"])]
    )
    labels = pandas.Series(y, index=table.index)
    grid = {
        "columns__numbers": [StandardScaler(), "passthrough"],
        "columns__kinds__drop": [None, "first"],
        "svc__C": [0.1, 1],
    }
    pipeline = Pipeline([("columns", columns), ("svc", csmo.SVC(**FINE))])
    search = compare(pipeline, grid, table, labels)
    assert list(search.feature_names_in_) == ["a", "b", "c", "kind"]
    named = make_pipeline(StandardScaler().set_output(transform="pandas"), csmo.SVC(**FINE))
    compare(named, {"svc__C": [0.1, 1]}, table[["a", "b", "c"]], labels)
    compare(csmo.SVC(**FINE), {"C": [0.1, 1]}, table[["a", "b", "c"]], labels)


class Fragile(TransformerMixin, BaseEstimator):
    """Fails in fit or in transform if a row is not there."""

    def __init__(self, needs=None, fails_in="fit"):
        self.needs = needs
        self.fails_in = fails_in

    def fit(self, X, y=None):
        if self.fails_in == "fit":
            self._check(X)
        return self

    def _check(self, X):
        if self.needs is not None and not (X[:, 0] == self.needs).any():
            raise RuntimeError("the row is not there")

    def transform(self, X):
        if self.fails_in == "transform":
            self._check(X)
        return X


def test_points_that_fail():
    X, y = wine()
    X[:, 0] = np.arange(len(X))
    pipeline = Pipeline([("step", Fragile()), ("svc", csmo.SVC(**FINE))])
    for cause in ("fit", "transform"):
        grid = {"step__needs": [None, 3], "step__fails_in": [cause], "svc__C": [1, 0, 3]}
        search = compare(pipeline, grid, X, y, cv=KFold(3))
        assert np.isnan(search.cv_results_["mean_test_score"]).sum() == 4
        with pytest.raises(RuntimeError, match="the row is not there"):
            csmo.GridSearchSVC(
                pipeline, {**grid, "step__needs": [3]}, cv=KFold(3), error_score="raise"
            ).fit(X, y)
    with pytest.warns(FitFailedWarning, match="the row is not there"):
        grid = {"step__needs": [None, 3], "svc__C": [1]}
        csmo.GridSearchSVC(pipeline, grid, cv=KFold(3)).fit(X, y)
    # nu is feasible on some training sets only, and not for all points
    sizes = np.argsort(y, kind="stable")
    compare(csmo.NuSVC(gamma=0.1), {"nu": [0.1, 0.7]}, scale(X)[sizes], y[sizes], cv=KFold(5))
    compare(csmo.SVC(gamma=0.1), {"C": [1, np.inf, 3], "tol": [1e-7]}, scale(X), y)
