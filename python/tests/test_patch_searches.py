"""The searches that patch_sklearn puts into sklearn.model_selection."""

import pytest

pytest.importorskip("sklearn")

START = """
import pickle, warnings
import numpy as np
from sklearn import model_selection
theirs = (model_selection.GridSearchCV, model_selection.RandomizedSearchCV)
import csmo
csmo.patch_sklearn(searches=True)
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM
X, y = load_iris(return_X_y=True)
grid = {"C": [1, 10], "gamma": [0.1, 1]}
"""


@pytest.fixture
def run_patched(run_python):
    """Runs code in which a warning is an error."""
    return lambda code: run_python("-W", "error", "-c", START + code)


def test_searches_over_our_machines_are_by_the_engine(run_patched, run_python):
    code = """
search = GridSearchCV(SVC(), grid, cv=3)
assert isinstance(search, GridSearchCV) and isinstance(search, theirs[0])
assert search.get_params().keys() == theirs[0](SVC(), grid).get_params().keys()
assert "GridSearchCV(cv=3, estimator=SVC()" in repr(search)
assert search.fit(X, y) is search and search.engine_ == "csmo"
expected = theirs[0](SVC(), grid, cv=3).fit(X, y).cv_results_["mean_test_score"]
np.testing.assert_array_equal(search.cv_results_["mean_test_score"], expected)
assert isinstance(search.best_estimator_, csmo.SVC) and search.score(X, y) > 0.9
assert not hasattr(clone(search), "best_score_")
search.set_params(refit=False).fit(X, y)
assert not hasattr(search, "best_estimator_")

piped = GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1, 10]}, cv=3)
assert piped.fit(X, y, svc__sample_weight=np.ones(150)).engine_ == "csmo"
with open("search", "wb") as file:
    pickle.dump((piped, X), file)

csmo.unpatch_sklearn()
assert (model_selection.GridSearchCV, model_selection.RandomizedSearchCV) == theirs
"""
    run_patched(code)
    code = """
import pickle, sys
search, X = pickle.load(open("search", "rb"))
assert len(search.predict(X)) == 150 and search.best_params_["svc__C"] in (1, 10)
from sklearn.model_selection import GridSearchCV
assert type(search) is not GridSearchCV and isinstance(search, GridSearchCV)
"""
    run_python("-W", "ignore::ResourceWarning", "-c", code)


def test_other_searches_are_scikit_learns(run_patched):
    """Without a warning, which here would be an error."""
    code = """
def scores(search):
    return search.fit(X, y).cv_results_["mean_test_score"]

for mine, other, options in (
    (GridSearchCV, theirs[0], {}),
    (RandomizedSearchCV, theirs[1], {"n_iter": 2, "random_state": 0}),
):
    cases = [
        (RidgeClassifier(), {"alpha": [1, 10]}, {}),
        (make_pipeline(RidgeClassifier()), {"ridgeclassifier__alpha": [1, 9]}, {}),
        (OneClassSVM(), {"nu": [0.1, 0.2]}, {"scoring": lambda model, X, y: len(model.support_)}),
        (theirs[0](SVC(), {"C": [1]}, cv=2), {"cv": [2, 3]}, {}),
    ]
    for estimator, points, more in cases:
        search = mine(estimator, points, cv=3, **options, **more)
        np.testing.assert_array_equal(
            scores(search), scores(other(estimator, points, cv=3, **options, **more))
        )
        assert not hasattr(search, "engine_")

    class Derived(mine):
        def fit(self, X, y):
            return super().fit(X, y)

    assert not hasattr(Derived(SVC(), {"C": [1, 2]}, **options).fit(X, y), "engine_")

from sklearn.experimental import enable_halving_search_cv
from sklearn.model_selection import HalvingGridSearchCV
assert not issubclass(HalvingGridSearchCV, GridSearchCV)
halving = HalvingGridSearchCV(SVC(), grid, random_state=0, min_resources=50).fit(X, y)
assert isinstance(halving.best_estimator_, csmo.SVC) and not hasattr(halving, "engine_")
"""
    run_patched(code)


def test_what_the_engine_cannot_do_is_a_note(run_patched):
    code = """
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.filterwarnings("ignore", category=FutureWarning)  # of probability, since 1.9
    machine = SVC(probability=True, random_state=0)
    search = GridSearchCV(machine, grid, cv=3, scoring="neg_log_loss").fit(X, y)
assert search.best_score_ > -0.5
assert [warning.category for warning in caught] == [csmo.SearchNote]
"""
    run_patched(code)


def test_random_searches(run_patched):
    code = """
search = RandomizedSearchCV(SVC(), {"C": [1, 2, 5, 10]}, n_iter=3, cv=3, random_state=0).fit(X, y)
assert len(search.cv_results_["params"]) == 3 and isinstance(search.best_estimator_, csmo.SVC)
assert search.engine_ == "csmo"
expected = theirs[1](SVC(), {"C": [1, 2, 5, 10]}, n_iter=3, cv=3, random_state=0).fit(X, y)
assert search.cv_results_["params"] == expected.cv_results_["params"]
"""
    run_patched(code)


def test_ctrl_c_keeps_the_results_so_far(run_patched):
    code = """
import csmo._search

class Interrupted(csmo._search.Trainings):
    def run(self, points, kernel_rows):
        super().run(points[:3], kernel_rows)
        raise KeyboardInterrupt

search = GridSearchCV(SVC(), grid).fit(X, y)
csmo._search.Trainings = Interrupted
try:
    search.set_params(param_grid={"C": [10, 1], "gamma": [0.1, 1]}).fit(X, y)
except KeyboardInterrupt:
    assert np.isnan(search.cv_results_["mean_test_score"]).tolist() == [False] * 3 + [True]
    assert search.best_params_["C"] in (1, 10) and not hasattr(search, "best_estimator_")
else:
    raise SystemExit("not interrupted")
"""
    run_patched(code)


def test_modules_that_were_earlier_are_named(run_python, tmp_path):
    (tmp_path / "early.py").write_text("from sklearn.model_selection import GridSearchCV as Grid\n")
    code = """
import warnings, csmo, early
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    csmo.patch_sklearn()
    assert caught == []
    csmo.patch_sklearn("GridSearchCV")
print([str(warning.message).split(": ")[-1] for warning in caught])
"""
    assert run_python("-c", code) == "['early']\n"
