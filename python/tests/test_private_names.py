"""The private names of scikit-learn, and what is done without them."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

import scipy.sparse as sp  # noqa: E402
import sklearn  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo._compat as compat  # noqa: E402
from csmo import SVC  # noqa: E402

VERSION = tuple(map(int, re.findall(r"\d+", sklearn.__version__)[:2]))
SINCE = {"_align_api_if_sparse": (1, 9)}
KNOWN = [(module, name) for module, name, _ in compat.PRIVATE]


@pytest.mark.parametrize("module, name", KNOWN)
def test_a_private_name_is_where_it_was(module, name):
    if VERSION < SINCE.get(name, (1, 2)):
        pytest.skip(f"scikit-learn {sklearn.__version__} does not have it yet")
    moved = f"scikit-learn {sklearn.__version__} has no {module}.{name}: see csmo/_compat.py"
    assert hasattr(importlib.import_module(module), name), moved


def test_private_methods_and_attributes_are_where_they_were():
    assert hasattr(BaseEstimator, "_validate_params"), "see check_parameters of csmo/_compat.py"
    assert compat.constraints_of(svm.SVC), "see constraints_of of csmo/_compat.py"
    if VERSION < (1, 6):
        assert hasattr(BaseEstimator, "_validate_data"), "see validate_data of csmo/_compat.py"


def test_no_other_module_imports_private_names():
    """Not those of scikit-learn, by a statement that has one."""
    folder = Path(compat.__file__).parent
    private = re.compile(r"^\s*(from|import) sklearn(\S*\._|.* import .*\b_)")
    for path in folder.glob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert path.name == "_compat.py" or not private.match(line), f"{path.name}: {line}"


def without(name):
    (found,) = [replacement for _, known, replacement in compat.PRIVATE if known == name]
    return found


@pytest.mark.parametrize(
    "X", [np.arange(12.0).reshape(6, 2), sp.csr_matrix(np.eye(6)), [[k, -k] for k in range(6)]]
)
def test_rows_without_private_names(X):
    assert without("_num_samples")(X) == compat.num_samples(X) == 6
    for rows in (np.array([4, 1]), np.arange(6) > 3):
        if isinstance(X, list) and rows.dtype == bool:
            continue  # searches and estimators pass numbers of rows
        both = without("_safe_indexing")(X, rows), compat.safe_indexing(X, rows)
        dense = [part.toarray() if sp.issparse(part) else np.asarray(part) for part in both]
        np.testing.assert_array_equal(*dense)


@pytest.mark.parametrize(
    "estimator",
    [
        SVC(),
        SVC(kernel="precomputed"),
        make_pipeline(SVC(kernel="precomputed")),
        make_pipeline(StandardScaler(), SVC()),
    ],
)
def test_parts_without_private_names(estimator):
    X, y = np.arange(36.0).reshape(6, 6), np.arange(6)
    train, test = np.array([0, 2, 3]), np.array([5, 1])
    for rows in ((train,), (test, train)):
        found = without("_safe_split")(estimator, X, y, *rows)
        for one, other in zip(found, compat.safe_split(estimator, X, y, *rows)):
            np.testing.assert_array_equal(one, other)
    assert without("_safe_split")(estimator, X, None, train)[1] is None


def test_weights_without_private_names():
    X = np.zeros((3, 1))
    check = without("_check_sample_weight")
    for weights in ([1, 0, 2.5], 2, np.ones(3, dtype=np.float32)):
        np.testing.assert_array_equal(
            check(weights, X, dtype=np.float64), compat.check_weights(weights, X)
        )
    for wrong in ([1, 2], [[1], [1], [1]], [1, 2, np.nan]):
        with pytest.raises(ValueError):
            check(wrong, X, dtype=np.float64)


def test_constraints_without_private_names(run_python):
    """Estimators work and are checked by the library if scikit-learn has no constraints."""
    code = """
import importlib, sklearn.base, sklearn.svm
import_module = importlib.import_module

def all_but_one(name, *more):
    if name == "sklearn.utils._param_validation":
        raise ImportError("it has moved")
    return import_module(name, *more)

importlib.import_module = all_but_one
import csmo, csmo._compat
assert csmo._compat.StrOptions({"a"}) is object
kinds = "SVC NuSVC SVR NuSVR OneClassSVM ForestSVC LinearSVC NystroemSVC"
for name in kinds.split():
    getattr(csmo, name)().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
try:
    csmo.SVC(solver="none").fit([[0.0], [1.0]], [0, 1])
except ValueError as error:
    assert "none" in str(error), error
else:
    raise SystemExit("a solver that is not there")
"""
    run_python("-W", "ignore", "-c", code)
