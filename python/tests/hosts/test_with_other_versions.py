"""Pickles that another Python wrote, with an older or a newer scikit-learn, and pickles for it.

CSMO_OTHER_PYTHON names that Python, which needs scikit-learn only.
"""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

OTHER = os.environ.get("CSMO_OTHER_PYTHON", "")
if not OTHER:
    pytest.skip("CSMO_OTHER_PYTHON names no other Python", allow_module_level=True)

CASES = """
import pickle, sys, warnings
import numpy as np
import sklearn
import csmo
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
warnings.simplefilter("ignore")
X, y = load_iris(return_X_y=True)
R, t = np.hstack([X, X * X]), 3 * X[:, 0] - X[:, 1] + 1  # the same bits everywhere
words = np.array(["a", "b", "c"])[y]

def made():
    yield "SVC", csmo.SVC(C=10, gamma=0.1).fit(X, words)
    yield "SVC, probability", csmo.SVC(probability=True, random_state=0).fit(X, y)
    yield "SVC, sparse", csmo.SVC().fit(sparse(X), y)
    yield "NuSVC", csmo.NuSVC(nu=0.1).fit(X, words)
    yield "LinearSVC", csmo.LinearSVC(random_state=0).fit(X, words)
    yield "NystroemSVC", csmo.NystroemSVC(random_state=0).fit(X, words)
    yield "ForestSVC", csmo.ForestSVC(random_state=0).fit(X, words)
    yield "SVR", csmo.SVR(C=10).fit(R, t)
    yield "NuSVR", csmo.NuSVR(C=10).fit(R, t)
    yield "LinearSVR", csmo.LinearSVR(random_state=0).fit(R, t)
    yield "ForestSVR", csmo.ForestSVR(random_state=0).fit(R, t)
    yield "OneClassSVM", csmo.OneClassSVM().fit(R)
    yield "pipeline", make_pipeline(StandardScaler(), csmo.SVC()).fit(X, y)

def sparse(rows):
    from scipy.sparse import csr_matrix
    return csr_matrix(rows)

def answers(model):
    rows = R if model.n_features_in_ == R.shape[1] else X
    rows = sparse(rows) if getattr(model, "_sparse", False) else rows
    names = ["predict", "decision_function", "predict_proba"]
    return [getattr(model, name)(rows).tolist() for name in names if hasattr(model, name)]

def dump(file):
    cases = {name: (pickle.dumps(model, 4), answers(model)) for name, model in made()}
    pickle.dump((sklearn.__version__, cases), open(file, "wb"), 4)

def loaded(file):
    version, cases = pickle.load(open(file, "rb"))
    for name, (text, expected) in cases.items():
        yield name, pickle.loads(text), expected

def check(file):
    for name, model, expected in loaded(file):
        assert answers(model) == expected, name
        print(name)
"""


def run(python, code, folder, python_folder):
    environment = {**os.environ, "PYTHONPATH": str(python_folder), "CSMO_PATCH": ""}
    done = subprocess.run(
        [python, "-B", "-c", CASES + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("direction", ["from it", "for it"])
def test_pickles(direction, tmp_path, python_folder):
    writer, reader = (OTHER, sys.executable) if direction == "from it" else (sys.executable, OTHER)
    versions = [
        run(each, "print(np.__version__)", tmp_path, python_folder)[0] for each in (writer, reader)
    ]
    if versions[0].startswith("2") and versions[1] < "1.26":
        pytest.skip(f"numpy {versions[1]} does not read arrays that numpy {versions[0]} pickled")
    run(writer, "dump('models')", tmp_path, python_folder)
    assert len(run(reader, "check('models')", tmp_path, python_folder)) == 13


def test_estimators_of_the_other_version_are_fitted_again(tmp_path, python_folder):
    run(OTHER, "dump('models')", tmp_path, python_folder)
    again = """
for name, model, expected in loaded('models'):
    if "probability" not in name and name != "pipeline":
        rows, targets = (R, t) if model.n_features_in_ == R.shape[1] else (X, y)
        print(name, model.fit(rows, targets) is model)
"""
    lines = run(sys.executable, again, tmp_path, python_folder)
    assert len(lines) == 11 and all(line.endswith("True") for line in lines)
