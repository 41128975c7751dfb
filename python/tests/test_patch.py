"""patch_sklearn, and programs that run with it.  Each test has a process of its own."""

import sys

import pytest

pytest.importorskip("sklearn")


def test_names_are_replaced_and_given_back(run_python):
    code = """
import warnings; warnings.simplefilter("error")
import sklearn.svm
names = ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"]
before = {name: getattr(sklearn.svm, name) for name in names}
linear = sklearn.svm.LinearSVC
import csmo
before = dict(zip(names, map(before.pop, names)))
csmo.patch_sklearn()
csmo.patch_sklearn()  # no further effect
for name in names:
    assert getattr(sklearn.svm, name) is getattr(csmo, name)
assert sklearn.svm.LinearSVC is linear
csmo.unpatch_sklearn()
assert {name: getattr(sklearn.svm, name) for name in names} == before
csmo.unpatch_sklearn()
assert csmo.SVC().to_sklearn is not None
"""
    run_python("-c", code)


def test_scikit_learn_works_with_them(run_python, tmp_path):
    code = """
import pickle, csmo
csmo.patch_sklearn()
from sklearn import svm
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
X, y = load_iris(return_X_y=True)
model = svm.SVC(C=10)
assert isinstance(model, svm.SVC) and isinstance(clone(model), csmo.SVC) and is_classifier(model)
search = GridSearchCV(svm.SVC(), {"C": [1, 10]}, cv=2, n_jobs=2).fit(X, y)
assert isinstance(search.best_estimator_, csmo.SVC)
assert cross_val_score(make_pipeline(StandardScaler(), svm.NuSVC(nu=0.1)), X, y).mean() > 0.9
assert OneVsRestClassifier(svm.SVC()).fit(X, y).score(X, y) > 0.9
theirs = csmo.SVC().fit(X, y).to_sklearn()
assert type(theirs) is not svm.SVC and type(theirs).__module__ == "sklearn.svm._classes"
pickle.dump((search.best_estimator_, X), open("model", "wb"))
"""
    run_python("-W", "ignore::ResourceWarning", "-c", code)
    code = """
import pickle, sys
model, X = pickle.load(open("model", "rb"))
print(type(model).__module__.split(".")[0], len(model.predict(X)))
import sklearn.svm
assert not isinstance(model, sklearn.svm.SVC)
"""
    assert run_python("-c", code) == "csmo 150\n"


def test_pickles_of_scikit_learns_estimators_stay_what_they_are(run_python):
    run_python(
        "-c",
        "import pickle, sklearn.svm as s\n"
        "pickle.dump(s.SVC().fit([[0], [1]], [0, 1]), open('theirs', 'wb'))",
    )
    code = """
import pickle, csmo, sklearn.svm
existing = sklearn.svm.SVC().fit([[0], [1]], [0, 1])
csmo.patch_sklearn()
for model in (existing, pickle.load(open("theirs", "rb")), pickle.loads(pickle.dumps(existing))):
    assert type(model).__module__ == "sklearn.svm._classes"
    assert list(model.predict([[0], [1]])) == [0, 1]
"""
    run_python("-c", code)


def test_names_choose_what_is_replaced(run_python):
    code = """
import csmo, sklearn.svm as svm
theirs = svm.SVC, svm.SVR, svm.NuSVC
for wrong in ("LinearSVC", ["SVC", "svr"], [None]):
    try:
        csmo.patch_sklearn(wrong)
    except ValueError as error:
        assert "is none of NuSVC, NuSVR, OneClassSVM, SVC, SVR, GridSearchCV, Rand" in str(error)
    else:
        raise SystemExit(f"{wrong} was accepted")
assert (svm.SVC, svm.SVR, svm.NuSVC) == theirs
csmo.patch_sklearn(["SVC"])
assert svm.SVC is csmo.SVC and svm.SVR is theirs[1]
csmo.patch_sklearn("SVR")
assert (svm.SVC, svm.SVR, svm.NuSVC) == (csmo.SVC, csmo.SVR, theirs[2])
csmo.unpatch_sklearn()
assert (svm.SVC, svm.SVR, svm.NuSVC) == theirs
"""
    run_python("-c", code)


def test_modules_that_were_earlier_are_named(run_python, tmp_path):
    (tmp_path / "early.py").write_text("from sklearn.svm import SVC as Machine\n")
    (tmp_path / "late.py").write_text("from sklearn.svm import SVC\n")
    code = """
import warnings, csmo, early
from sklearn.svm import SVR
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    csmo.patch_sklearn()
import late
print([str(warning.message).split(": ")[-1] for warning in caught])
assert late.SVC is csmo.SVC and early.Machine is not csmo.SVC
"""
    assert run_python("-c", code) == "['__main__, early']\n"


SCRIPT = """
import sys
from sklearn.svm import SVC
class Local: pass
print(__name__, sys.argv, SVC.__module__.split(".")[0], sys.modules["__main__"].Local is Local)
if "help" in sys.argv:
    import beside
    print(beside.answer)
if "fail" in sys.argv:
    sys.exit(3)
"""


def test_unchanged_scripts(run_python, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    script = folder / "script.py"
    script.write_text(SCRIPT)
    (folder / "beside.py").write_text("answer = 42\n")
    expected = "__main__ ['{}', 'help', '-m'] csmo True\n{}\n"
    assert run_python("-m", "csmo", script, "help", "-m") == expected.format(script, 42)
    (tmp_path / "beside.py").write_text("answer = 43\n")
    (tmp_path / "module.py").write_text(SCRIPT)
    printed = run_python("-m", "csmo", "-m", "module", "help", "-m")
    assert printed == expected.format(tmp_path / "module.py", 43)
    assert run_python("-m", "csmo", script, "fail", expect=3) == ""
    script.write_text("from sklearn.model_selection import GridSearchCV as C; print(C.__module__)")
    assert run_python("-m", "csmo", script) == "sklearn.model_selection._search\n"
    assert run_python("-m", "csmo", "--searches", script) == "csmo._stand_ins\n"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="this Python has no option -P")
def test_scripts_with_a_safe_path(run_python, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys; print(sys.path)")
    path = run_python("-P", "-c", script.read_text())
    assert run_python("-P", "-m", "csmo", script) == path


def test_the_command_tells_its_usage(run_python):
    assert run_python("-m", "csmo", "--help").startswith("usage: python3 -m csmo [--searches] SC")
    for words in ([], ["-m"], ["-c", "pass"], ["--searches"]):
        assert run_python("-m", "csmo", *words, expect=2).startswith("usage:")
    assert "there is no file 'none.py'" in run_python("-m", "csmo", "none.py", expect=1)
