"""Sparse matrices in every form that scipy accepts give what dense rows give."""

import itertools

import numpy as np
import pytest

pytest.importorskip("sklearn")

import csmo  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from libsvm.svmutil import (  # noqa: E402
    csr_find_scale_param,
    csr_scale,
    svm_predict,
    svm_problem,
    svm_train,
)
from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402

DRAWS = np.random.default_rng(0)
# Multiples of 1/4, whose halves and quarters are exact; with empty rows and an empty column.
X = DRAWS.integers(-3, 4, (40, 6)) * (DRAWS.random((40, 6)) < 0.5) / 4
X[5] = X[7] = X[:, 2] = 0
TARGETS = 3 * X[:, 0] + DRAWS.normal(size=40)
LABELS = (TARGETS > 0).astype(int)


def compressed(rows, kind, of_indices, of_starts, is_messy):
    """`rows` in CSR with indices of these types; a messy one has them in any order, some of them
    several times, explicit zeros, and values that cancel."""
    draws = np.random.default_rng(1)
    values, columns, starts = [], [], [0]
    for row in rows:
        pairs = [(j, v) for j, v in enumerate(row) if v != 0]
        if is_messy:
            halves = [(j, v / 2) for j, v in pairs if j % 2 == 0]
            pairs = [(j, v / 2 if j % 2 == 0 else v) for j, v in pairs] + halves
            pairs += [(2, 0.0)] * int(draws.integers(3)) + [(1, 1.0), (1, -1.0)]
            pairs = [pairs[k] for k in draws.permutation(len(pairs))]
        columns += [j for j, _ in pairs]
        values += [v for _, v in pairs]
        starts.append(len(values))
    matrix = kind(rows.shape, dtype=rows.dtype)
    matrix.data = np.array(values, rows.dtype)
    matrix.indices = np.array(columns, of_indices)
    matrix.indptr = np.array(starts, of_starts)
    for flag in ("_has_canonical_format", "_has_sorted_indices"):
        vars(matrix).pop(flag, None)
    return matrix


def forms(rows):
    """Matrices with these rows, by a name for each."""
    types = (np.int32, np.int64)
    for kind, a, b, messy in itertools.product(
        (sp.csr_matrix, sp.csr_array), types, types, (False, True)
    ):
        name = f"{kind.__name__} {a.__name__} {b.__name__}{' messy' * messy}"
        yield name, compressed(rows, kind, a, b, messy)
    for a in types:
        messy = compressed(rows, sp.csr_matrix, a, a, True)
        yield f"csc {a.__name__}", messy.tocsc()
        places = np.repeat(np.arange(len(rows)), np.diff(messy.indptr)), messy.indices
        yield f"coo {a.__name__}", sp.coo_matrix((messy.data, places), shape=rows.shape)
    for form in ("lil", "dok", "bsr", "dia"):
        yield form, sp.csr_matrix(rows).asformat(form)


def answers(model, rows, y):
    found = [model.predict(rows), getattr(model, "_gamma", 0)]
    for name in ("decision_function", "predict_proba"):
        if hasattr(model, name):
            found.append(getattr(model, name)(rows))
    if hasattr(model, "score"):
        found.append(model.score(rows, y))
    if hasattr(model, "cv_results_"):
        found += [model.cv_results_["mean_test_score"], model.best_estimator_.predict(rows)]
    return found


def arrays_of(matrix):
    parts = [getattr(matrix, name, None) for name in ("data", "indices", "indptr")]
    return [part.copy() for part in parts if isinstance(part, np.ndarray)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "model, y",
    [
        (csmo.SVC(probability=True, random_state=0), LABELS),
        (csmo.SVC(kernel="linear"), LABELS),
        (csmo.SVC(kernel="poly", class_weight="balanced"), LABELS),
        (csmo.NuSVC(nu=0.1), LABELS),
        (csmo.SVR(), TARGETS),
        (csmo.NuSVR(), TARGETS),
        (csmo.OneClassSVM(), None),
        (csmo.LinearSVC(random_state=0), LABELS),
        (csmo.LinearSVR(random_state=0), TARGETS),
        (csmo.NystroemSVC(landmarks=20, random_state=0), LABELS),
        (csmo.ForestSVC(cell_size=20, probability=True, random_state=0), LABELS),
        (csmo.ForestSVR(cell_size=20, random_state=0), TARGETS),
        (csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10], "gamma": ["scale", 0.1]}), LABELS),
        (csmo.GridSearchSVC(csmo.SVC(random_state=0), {"C": [1, 10]}, cells=20), LABELS),
        (csmo.GridSearchSVC(csmo.SVR(), {"C": [1, 10]}), TARGETS),
        (
            csmo.GridSearchSVC(
                make_pipeline(FunctionTransformer(accept_sparse=True), csmo.SVC()),
                {"svc__C": [1, 10]},
            ),
            LABELS,
        ),
    ],
    ids=lambda value: str(value).split("\n")[0][:40] if hasattr(value, "fit") else "",
)
def test_estimators(model, y, dtype):
    rows = X.astype(dtype)
    dense = clone(model).fit(rows, y)
    expected = answers(dense, rows, y)
    for name, matrix in forms(rows):
        before = arrays_of(matrix)
        for trained in (clone(model).fit(matrix, y), dense):
            for found, value in zip(answers(trained, matrix, y), expected):
                np.testing.assert_allclose(found, value, rtol=0, atol=1e-5, err_msg=name)
        for array, value in zip(arrays_of(matrix), before):
            np.testing.assert_array_equal(array, value, name)


def test_gamma_of_a_matrix_that_repeats_an_index():
    rows = sp.csr_matrix(([1.0, 1, 2, 3, 1], [0, 0, 1, 2, 2], [0, 2, 3, 5]), shape=(3, 3))
    for model in (csmo.SVC(), csmo.NystroemSVC(landmarks=2, random_state=0)):
        assert model.fit(rows, [0, 1, 1])._gamma == pytest.approx(0.1776315789)
        nothing = compressed(np.zeros((3, 3)), sp.csr_matrix, np.int32, np.int32, True)
        assert model.fit(nothing, [0, 1, 1])._gamma == 1


@pytest.mark.parametrize("search", [False, True])
def test_kernel_values(search):
    model = csmo.SVC(kernel="precomputed")
    model = csmo.GridSearchSVC(model, {"C": [1, 10]}) if search else model
    kernel = X @ X.T
    expected = answers(clone(model).fit(kernel, LABELS), kernel, LABELS)
    for name, matrix in forms(kernel):
        found = answers(clone(model).fit(matrix, LABELS), matrix, LABELS)
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("options", ["-s 0", "-s 1 -n 0.1", "-s 2", "-s 3", "-s 4", "-t 4"])
def test_svmutil(options, capsys):
    rows, y = X, TARGETS if options in ("-s 3", "-s 4") else LABELS
    options += " -q --seed 1"
    if "-t 4" in options:
        rows = np.c_[np.arange(1, 41), X @ X.T]

    def answer(data):
        models = [svm_train(y, data, options)]
        models.append(svm_train(svm_problem(y, data, isKernel="-t 4" in options), options))
        return [svm_predict([], data, model, "-q")[2] for model in models] + [
            svm_train(y, data, options + " -v 3")
        ]

    expected = answer(rows)
    for name, matrix in forms(rows):
        for found, value in zip(answer(matrix), expected):
            np.testing.assert_allclose(found, value, rtol=0, atol=1e-9, err_msg=name)


def test_scaling():
    expected = csr_find_scale_param(sp.csr_matrix(X), lower=0)
    scaled = csr_scale(sp.csr_matrix(X), expected).toarray()
    for name, matrix in forms(X):
        found = csr_find_scale_param(matrix, lower=0)
        for key, value in expected.items():
            np.testing.assert_allclose(found[key], value, err_msg=name)
        np.testing.assert_allclose(csr_scale(matrix, found).toarray(), scaled, err_msg=name)
