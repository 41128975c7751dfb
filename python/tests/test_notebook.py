"""The check of models in bench/promise.py, and the notebook that shows it, examples/converged.ipynb."""

import importlib.util
import inspect
import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

import numpy as np  # noqa: E402
from reference import breast_cancer, diabetes  # noqa: E402

import csmo  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "converged.ipynb"


@pytest.fixture(scope="module")
def promise():
    spec = importlib.util.spec_from_file_location(
        "promise", ROOT / "python" / "bench" / "promise.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fitted(kind):
    """A model that is exact, and its data, of which a part of the coefficients are at bounds."""
    X, y = diabetes() if kind == "SVR" else breast_cancer()
    kernel = {"kernel": "poly", "degree": 2, "coef0": 1} if kind == "poly" else {"kernel": "linear"}
    make = csmo.SVR if kind == "SVR" else csmo.SVC
    return make(C=0.1, tol=1e-8, **kernel).fit(X, y), X, y


@pytest.mark.parametrize("kind", ["SVC", "SVR", "poly"])
def test_an_exact_model_passes(promise, kind):
    primal, dual, violation, outside = promise.certificate(*fitted(kind))
    assert violation <= 1e-8
    assert outside <= 1e-12
    assert abs(primal - dual) <= 1e-6 * primal


@pytest.mark.parametrize("kind", ["SVC", "SVR", "poly"])
def test_a_changed_model_does_not(promise, kind):
    model, X, y = fitted(kind)
    before = promise.certificate(model, X, y)
    b, bound = model.dual_coef_[0], model.C
    first, second = np.flatnonzero((np.abs(b) > 0.01 * bound) & (np.abs(b) < 0.99 * bound))[:2]
    b[[first, second]] += np.array([1e-3, -1e-3]) * bound
    primal, dual, violation, outside = promise.certificate(model, X, y)
    assert violation > 1e-6 and outside <= 1e-12 and dual < before[1]
    b[first] += bound
    assert promise.certificate(model, X, y)[3] > 0.5 * bound
    model.intercept_ = model.intercept_ + 1
    assert promise.certificate(model, X, y)[0] > primal


def test_a_fit_that_takes_too_long_is_ended(promise):
    X, y = breast_cancer()
    assert promise.fit(csmo.SVC(), X, y, 1e-3) is None


def code_cells():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_has_the_functions_of_the_script(promise):
    text = "\n".join("".join(cell["source"]) for cell in code_cells())
    for function in (promise.certificate, promise.fit, promise.one_class):
        assert inspect.getsource(function) in text + "\n"
    assert promise.CHILD in text
    for name, _, estimator, parameters in promise.CASES:
        assert f'("{name}", "{estimator}", {parameters},'.replace("'", '"') in text


def test_the_notebook_was_run_as_it_is():
    counts = [cell["execution_count"] for cell in code_cells()]
    assert counts == list(range(1, len(counts) + 1))
    outputs = json.dumps([cell["outputs"] for cell in code_cells()])
    assert '"image/png"' in outputs and '"error"' not in outputs and '"stderr"' not in outputs


def test_the_notebook_runs(capsys):
    """With the case that takes the least time."""
    try:
        import matplotlib
    except ImportError:
        matplotlib = None
    else:
        matplotlib.use("agg")
    names = {}
    for cell in code_cells():
        source = "".join(cell["source"])
        if "matplotlib" in source and matplotlib is None:
            continue
        exec(compile(source, str(NOTEBOOK), "exec"), names)
        if "CASES" in names:
            names["CASES"] = [case for case in names["CASES"] if case[0] == "wine"]
    printed = capsys.readouterr().out
    violation, gap = names["results"]["wine", "csmo"]
    assert violation <= 1e-3 and 0 <= gap <= 1e-3
    assert printed.count("converged") >= 2 and "no result" not in printed
    if matplotlib is None:
        pytest.skip("no matplotlib: the picture was not drawn")
