"""The types of the package, as mypy and pyright find them in a user's script."""

import json
import os
import re
import subprocess
import sys

import pytest

pytest.importorskip("numpy")
pytest.importorskip("sklearn")

HEAD = """
import numpy as np
from csmo import ForestSVC, ForestSVR, GridSearchSVC, LinearSVC, LinearSVR, NuSVC, NystroemSVC
from csmo import NuSVR, OneClassSVM, RandomizedSearchSVC, SVC, SVR
from libsvm.svmutil import *

X = np.array([[0.0], [1.0]])
y = [0.0, 1.0]
model = svm_train(y, X)
"""

# What a reader of the interface would write, and no checker may object to.
RIGHT = """
SVC(C=10, kernel="rbf", gamma="scale", class_weight="balanced", solver="smo")
SVC(kernel=lambda a, b: a @ b.T, class_weight={0: 1, 1: 2.5}, gamma=0.1, random_state=1)
weights = {"a": 1, "b": 2}; NuSVC(nu=0.1, class_weight=weights, decision_function_shape="ovo")
SVR(kernel="precomputed", solver="hybrid", n_jobs=-1)
LinearSVC(solver="avsf", loss="hinge").fit(X, y).coef_.sum()
NystroemSVC(landmarks=10, solver="pegasos", kernel="poly").fit(X, y).predict(X)
ForestSVC(cell_size=50, random_state=np.random.RandomState(1), time_limit=2.5)
share: float = SVC(probability=True).fit(X, y).predict_proba(X)[0, 0]
accuracy: float = svm_train(y, X, "-v 5 -c 4")
trained: svm_model = svm_train(y, X, ["-c", "4"])
svm_save_model("file", svm_train(svm_problem(y, X), svm_parameter("-c 4")))
svm_predict(y, X, svm_load_model("file"), "-b 1")[0][0].is_integer()
SVC.from_sklearn(SVC().fit(X, y).to_sklearn()).support_.max()
GridSearchSVC(SVC(), {"C": [1, 10]}, cv=5, scoring="accuracy").fit(X, y).predict(X)
RandomizedSearchSVC(SVC(), {"C": [1, 10]}, n_iter=2, random_state=1).fit(X, y)
"""

# What must be an error in each line.
WRONG = """
SVC(solver="smoo")
NuSVC(kernel="rbff")
SVR(gamma="auto-scale")
SVC(class_weight="balance")
SVC(decision_function_shape="ovx")
SVC(random_state="1")
SVC(cost=1)
SVC(C="1")
SVC(1.0)
LinearSVC(solver="csmo")
LinearSVR(loss="squared_epsilon_insensitive")
NystroemSVC(solver="csmo")
NystroemSVC(kernel="precomputed")
ForestSVC(kernel=np.dot)
ForestSVR(n_trees="5")
OneClassSVM(C=1.0)
SVC().fit(X, y).predict()
SVC().fit(X)
SVC().fit(X, y).n_iter_.append(1)
SVR().fit(X, y).n_iter_.sum()
svm_predict(y, X, "model")
svm_train(y, X, 5)
svm_train(y, X).get_labels(1)
svm_read_problem("file")[0].keys()
svm_read_problem(5)
"""

# Expressions, and how their types end.
SHOWN = {
    "SVC().fit(X, y)": "SVC",
    "OneClassSVM().fit(X)": "OneClassSVM",
    "GridSearchSVC(SVC(), {}).fit(X, y)": "GridSearchSVC",
    "NuSVR.from_sklearn(X)": "NuSVR",
    "GridSearchSVC(SVC(), {}).best_params_": r"[dD]ict\[str, Any\]",
    "RandomizedSearchSVC(SVC(), {}).best_score_": "float",
    "GridSearchSVC(SVC(), {}).cv_results_": r"[dD]ict\[str, Any\]",
    "GridSearchSVC(SVC(), {}).engine_": "str",
    "SVC().C": "float",
    "LinearSVR().tol": "float",
    "ForestSVC().n_trees": "int",
    "NuSVC().kernel": r"Literal.*'sigmoid'.*",
    "SVC().classes_": "ndarray",
    "SVC().support_": "ndarray",
    "SVC().support_vectors_": r"ndarray \| Any",
    "SVC().dual_coef_": r"ndarray \| Any",
    "SVC().coef_": r"ndarray \| Any",
    "SVC().intercept_": "ndarray",
    "SVC().n_support_": "ndarray",
    "SVC().n_iter_": "ndarray",
    "SVR().n_iter_": "int",
    "LinearSVC().coef_": "ndarray",
    "NystroemSVC().support_": "ndarray",
    "ForestSVR().n_cells_": "int",
    "OneClassSVM().offset_": "ndarray",
    "SVC().n_features_in_": "int",
    "SVC().step_counts_": r"[dD]ict\[str, int\]",
    "SVR().predict(X)": "ndarray",
    "ForestSVC().decision_function(X)": "ndarray",
    "SVC().predict_proba(X)": "ndarray",
    "model": "svm_model",
    "model.get_sv_coef()": r"[lL]ist\[[tT]uple\[float, \.\.\.\]\]",
    "svm_predict(y, X, model)[0]": r"[lL]ist\[float\]",
    "svm_predict(y, X, model)[1]": r"[tT]uple\[float, float, float\]",
    "svm_load_model('file')": r"svm_model \| Any",
    "svm_read_problem('file')[1]": r"[lL]ist\[[dD]ict\[int, float\]\]",
    "svm_read_problem('file', True)[0]": "ndarray",
    "svm_parameter('-c 4').C": "float",
}
LINES = [
    *HEAD.splitlines(),
    *RIGHT.splitlines(),
    *WRONG.splitlines(),
    *(f"reveal_type({expression})" for expression in SHOWN),
]


def by_mypy(file, variables):
    """What mypy tells: line, kind and text."""
    command = ["-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", file.parent]
    done = run([*command, "--hide-error-context", "--no-pretty", file], MYPYPATH=variables)
    line = re.compile(r".*?:(\d+): (error|note): (.*)")
    return [line.fullmatch(text).groups() for text in done.stdout.splitlines()[:-1]]


def by_pyright(file, variables):
    """What pyright tells: line, kind and text."""
    if run(["-m", "pyright", "--version"]).returncode != 0:
        pytest.skip("pyright does not run: it needs node")
    command = ["-m", "pyright", "--outputjson", "--pythonpath", sys.executable, file]
    found = json.loads(run(command, PYTHONPATH=variables).stdout)["generalDiagnostics"]
    return [(one["range"]["start"]["line"] + 1, one["severity"], one["message"]) for one in found]


def run(words, **variables):
    return subprocess.run(
        [sys.executable, *map(str, words)],
        env={**os.environ, **{name: text for name, text in variables.items() if text}},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module", params=[by_mypy, by_pyright])
def told(request, python_folder, tmp_path_factory):
    """What a checker tells of the lines: {line: [(kind, text)]}."""
    name = request.param.__name__[3:]
    pytest.importorskip(name)
    file = tmp_path_factory.mktemp(name) / "script.py"
    file.write_text("\n".join(LINES) + "\n")
    # Checkers find an installed package by themselves.
    folder = "" if python_folder.name == "site-packages" else str(python_folder)
    lines = {}
    for number, kind, text in request.param(file, folder):
        lines.setdefault(LINES[int(number) - 1], []).append((kind, text))
    return lines


def errors(told):
    found = [line for line, texts in told.items() if any(kind == "error" for kind, _ in texts)]
    return {line: told[line] for line in found}


def test_right_lines_are_no_errors_and_wrong_ones_are(told):
    found = errors(told)
    assert [line for line in WRONG.split("\n") if line and line not in found] == []
    assert {line: texts for line, texts in found.items() if line not in WRONG.split("\n")} == {}


def test_types(told):
    pytest.importorskip("numpy", minversion="2", reason="numpy 1 names types in other ways")
    for expression, ends in SHOWN.items():
        ((_, text),) = told[f"reveal_type({expression})"]
        found = re.search(r' is "(.*)"$', text)[1]
        found = re.sub(r"(numpy\.)?ndarray\[tuple\[Any, \.\.\.\], .*?\]\]", "ndarray", found)
        assert re.search(rf"(^|[. ]){ends}$", found), (expression, found)
