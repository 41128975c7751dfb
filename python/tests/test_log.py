"""The log: what a call did, in one line."""

import logging
import re

import pytest

pytest.importorskip("sklearn")

from scipy import sparse  # noqa: E402
from sklearn import svm  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402

import csmo  # noqa: E402

X, y = load_iris(return_X_y=True)
TIME = r"\d+\.\d{3} s"
PROGRAM = """
import logging, sys
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
from csmo import SVC
{}
SVC(n_jobs=2).fit(X, y).predict(X[:1])
"""


@pytest.fixture
def lines(caplog):
    """A function that returns the lines since its last call."""
    caplog.set_level(logging.INFO, logger="csmo")

    def take():
        assert all(record.name == "csmo" for record in caplog.records)
        texts = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return texts

    return take


def check(texts, *patterns):
    assert len(texts) == len(patterns), texts
    for text, pattern in zip(texts, patterns):
        assert re.fullmatch(pattern, text), text


@pytest.mark.parametrize("form", [list, sparse.csr_matrix])
def test_a_training(lines, form):
    model = csmo.SVC(n_jobs=2).fit(form(X), y)
    check(
        lines(),
        r"csmo\.SVC\.fit: 150 rows, 4 columns, kernel rbf, solver csmo, 2 threads, "
        rf"{model.n_iter_.sum()} iterations, {len(model.support_)} support vectors, {TIME}",
    )


def products(some, others):
    return [[one[0] * other[0] for other in others] for one in some]


def test_kernel_functions_and_the_limit_of_iterations(lines):
    rows = [[float(i)] for i in range(20)]
    machine = csmo.SVR(kernel=products, n_jobs=1, max_iter=1)
    with pytest.warns(UserWarning):
        machine.fit(rows, [row[0] ** 2 for row in rows])
    check(
        lines(),
        r"csmo\.SVR\.fit: 20 rows, kernel a function, solver csmo, 1 thread, 1 iteration, "
        rf"not converged, \d+ support vectors, {TIME}",
    )


def test_other_estimators(lines):
    csmo.LinearSVC(n_jobs=1, solver="avsf").fit(X, y)
    csmo.ForestSVC(n_jobs=1, cell_size=50, n_trees=1).fit(X, y)
    csmo.OneClassSVM(n_jobs=1).fit(X)
    start = r"fit: 150 rows, 4 columns, kernel"
    check(
        lines(),
        rf"csmo\.LinearSVC\.{start} linear, solver avsf, 1 thread, \d+ iterations, {TIME}",
        rf"csmo\.ForestSVC\.{start} rbf, .* iterations, 1 tree, \d+ cells, {TIME}",
        rf"csmo\.OneClassSVM\.{start} rbf, .* support vectors, {TIME}",
    )


@pytest.mark.parametrize(
    "asked, told",
    [
        ("predict", "predict"),
        ("decision_function", "decision_function"),
        ("predict_proba", "predict_proba"),
        ("predict_log_proba", "predict_proba"),
    ],
)
def test_predictions(lines, asked, told):
    for options in {}, {"break_ties": True}:
        model = csmo.SVC(probability=True, n_jobs=2, **options).fit(X, y)
        lines()
        getattr(model, asked)(X[:9])
        check(lines(), rf"csmo\.SVC\.{told}: 9 rows, 2 threads, {TIME}")


def test_a_class_of_a_program(lines):
    class Machine(csmo.SVC):
        pass

    Machine().fit(X, y)
    assert [text.split(":")[0] for text in lines()] == [f"{__name__}.Machine.fit"]


def test_failures_are_not_told(lines):
    with pytest.raises(ValueError):
        csmo.SVC(C=-1).fit(X, y)
    with pytest.raises(ValueError):
        csmo.SVC().fit(X, y).predict([[1.0]])
    assert len(lines()) == 1  # of the second fit


@pytest.mark.parametrize("value", [None, "", "0"])
def test_nothing_is_printed_unless_it_is_asked_for(run_python, value):
    variables = {} if value is None else {"CSMO_LOG": value}
    code = PROGRAM.format("") + "assert not logging.getLogger('csmo').handlers"
    code = "import sys; sys.stderr = sys.stdout\n" + code
    assert run_python("-c", code, **variables) == ""


def run_logged(run_python, configuration, value="1"):
    """What a program prints, to standard error as well."""
    code = "import sys; sys.stderr = sys.stdout\n" + PROGRAM.format(configuration)
    return run_python("-c", code, CSMO_LOG=value).splitlines()


def test_the_variable_prints_to_standard_error(run_python):
    code = "import sys, io; sys.stdout = io.StringIO()\n" + PROGRAM.format("")
    code += "sys.exit(3 if sys.stdout.getvalue() == '' else 4)"
    text = run_python("-c", code, CSMO_LOG="1", expect=3)
    told = rf"csmo\.SVC\.fit: 150 rows, .*{TIME}", rf"csmo\.SVC\.predict: 1 row, .*{TIME}"
    check(text.splitlines(), *told)


@pytest.mark.parametrize(
    "configuration, kept",
    [
        ("logging.basicConfig(format='own: %(message)s', stream=sys.stdout)", ["own: csmo"] * 2),
        ("logging.getLogger('csmo').addHandler(logging.NullHandler())", []),
        ("logging.getLogger('csmo').setLevel(logging.WARNING)", []),
        ("logging.getLogger('csmo').disabled = True", []),
        ("logging.getLogger('csmo').propagate = False; logging.basicConfig()", ["csmo"] * 2),
        ("logging.getLogger('other').addHandler(logging.StreamHandler())", ["csmo"] * 2),
    ],
)
def test_what_a_program_configures_goes_before_the_variable(run_python, configuration, kept):
    lines = run_logged(run_python, configuration)
    assert [line.split(".")[0] for line in lines] == kept


def test_a_program_may_ask_for_the_log(run_python):
    configuration = "logging.basicConfig(level=logging.INFO, format='%(name)s %(levelname)s')"
    assert run_logged(run_python, configuration, value="") == ["csmo INFO"] * 2


def test_searches(lines):
    csmo.GridSearchSVC(csmo.SVC(n_jobs=1), {"C": [1, 10], "gamma": [0.1, 1]}, cv=3).fit(X, y)
    check(
        lines(),
        rf"csmo\.SVC\.fit: 150 rows, .* 1 thread, .*{TIME}",
        rf"csmo\.GridSearchSVC\.fit: csmo's engine, 4 points in 3 folds, {TIME}",
    )
    with pytest.warns(csmo.SearchNote):
        csmo.GridSearchSVC(svm.SVC(), {"C": [1, 10]}, cv=3).fit(X, y)
    reason = "sklearn's SVC is not csmo's: use csmo.SVC"
    check(lines(), re.escape(f"csmo.GridSearchSVC.fit: left to scikit-learn: {reason}"))


def test_the_patch(run_python):
    code = """
import csmo, sys
sys.stderr = sys.stdout
csmo.patch_sklearn("GridSearchCV")
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
GridSearchCV(RidgeClassifier(), {"alpha": [1.0, 2.0]}, cv=2).fit(X, y)
"""
    assert run_python("-c", code, CSMO_LOG="1").splitlines() == [
        "csmo.patch_sklearn: replaced GridSearchCV",
        "csmo.GridSearchCV.fit: left to scikit-learn: the estimator is not csmo's",
    ]
