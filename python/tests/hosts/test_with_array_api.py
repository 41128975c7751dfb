"""Arrays of other libraries as X, y and sample_weight, whether or not scikit-learn dispatches on
them: results are arrays of numpy."""

import importlib.util

import pytest

pytest.importorskip("sklearn", minversion="1.4")

PROGRAM = """
import sys, warnings
import numpy as np
import sklearn
import csmo
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.exceptions import ConvergenceWarning
warnings.simplefilter("ignore", ConvergenceWarning)
library = __import__(sys.argv[1])
X, y = load_iris(return_X_y=True)
weights = 1 + np.arange(len(y)) % 3
names = ["SVC", "NuSVC", "LinearSVC", "ForestSVC", "NystroemSVC"]
names += ["SVR", "NuSVR", "LinearSVR", "ForestSVR", "OneClassSVM", "function"]
count = 0
for name in names:
    if name == "function":
        model = csmo.SVC(kernel=lambda a, b: np.asarray(a) @ np.asarray(b).T)
    else:
        model = getattr(csmo, name)()
    if hasattr(model, "random_state"):
        model.set_params(random_state=0)
    targets = y * 1.0 if name.endswith("SVR") else y
    values = X, targets, weights * 1.0
    expected = model.fit(*values[:2], sample_weight=values[2]).predict(X)
    with sklearn.config_context(array_api_dispatch=sys.argv[2] == "dispatch"):
        rows, labels, factors = map(library.asarray, values)
        found = model.fit(rows, labels, sample_weight=factors).predict(rows)
        assert type(found) is np.ndarray, type(found)
        np.testing.assert_array_equal(found, expected)
        if name == "SVC":
            scaled = make_pipeline(StandardScaler(), model).fit(rows, labels)
            assert type(scaled.predict(rows)) is np.ndarray
            assert type(scaled.decision_function(rows)) is np.ndarray
            assert cross_val_score(scaled, X, y).min() > 0.9
    count += 1
print(count)
"""


@pytest.mark.parametrize("dispatch", ["dispatch", "no dispatch"])
@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_arrays(run_python, library, dispatch):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"no {library}")
    assert run_python("-c", PROGRAM, library, dispatch, SCIPY_ARRAY_API="1") == "11\n"


def test_scores_and_searches_with_dispatch(run_python):
    """scikit-learn's metrics take two kinds of arrays since 1.8."""
    pytest.importorskip("sklearn", minversion="1.8")
    pytest.importorskip("array_api_strict")
    program = """
import array_api_strict as xp, sklearn, csmo
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
X, y = load_iris(return_X_y=True)
score, scores = csmo.SVC().fit(X, y).score(X, y), cross_val_score(csmo.SVC(), X, y)
search = csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10]}).fit(X, y)
sklearn.set_config(array_api_dispatch=True)
rows, labels = xp.asarray(X), xp.asarray(y)
assert csmo.SVC().fit(rows, labels).score(rows, labels) == score
assert (cross_val_score(csmo.SVC(), rows, labels) == scores).all()
again = csmo.GridSearchSVC(csmo.SVC(), {"C": [1, 10]}).fit(rows, labels)
assert again.best_score_ == search.best_score_ and again.best_params_ == search.best_params_
print(score > 0.9)
"""
    assert run_python("-c", program, SCIPY_ARRAY_API="1") == "True\n"
