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


def test_modules_and_workers_are_patched(run_python, tmp_path):
    (tmp_path / "work.py").write_text(
        "def kind(_):\n    from sklearn.svm import SVC\n    return SVC.__module__\n"
    )
    code = """
import joblib, subprocess, sys, work
parallel = joblib.Parallel(n_jobs=2, backend="loky")
print(*set(parallel(joblib.delayed(work.kind)(i) for i in range(4))))
child = "import work; print(work.kind(0))"
print(subprocess.run([sys.executable, "-c", child], stdout=subprocess.PIPE, text=True).stdout)
"""
    printed = run_python("-W", "ignore", "-c", code, CSMO_PATCH="1")
    assert printed.split() == ["csmo._classifiers"] * 2


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
    assert warned.count("UserWarning: CSMO_PATCH: scikit-learn is not patched: ") == 2


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
