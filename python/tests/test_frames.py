"""Frames and series of pandas and polars, where these are installed, as X and y."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402


@pytest.fixture(params=["pandas", "polars"])
def frames(request):
    """The types of a frame and of a series."""
    package = pytest.importorskip(request.param)
    return package.DataFrame, package.Series


def framed(frames, X, y):
    frame, series = frames
    columns = {f"column {i}": X[:, i] for i in range(X.shape[1])}
    return frame(columns), series(y.tolist()), list(columns)


def names(estimator):
    return list(getattr(estimator, "feature_names_in_", []))


def known(table, columns):
    """The columns; or none if scikit-learn does not know those of frames of polars, as versions
    before 1.9 and polars 2 do not go together."""
    found = names(StandardScaler().fit(table))
    assert found == columns or (not found and "polars" in type(table).__module__)
    return found


# gamma="scale" asks numpy for the variance, whose last digits depend on how rows are stored.
G = {"gamma": 0.1}
CASES = {
    "SVC": (csmo.SVC(**G), iris),
    "NuSVC": (csmo.NuSVC(nu=0.1, **G), iris),
    "SVR": (csmo.SVR(C=100, **G), diabetes),
    "NuSVR": (csmo.NuSVR(C=100, **G), diabetes),
    "OneClassSVM": (csmo.OneClassSVM(**G), iris),
    "LinearSVC": (csmo.LinearSVC(random_state=0), iris),
    "LinearSVR": (csmo.LinearSVR(random_state=0), diabetes),
    "NystroemSVC": (csmo.NystroemSVC(random_state=0, **G), iris),
    "ForestSVC": (csmo.ForestSVC(cell_size=50, random_state=0, **G), iris),
    "ForestSVR": (csmo.ForestSVR(cell_size=50, random_state=0, **G), diabetes),
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
        assert names(model) == known(table, columns)
    if hasattr(model, "score"):
        assert model.score(table, labels) == model.score(table, y)


def test_weights(frames):
    X, y = iris()
    table, labels, _ = framed(frames, X, y)
    weights = 1 + X[:, 0]
    expected = csmo.SVC(**G).fit(X, y, sample_weight=weights)
    model = csmo.SVC(**G).fit(table, labels, sample_weight=frames[1](weights.tolist()))
    np.testing.assert_array_equal(model.decision_function(table), expected.decision_function(X))
    np.testing.assert_array_equal(model.predict(table), expected.predict(X))


@pytest.mark.parametrize(
    "machine, data, name",
    [
        (csmo.SVC(**G), iris, "C"),
        (csmo.SVR(**G), diabetes, "C"),
        (make_pipeline(StandardScaler(), csmo.SVC(**G)), iris, "svc__C"),
    ],
)
def test_searches(frames, machine, data, name):
    X, y = data()
    table, labels, columns = framed(frames, X, y)
    try:
        train_test_split(table, labels)
    except ValueError:  # scikit-learn 1.4 and polars 2
        assert "polars" in type(table).__module__
        pytest.skip("the installed scikit-learn cannot split frames of the installed polars")
    expected = csmo.GridSearchSVC(machine, {name: [1, 10]}, cv=3).fit(X, y)
    search = csmo.GridSearchSVC(machine, {name: [1, 10]}, cv=3).fit(table, labels)
    assert search.engine_ == "csmo" and names(search) == known(table, columns)
    for key in ("mean_test_score", "std_test_score"):
        np.testing.assert_array_equal(search.cv_results_[key], expected.cv_results_[key])
    np.testing.assert_array_equal(search.predict(table), expected.predict(X))
