"""NystroemSVC, compared with SVC and with svm-train."""

import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
from sklearn.datasets import make_moons  # noqa: E402
from sklearn.metrics.pairwise import rbf_kernel  # noqa: E402
from sklearn.utils import check_random_state  # noqa: E402

import csmo  # noqa: E402
from reference import digits, iris  # noqa: E402


def test_it_is_nearly_as_good_as_all_rows():
    X, y = digits()
    X, y = X[y < 4], y[y < 4]
    train, test = np.arange(len(y)) % 2 == 0, np.arange(len(y)) % 2 == 1
    scores = []
    for landmarks in (5, 100):
        model = csmo.NystroemSVC(landmarks=landmarks, gamma=0.05, C=10, random_state=0)
        scores.append(model.fit(X[train], y[train]).score(X[test], y[test]))
    best = csmo.SVC(gamma=0.05, C=10).fit(X[train], y[train]).score(X[test], y[test])
    assert scores[0] < scores[1] and scores[1] > best - 0.02


@pytest.mark.parametrize("solver", ["snacks", "pegasos"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix], ids=["dense", "sparse"])
def test_functions_are_combinations_of_landmarks(form, solver):
    X, y = make_moons(400, noise=0.2, random_state=0)
    rows = form(X)
    model = csmo.NystroemSVC(landmarks=20, gamma=1.0, random_state=0, solver=solver)
    model.fit(rows, y)
    assert len(model.support_) == 20 == model.n_support_.sum()
    landmarks = model.support_vectors_
    assert sp.issparse(landmarks) == sp.issparse(rows)
    landmarks = landmarks.toarray() if sp.issparse(landmarks) else landmarks
    np.testing.assert_array_equal(landmarks, X[model.support_])
    coefficients = model.dual_coef_
    coefficients = coefficients.toarray() if sp.issparse(coefficients) else coefficients
    expected = rbf_kernel(X, landmarks, gamma=1.0) @ coefficients[0]
    np.testing.assert_allclose(model.decision_function(rows), expected, atol=1e-6)
    assert (model.intercept_ == 0).all()
    assert model.score(rows, y) > 0.9


def test_predictions_are_those_of_the_program(run_program, tmp_path):
    X, y = make_moons(300, noise=0.3, random_state=1)
    X = np.round(X * 64) / 64  # exact in the file
    order = np.argsort(y, kind="stable")  # the program's first class is that of the first row
    X, y = X[order], y[order]
    data, model, output = tmp_path / "data", tmp_path / "model", tmp_path / "output"
    lines = [f"{label} 1:{a!r} 2:{b!r}\n" for label, (a, b) in zip(y.tolist(), X.tolist())]
    data.write_text("".join(lines))
    ours = csmo.NystroemSVC(landmarks=30, C=3, gamma=2.0, random_state=5).fit(X, y)
    seed = check_random_state(5).randint(np.iinfo(np.int32).max)
    words = ["-q", "-a", "snacks", "-c", 3, "-g", 2, "--landmarks", 30, "--seed", seed]
    run = run_program("svm-train", *words, data, model)
    assert run.returncode == 0, run.stderr
    assert run_program("svm-predict", data, model, output).returncode == 0
    np.testing.assert_array_equal(ours.predict(X), np.loadtxt(output))


def test_results_depend_on_the_seed_only():
    X, y = iris()
    model = csmo.NystroemSVC(landmarks=15, random_state=0, n_jobs=1).fit(X, y)
    values = model.decision_function(X)
    again = csmo.NystroemSVC(landmarks=15, random_state=0, n_jobs=2, cache_size=1).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), values)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(X), values)
    other = csmo.NystroemSVC(landmarks=15, random_state=1).fit(X, y)
    assert (other.decision_function(X) != values).any()


def test_weights_of_rows():
    X, y = make_moons(300, noise=0.3, random_state=0)
    options = {"landmarks": 300, "C": 10, "gamma": 1.0, "random_state": 0}
    plain = csmo.NystroemSVC(**options).fit(X, y)
    weights = np.where(y == 0, 20.0, 1)
    model = csmo.NystroemSVC(**options).fit(X, y, sample_weight=weights)
    assert (model.predict(X) == 0).sum() > (plain.predict(X) == 0).sum()
    left_out = csmo.NystroemSVC(**options).fit(X, y, sample_weight=(np.arange(300) < 250) * 1.0)
    assert left_out.support_.max() < 250


def test_faults():
    X, y = iris()
    for options, text in (
        ({"landmarks": 0}, "'landmarks' parameter of NystroemSVC"),
        ({"kernel": "precomputed"}, "'kernel' parameter of NystroemSVC"),
        ({"kernel": rbf_kernel}, "'kernel' parameter of NystroemSVC"),
        ({"solver": "smo"}, "'solver' parameter of NystroemSVC"),
    ):
        with pytest.raises(ValueError, match=text):
            csmo.NystroemSVC(**options).fit(X, y)


def test_searches():
    X, y = iris()
    with pytest.warns(csmo.SearchNote, match="csmo.NystroemSVC is not one of"):
        search = csmo.GridSearchSVC(csmo.NystroemSVC(), {"C": [1, 10]}).fit(X, y)
    assert search.best_score_ > 0.9 and search.predict(X).shape == y.shape
