"""Frames and series of polars as X and y.

A stand-in has what scikit-learn uses of them, and polars itself is tested if it is installed.
"""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402


class Series:
    """As polars has it: a type that is none of numpy's, and no indices that are booleans."""

    def __init__(self, values):
        self._values = np.asarray(values)
        self.shape = self._values.shape
        self.dtype = "a type of polars"

    def __len__(self):
        return len(self._values)

    def __getitem__(self, key):
        if isinstance(key, (int, np.integer)):
            return self._values[key].item()
        if isinstance(key, np.ndarray) and key.dtype.kind not in "iu":
            raise TypeError(f"cannot select elements using {key.dtype}")
        return Series(self._values[key])

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)


class DataFrame:
    """As polars has it: columns by names, rows by whole numbers."""

    def __init__(self, columns):
        self._columns = {name: np.asarray(values) for name, values in columns.items()}
        self.columns = list(columns)
        self.dtypes = ["a type of polars"] * len(columns)
        self.shape = (len(self._columns[self.columns[0]]), len(columns))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        if isinstance(key, str):
            return Series(self._columns[key])
        if not isinstance(key, slice) and np.asarray(key).dtype.kind not in "iu":
            raise TypeError(f"cannot select columns using {key!r}")
        return DataFrame({name: values[key] for name, values in self._columns.items()})

    def __array__(self, dtype=None, copy=None):
        return np.array(np.column_stack(list(self._columns.values())), dtype=dtype)

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self

    def column_names(self):
        return self.columns


@pytest.fixture(params=["stand-in", "polars"])
def frames(request):
    """The types of a frame and of a series."""
    if request.param == "stand-in":
        return DataFrame, Series
    polars = pytest.importorskip("polars")
    return polars.DataFrame, polars.Series


def framed(frames, X, y):
    frame, series = frames
    columns = {f"column {i}": X[:, i] for i in range(X.shape[1])}
    return frame(columns), series(y.tolist()), list(columns)


CASES = {
    "SVC": (csmo.SVC(), iris),
    "NuSVC": (csmo.NuSVC(nu=0.1), iris),
    "SVR": (csmo.SVR(C=100), diabetes),
    "NuSVR": (csmo.NuSVR(C=100), diabetes),
    "OneClassSVM": (csmo.OneClassSVM(), iris),
    "LinearSVC": (csmo.LinearSVC(random_state=0), iris),
    "LinearSVR": (csmo.LinearSVR(random_state=0), diabetes),
    "NystroemSVC": (csmo.NystroemSVC(random_state=0), iris),
    "ForestSVC": (csmo.ForestSVC(cell_size=50, random_state=0), iris),
    "ForestSVR": (csmo.ForestSVR(cell_size=50, random_state=0), diabetes),
    "support_only": (csmo.SVC(kernel=lambda a, b: np.asarray(a) @ np.asarray(b).T,
                              support_only=True), iris),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", CASES)
def test_estimators(frames, name):
    model, data = CASES[name]
    X, y = data()
    expected = model.fit(X, y).predict(X)
    table, labels, columns = framed(frames, X, y)
    np.testing.assert_array_equal(model.fit(table, labels).predict(table), expected)
    if name != "support_only":  # rows for a function may be anything
        assert list(model.feature_names_in_) == columns
    if hasattr(model, "score"):
        assert model.score(table, labels) == model.score(table, y)


def test_weights(frames):
    X, y = iris()
    table, labels, _ = framed(frames, X, y)
    weights = 1 + X[:, 0]
    expected = csmo.SVC().fit(X, y, sample_weight=weights)
    model = csmo.SVC().fit(table, labels, sample_weight=frames[1](weights.tolist()))
    np.testing.assert_array_equal(model.decision_function(table), expected.decision_function(X))
    np.testing.assert_array_equal(model.predict(table), expected.predict(X))


@pytest.mark.parametrize(
    "machine, data, name",
    [
        (csmo.SVC(), iris, "C"),
        (csmo.SVR(), diabetes, "C"),
        (make_pipeline(StandardScaler(), csmo.SVC()), iris, "svc__C"),
    ],
)
def test_searches(frames, machine, data, name):
    X, y = data()
    table, labels, columns = framed(frames, X, y)
    expected = csmo.GridSearchSVC(machine, {name: [1, 10]}, cv=3).fit(X, y)
    search = csmo.GridSearchSVC(machine, {name: [1, 10]}, cv=3).fit(table, labels)
    assert search.engine_ == "csmo" and list(search.feature_names_in_) == columns
    for key in ("mean_test_score", "std_test_score"):
        np.testing.assert_array_equal(search.cv_results_[key], expected.cv_results_[key])
    np.testing.assert_array_equal(search.predict(table), expected.predict(X))
