"""ForestSVC and ForestSVR, compared with single machines, with svm-train and with themselves."""

import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import dump_svmlight_file, make_classification, make_friedman1  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, NotFittedError  # noqa: E402
from sklearn.metrics.pairwise import rbf_kernel  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.utils import check_random_state  # noqa: E402

import csmo  # noqa: E402

SMALL = {"cell_size": 200, "n_trees": 3, "random_state": 0}


def three_classes(rows=3000):
    """Labels whose first rows are not in their order."""
    X, y = make_classification(
        rows, 6, n_informative=6, n_redundant=0, n_classes=3, flip_y=0.05, random_state=2
    )
    X = np.round(X * 64) / 64  # exact as floats
    X[np.abs(X) < 0.25] = 0
    y[0] = 1
    return X, np.array(["a", "b", "c"])[y]


def numbers(rows=3000):
    X, y = make_friedman1(rows, n_features=5, noise=0.5, random_state=0)
    return np.round(X * 256) / 256, np.round(y * 256) / 256


CASES = {
    "SVC": (csmo.ForestSVC(**SMALL), three_classes),
    "SVC of probabilities": (csmo.ForestSVC(**SMALL, probability=True), three_classes),
    "SVR": (csmo.ForestSVR(**SMALL, C=10), numbers),
}


@pytest.fixture(params=CASES)
def case(request):
    model, load = CASES[request.param]
    return (clone(model), *load())


def text(model):
    return model._model.text()


def test_it_is_nearly_as_good_as_one_machine(case):
    model, X, y = case
    train, test = np.arange(len(y)) % 2 == 0, np.arange(len(y)) % 2 == 1
    one = csmo.SVR(C=10) if isinstance(model, csmo.ForestSVR) else csmo.SVC()
    best = one.fit(X[train], y[train]).score(X[test], y[test])
    assert model.fit(X[train], y[train]).score(X[test], y[test]) > best - 0.04
    assert model.n_trees_ == 3 and model.n_cells_ > 3 * 1500 / 200 and model.nbytes > 0
    assert 0 < model.n_support_vectors_ <= 1500 and model.n_iter_ > model.n_cells_


def test_a_single_cell_is_one_machine():
    X, y = three_classes(500)
    forest = csmo.ForestSVC(n_trees=1, decision_function_shape="ovo", metric=None).fit(X, y)
    one = csmo.SVC(decision_function_shape="ovo").fit(X, y)
    assert forest.n_cells_ == 1 and forest.n_support_vectors_ == len(one.support_)
    expected = np.clip(one.decision_function(X), -1, 1)
    np.testing.assert_allclose(forest.decision_function(X), expected, atol=5e-3)
    X, y = numbers(500)
    expected = csmo.SVR(C=10).fit(X, y).predict(X)
    found = csmo.ForestSVR(C=10, metric=None).fit(X, y).predict(X)
    np.testing.assert_allclose(found, expected, atol=1e-2)


def test_decisions_and_labels_agree():
    X, y = three_classes()
    model = csmo.ForestSVC(**SMALL, decision_function_shape="ovo").fit(X, y)
    ab, ac, bc = model.decision_function(X).T
    assert max(np.abs(ab).max(), np.abs(ac).max(), np.abs(bc).max()) <= 1
    for name, wins in (("a", (ab > 0) & (ac > 0)), ("b", (ab < 0) & (bc > 0))):
        assert wins.sum() > 500 and set(model.predict(X[wins])) == {name}
    model.set_params(decision_function_shape="ovr", break_ties=True)
    values = model.decision_function(X)
    assert values.shape == (len(X), 3)
    np.testing.assert_array_equal(model.classes_[values.argmax(axis=1)], model.predict(X))
    for first in ("a", "c"):  # either may be the first class of the library
        two = y != "b"
        order = np.argsort(y[two] != first, kind="stable")
        model = csmo.ForestSVC(**SMALL).fit(X[two][order], y[two][order])
        values = model.decision_function(X)
        assert values.shape == (len(X),)
        np.testing.assert_array_equal(model.classes_[(values > 0).astype(int)], model.predict(X))
        assert model.score(X[two], y[two]) > 0.9


def test_results_depend_on_the_seed_only(case):
    model, X, y = case
    texts = [text(clone(model).set_params(n_jobs=n).fit(X, y)) for n in (1, 2, -1, None)]
    assert set(texts) == {text(model.fit(X, y))}
    assert text(model.set_params(random_state=1).fit(X, y)) not in texts
    draws = [np.random.RandomState(3) for _ in range(2)]
    one, other = (text(model.set_params(random_state=draw).fit(X, y)) for draw in draws)
    assert one == other


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
def test_the_file_is_that_of_the_program(kernel, case, run_program, tmp_path):
    model, X, y = case
    number = np.unique(y, return_inverse=True)[1] if y.dtype.kind == "U" else y
    data, forest = tmp_path / "data", tmp_path / "forest"
    dump_svmlight_file(X, number, str(data), zero_based=False)
    model.set_params(kernel=kernel, gamma=0.125, coef0=0.5, degree=2, tol=0.01, random_state=5)
    seed = check_random_state(5).randint(np.iinfo(np.int32).max)
    words = ["-q", "-t", csmo._model.KERNELS[kernel], "-g", 0.125, "-r", 0.5, "-d", 2, "-e", 0.01]
    words += ["-c", model.C, "-m", 200, "--cells", 200, "--trees", 3, "--seed", seed]
    words += ["-s", 3 if isinstance(model, csmo.ForestSVR) else 0, "-a", "csmo"]
    words += ["-b", int(getattr(model, "probability", False)), "--digits", 17]
    run = run_program("svm-train", *words, data, forest)
    assert run.returncode == 0, run.stderr
    model.fit(X, y)
    assert text(model) == forest.read_bytes()
    output = tmp_path / "output"
    assert run_program("svm-predict", data, forest, output).returncode == 0
    model.classes_ = np.arange(3)
    np.testing.assert_allclose(model.predict(X), np.loadtxt(output), rtol=1e-5)


def test_weights_are_used():
    X, y = three_classes()
    plain = csmo.ForestSVC(**SMALL).fit(X, y)
    weights = np.where(y == "a", 20.0, 1)
    by_row = csmo.ForestSVC(**SMALL).fit(X, y, sample_weight=weights)
    by_class = csmo.ForestSVC(**SMALL, class_weight={"a": 20}).fit(X, y)
    assert text(by_row) == text(by_class)
    assert (by_row.predict(X) == "a").sum() > (plain.predict(X) == "a").sum() + 20
    with_zeros = csmo.ForestSVC(**SMALL).fit(X, y, sample_weight=(y != "b") * 1.0)
    assert set(with_zeros.predict(X)) == {"a", "c"}
    assert np.isneginf(with_zeros.decision_function(X)[:, 1]).all()
    X, y = numbers()
    weights = (X[:, 0] < 0.5) * 1.0
    model = csmo.ForestSVR(**SMALL, C=10).fit(X, y, sample_weight=weights)
    there, elsewhere = (model.score(X[part], y[part]) for part in (weights > 0, weights == 0))
    assert there > 0.9 and elsewhere < 0.8


def test_probabilities():
    X, y = three_classes(6000)
    model = csmo.ForestSVC(**SMALL, probability=True).fit(X[::2], y[::2])
    found = model.predict_proba(X[1::2])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_log_proba(X[1::2]), np.log(found))
    likeliest = model.classes_[found.argmax(axis=1)]
    right = likeliest == y[1::2]
    assert right.mean() > 0.85
    for low, high in ((0.4, 0.7), (0.7, 0.9), (0.9, 1)):
        some = (found.max(axis=1) > low) & (found.max(axis=1) <= high)
        assert some.sum() > 50
        assert abs(right[some].mean() - found.max(axis=1)[some].mean()) < 0.1
    assert not hasattr(csmo.ForestSVC(), "predict_proba")
    weights = (y != "b") * 1.0
    model.fit(X, y, sample_weight=weights)
    assert (model.predict_proba(X)[:, 1] == 0).all()


def test_sparse_rows_and_floats_are_the_same_data(case):
    model, X, y = case
    dense = text(model.fit(X, y))
    predictions = model.predict(X)
    gamma = model._gamma
    model.set_params(gamma=gamma)
    for form in (np.float32, np.asfortranarray, sp.csr_matrix, sp.coo_matrix):
        other = X.astype(form) if form is np.float32 else form(X)
        assert text(model.fit(other, y)) == dense
        np.testing.assert_array_equal(model.predict(other), predictions)
    many, few = model.predict(X[:300]), [model.predict(row[None])[0] for row in X[:300]]
    np.testing.assert_array_equal(many, few)


def test_pickles(case):
    model, X, y = case
    model.fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert text(copy) == text(model) and copy.nbytes == model.nbytes
    for name in ("predict", "decision_function", "predict_proba"):
        if hasattr(model, name):
            np.testing.assert_array_equal(getattr(copy, name)(X), getattr(model, name)(X))
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_in_a_search():
    X, y = three_classes(1000)
    grid = {"C": [0.01, 10], "gamma": [0.1, 1]}
    search = GridSearchCV(csmo.ForestSVC(**SMALL), grid, cv=3, n_jobs=2).fit(X, y)
    assert search.best_params_["C"] == 10 and search.best_score_ > 0.8
    alone = GridSearchCV(csmo.ForestSVC(**SMALL), grid, cv=3).fit(X, y)
    for name in ("mean_test_score", "params"):
        np.testing.assert_array_equal(search.cv_results_[name], alone.cv_results_[name])
    with pytest.warns(csmo.SearchNote, match="csmo.ForestSVC is not one of"):
        ours = csmo.GridSearchSVC(csmo.ForestSVC(**SMALL), grid, cv=3).fit(X, y)
    assert ours.best_params_ == search.best_params_


def test_early_ends_are_warnings(case):
    model, X, y = case
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        assert model.fit(X, y).fit_status_ == 0
    with pytest.warns(ConvergenceWarning, match="max_iter=3"):
        limited = clone(model).set_params(max_iter=3).fit(X, y)
    assert limited.fit_status_ == 1 and limited.n_trees_ == 3
    limited = clone(model).set_params(n_trees=10**6, time_limit=0.5)
    with pytest.warns(ConvergenceWarning, match=r"of 1000000 trees \(time_limit=0.5\)"):
        limited.fit(X[:300], y[:300])
    assert limited.fit_status_ == 1 and 1 <= limited.n_trees_ < 10**6
    trees = clone(model).set_params(n_trees=limited.n_trees_).fit(X[:300], y[:300])
    if hasattr(limited, "predict_proba"):
        with pytest.raises(NotFittedError, match="interrupted"):
            limited.predict_proba(X)
    np.testing.assert_array_equal(limited.predict(X), trees.predict(X))
    failed = clone(model).set_params(C=1e9, tol=1e-12, cell_size=3000, time_limit=1e-6)
    with pytest.raises(csmo.SvmError, match="before a tree was finished"):
        failed.fit(X, y)
    assert not hasattr(failed, "n_trees_")


def test_messages(capsys):
    X, y = three_classes(400)
    csmo.ForestSVC(**SMALL, verbose=2).fit(X, y)
    printed = capsys.readouterr()
    assert "tree 3 of 3: cells = " in printed.out and printed.err == ""


@pytest.mark.parametrize("kind", [csmo.ForestSVC, csmo.ForestSVR])
def test_invalid_parameters(kind):
    X, y = numbers(50)
    y = (y > y.mean()).astype(int)
    for options, message in [
        ({"cell_size": 1}, "'cell_size' parameter"),
        ({"n_trees": 0}, "'n_trees' parameter"),
        ({"time_limit": 0}, "'time_limit' parameter"),
        ({"kernel": "precomputed"}, "'kernel' parameter"),
        ({"kernel": rbf_kernel}, "'kernel' parameter"),
        ({"solver": "dcd"}, "'solver' parameter"),
        ({"C": -1}, "'C' parameter"),
    ]:
        with pytest.raises(ValueError, match=f"{message} of {kind.__name__}"):
            kind(**options).fit(X, y)
    with pytest.raises(TypeError, match="nu"):
        kind(nu=0.5)
    with pytest.raises(ValueError, match="features"):
        kind().fit(X, y).predict(X[:, 1:])
