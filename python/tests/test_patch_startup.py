"""CSMO_PATCH of the environment, and the extension of IPython."""

import pytest

pytest.importorskip("sklearn")

SHOW = """
import sys, sklearn.svm, sklearn.model_selection
kinds = [getattr(sklearn.svm, name) for name in ("NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVR")]
kinds += [sklearn.model_selection.GridSearchCV, sklearn.model_selection.RandomizedSearchCV]
print(*(kind.__name__ for kind in kinds if kind.__module__.startswith("csmo.")))
assert not any(type(finder).__module__ == "csmo._startup" for finder in sys.meta_path)
assert type(sklearn.svm.__loader__) is type(sklearn.__loader__) is type(sklearn.svm.__spec__.loader)
"""
ALL = "NuSVC NuSVR OneClassSVM SVC SVR"


@pytest.mark.parametrize(
    "value, first, expected",
    [
        ("1", "from sklearn.svm import SVC; assert SVC.__module__ == 'csmo._classifiers'", ALL),
        ("1", "import csmo; assert csmo.SVC.__module__ == 'csmo._classifiers'", ALL),
        ("1", "import sklearn.calibration", ALL),
        ("1", "import importlib.util as u; assert u.find_spec('sklearn.svm')", ALL),
        ("SVC, GridSearchCV", "import sklearn.linear_model", "SVC GridSearchCV"),
        ("SVR,GridSearchCV,RandomizedSearchCV", "import csmo; csmo.GridSearchSVC",
         "SVR GridSearchCV RandomizedSearchCV"),
        ("RandomizedSearchCV", "from sklearn.model_selection import RandomizedSearchCV",
         "RandomizedSearchCV"),
        ("SVC", "import csmo; csmo.patch_sklearn()", ALL),
    ],
)  # fmt: skip
def test_the_environment_patches(run_python, value, first, expected):
    assert run_python("-W", "error", "-c", first + SHOW, CSMO_PATCH=value).strip() == expected


MODELS = """
import joblib, pickle, csmo
from sklearn.pipeline import make_pipeline
model = csmo.SVC().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
search = csmo.GridSearchSVC(model, {"C": [1, 2]}, cv=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
for name, kept in (("model", model), ("pipeline", make_pipeline(model)), ("search", search)):
    joblib.dump(kept, name + ".joblib")
    with open(name + ".pickle", "wb") as file:
        pickle.dump(kept, file)
"""


@pytest.mark.parametrize("name", ["model", "pipeline", "search"])
@pytest.mark.parametrize("value, expected", [("1", ALL), ("SVC,GridSearchCV", "SVC GridSearchCV")])
def test_a_pickle_may_be_what_first_imports_the_package(run_python, name, value, expected):
    run_python("-W", "ignore", "-c", MODELS)
    for first in (
        f"import joblib; joblib.load('{name}.joblib')",
        f"import pickle; pickle.load(open('{name}.pickle', 'rb'))",
    ):
        words = "-W", "error", "-W", "ignore::ResourceWarning", "-c", first + SHOW
        assert run_python(*words, CSMO_PATCH=value).strip() == expected


@pytest.mark.parametrize("room", ["classifiers", "regressors", "one_class", "machine", "search"])
def test_any_module_may_be_the_first(run_python, room):
    for value, expected in (("1", ALL), ("SVC,GridSearchCV", "SVC GridSearchCV")):
        first = f"import csmo._{room}"
        assert run_python("-W", "error", "-c", first + SHOW, CSMO_PATCH=value).strip() == expected


def test_modules_that_are_run_and_read_as_usual(run_python):
    """The loaders of scikit-learn's and csmo's modules have all that those of others have."""
    code = """
import importlib.util, pkgutil
spec = importlib.util.find_spec("csmo._rows")
assert b"Rows" in pkgutil.get_data("csmo", "_rows.py") and "Rows" in spec.loader.get_source(spec.name)
"""
    run_python("-W", "error", "-c", code, CSMO_PATCH="1")
    (help_text,) = {run_python("-m", "csmo", "--help", CSMO_PATCH=value) for value in ("1", "0")}
    assert help_text.startswith("usage: ")


def test_modules_and_workers_are_patched(run_python, tmp_path):
    (tmp_path / "work.py").write_text(
        "def kind(_):\n    from sklearn.svm import SVC\n    return SVC.__module__\n"
    )
    code = """
import joblib, subprocess, sys, work
parallel = joblib.Parallel(n_jobs=2, backend="loky")
print(*set(parallel(joblib.delayed(work.kind)(i) for i in range(4))))
import sklearn.svm  # a task with such an estimator is what first imports csmo in another process
parallel = joblib.Parallel(n_jobs=1, backend="loky")
from joblib.externals.loky import get_reusable_executor
get_reusable_executor().shutdown(wait=True)
parallel = joblib.Parallel(n_jobs=2, backend="loky")
print(*set(parallel(joblib.delayed(work.kind)(sklearn.svm.SVC()) for i in range(4))))
child = "import work; print(work.kind(0))"
print(subprocess.run([sys.executable, "-c", child], stdout=subprocess.PIPE, text=True).stdout)
"""
    printed = run_python("-W", "ignore", "-c", code, CSMO_PATCH="1")
    assert printed.split() == ["csmo._classifiers"] * 3


LOADED = """
import sys
print(*sorted(name for name in sys.modules if name.split(".")[0] in ("csmo", "numpy", "sklearn")))
"""


def test_nothing_large_is_imported_at_the_start(run_python):
    assert run_python("-c", LOADED, CSMO_PATCH="1") == "csmo csmo._patch csmo._startup\n"
    for off in ("0", ""):
        assert run_python("-c", LOADED, CSMO_PATCH=off) == "\n"


def test_a_wrong_value_is_a_warning(run_python):
    code = "import sys; print(sys.meta_path); sys.exit(4)"
    for wrong in ("yes", "SVC,", "1,SVC"):
        warned = run_python("-c", code, CSMO_PATCH=wrong, expect=4)
        assert f"UserWarning: CSMO_PATCH={wrong}: nothing is patched: it is not 1, and" in warned
        assert "is none of NuSVC, NuSVR, OneClassSVM, SVC, SVR, GridSearchCV" in warned


def test_a_patch_that_fails_is_a_warning(run_python, tmp_path):
    """As with a version of scikit-learn that is too old."""
    (tmp_path / "sklearn").mkdir()
    for name in ("__init__", "svm", "model_selection"):
        (tmp_path / "sklearn" / f"{name}.py").write_text("SVC = GridSearchCV = 5")
    code = """
import sys
from sklearn.svm import SVC
from sklearn.model_selection import GridSearchCV
sys.exit(SVC + GridSearchCV)
"""
    warned = run_python("-c", code, CSMO_PATCH="SVC,GridSearchCV", expect=10)
    for name in ("svm", "model_selection"):
        assert f"UserWarning: CSMO_PATCH: sklearn.{name} is not patched: " in warned


def test_extension_of_ipython(run_python):
    code = """
import csmo, sklearn.svm
theirs = sklearn.svm.SVC
csmo.load_ipython_extension(None)
assert sklearn.svm.SVC is csmo.SVC
csmo.unload_ipython_extension(None)
assert sklearn.svm.SVC is theirs
"""
    run_python("-c", code)


def test_magics_of_ipython(run_python, tmp_path):
    pytest.importorskip("IPython")
    code = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("%load_ext csmo", silent=True).raise_error()
shell.run_cell("from sklearn.svm import SVC; print(SVC.__module__)").raise_error()
shell.run_cell("%unload_ext csmo", silent=True).raise_error()
shell.run_cell("from sklearn.svm import SVC; print(SVC.__module__)").raise_error()
"""
    printed = run_python("-c", code, IPYTHONDIR=str(tmp_path / "ipython"))
    assert printed.split() == ["csmo._classifiers", "sklearn.svm._classes"]
