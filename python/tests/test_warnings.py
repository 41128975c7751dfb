"""What estimators say of their trainings: one warning, in the words of Python."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

from reference import digits  # noqa: E402
from sklearn.datasets import load_wine  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402

import csmo  # noqa: E402
from csmo._warnings import Told, in_python  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    *(path for room in ("solvers", "training") for path in sorted((ROOT / room).rglob("*.cpp"))),
    ROOT / "programs/grid/gamma_kernels.cpp",
]
OPTION = re.compile(r"(?<![\w-])(svm-\w+|--?[a-z][a-z-]*)")


def warned(estimator, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    return [(warning.category, str(warning.message)) for warning in caught]


def test_no_text_of_the_library_names_an_option_of_a_program():
    found = []
    for path in SOURCES:
        literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text(encoding="utf-8"))
        found += [text for text in literals if " " in text and OPTION.search(text)]
    assert len(found) > 5
    left = [text for text in found if OPTION.search(in_python(text))]
    assert left == [r"\nWARNING: using -h 0 may be faster\n"]  # LIBSVM's, with verbose=1


@pytest.mark.parametrize(
    "lines, text",
    [
        (["\nWARNING: no use (svm-scale)\n"] * 2, "did not converge HERE: no use (StandardScaler)"),
        (["WARNING: too large; a larger -e\n"], "did not converge HERE: too large; a larger tol"),
        (["\nWARNING: reaching max number of iterations\n"], "HERE: the limit of iterations was"),
        (["NOTE: a note.\n"], "a note"),
        (["WARNING: in 7 problems of cells: one\n", "NOTE: two\n"], "did not converge HERE: one.  Besides, two."),
    ],
)
def test_lines_become_one_warning(lines, text):
    told = Told(lines)
    assert told.unconverged == (0 if text == "a note" else 7 if "Besides" in text else len(lines))
    with pytest.warns(UserWarning) as caught:
        told.warn(" HERE", -1)
    assert len(caught) == 1
    assert text in str(caught[0].message) and "WARNING" not in str(caught[0].message)


def test_a_class_without_weight_is_no_warning():
    told = Told(["WARNING: class label 2 specified in weight is not found\n"])
    assert not told.reasons and not told.notes
    X, y = load_wine(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        csmo.SVC(class_weight="balanced").fit(X, y, sample_weight=1.0 * (y != 2))


@pytest.mark.parametrize("kind", [csmo.SVC, csmo.LinearSVC, csmo.NystroemSVC])
def test_a_fit_warns_once_and_counts_its_problems(kind):
    X, y = digits()
    pairs = len(set(y)) * (len(set(y)) - 1) // 2
    ((category, text),) = warned(kind(max_iter=3), X, y)
    assert category is ConvergenceWarning
    advice = "Consider pre-processing your data with StandardScaler or MinMaxScaler."
    alone = f"Solver terminated early (max_iter=3).  {advice}"
    assert text == f"{alone}  This was in {pairs} of {pairs} binary problems."
    assert warned(kind(max_iter=3), X, y == y[0]) == [(ConvergenceWarning, alone)]


@pytest.mark.parametrize("solver", ["smo", "csmo"])
def test_rows_that_are_not_scaled(solver):
    X, y = load_wine(return_X_y=True)
    machine = csmo.SVC(kernel="linear", tol=1e-300, solver=solver)
    ((category, text),) = warned(machine, 1e4 * X, y)
    assert category is ConvergenceWarning
    assert text.startswith("Training did not converge in 3 of 3 binary problems: ")
    assert "scal" in text.lower() and "(StandardScaler)" in text
    assert not OPTION.search(text) and "WARNING" not in text


def test_too_few_rows_for_probabilities():
    ((category, text),) = warned(csmo.OneClassSVM(probability=True), np.eye(6), None)
    assert category is UserWarning and "fewer than five rows" in text
