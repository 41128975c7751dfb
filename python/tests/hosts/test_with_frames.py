"""Pipelines and ColumnTransformer that hand frames of pandas and polars to the estimators."""

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.4")  # output of polars

from sklearn import svm  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402

import csmo  # noqa: E402
from reference import diabetes, iris  # noqa: E402

NUMBERS = ["length", "width", "height", "weight"]
FEATURES = [*NUMBERS, "colour_blue", "colour_green", "colour_red"]


def table(package, values):
    """A frame with a column of words, which tells nothing."""
    colours = np.array(["red", "green", "blue"])[np.arange(len(values)) % 3]
    numbers = {name: values[:, i] for i, name in enumerate(NUMBERS)}
    return package.DataFrame({**numbers, "colour": colours})


def pipeline(machine, output):
    columns = make_column_transformer(
        (StandardScaler(), NUMBERS),
        (OneHotEncoder(sparse_output=False), ["colour"]),
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, machine).set_output(transform=output)


@pytest.fixture(params=["pandas", "polars"])
def package(request):
    return pytest.importorskip(request.param)


@pytest.fixture(params=["default", "pandas", "polars"])
def output(request):
    if request.param != "default":
        pytest.importorskip(request.param)
    return request.param


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "LinearSVC", "ForestSVC", "SVR", "OneClassSVM"])
def test_estimators(package, output, name):
    X, y = diabetes() if name == "SVR" else iris()
    rows, targets = table(package, X), package.Series(y.tolist())
    machine = getattr(csmo, name)()
    machine.set_params(**{"random_state": 0} if hasattr(machine, "random_state") else {})
    model = pipeline(machine, output).fit(rows, targets)
    assert list(getattr(model[-1], "feature_names_in_", [])) == [FEATURES, []][output == "default"]
    values = np.asarray(model[:-1].transform(rows), dtype=np.float64)
    assert values.shape == (len(X), len(FEATURES))
    expected = clone(machine).fit(values, y).predict(values)
    if name == "SVR":
        np.testing.assert_allclose(model.predict(rows), expected, rtol=1e-9)
    else:
        np.testing.assert_array_equal(model.predict(rows), expected)


def test_names_that_differ(package):
    X, y = iris()
    rows = table(package, X)
    model = csmo.SVC().fit(rows[NUMBERS], y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(rows[NUMBERS[::-1]])


@pytest.mark.parametrize("search", ["GridSearchSVC", "GridSearchCV"])
def test_searches(package, output, search):
    X, y = iris()
    rows, labels = table(package, X), package.Series(y.tolist())
    kind = getattr(csmo, search, GridSearchCV)
    grid = {"svc__C": [0.1, 1, 10]}
    found = kind(pipeline(csmo.SVC(), output), grid, cv=3).fit(rows, labels)
    theirs = GridSearchCV(pipeline(svm.SVC(), output), grid, cv=3).fit(rows, labels)
    assert getattr(found, "engine_", "csmo") == "csmo"
    for key in ("mean_test_score", "rank_test_score"):
        np.testing.assert_array_equal(found.cv_results_[key], theirs.cv_results_[key])
    np.testing.assert_array_equal(found.predict(rows), theirs.predict(rows))
