"""scikit-learn's own tests of sklearn.svm, with our estimators in place of its own.

The tests are those of the installed scikit-learn.  They run in a process of their own, which is
this file as a program: it prints the outcome of each test as JSON.
"""

import fnmatch
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest

# Tests that do not pass, and why.  Names of parametrised tests end in brackets whose text depends
# on the version, so these are patterns.
_SPARSE = "a model of dense rows predicts sparse rows, which scikit-learn refuses"
_KERNEL = "a kernel function whose values have a wrong shape is refused by fit, not by predict"
_VALUES = "kernel values may be a sparse matrix, which scikit-learn refuses"
NOT_PASSED = {
    "test_svm.py::test_svr_errors": _KERNEL,
    "test_svm.py::test_bad_input*": _SPARSE,
    "test_svm.py::test_sparse_precomputed*": _VALUES,
}
# These give dense models sparse rows only in versions before 1.4.
NOT_PASSED_BEFORE_1_4 = {
    "test_sparse.py::test_svc": _SPARSE,
    "test_sparse.py::test_sparse_oneclasssvm*-[23]*": _SPARSE,
}


def listed(version: str) -> Dict[str, str]:
    before = tuple(map(int, version.split(".")[:2])) < (1, 4)
    return {**NOT_PASSED, **(NOT_PASSED_BEFORE_1_4 if before else {})}


class Outcomes:
    """A plugin of pytest that keeps the outcome of each test."""

    def __init__(self) -> None:
        self.by_name: Dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rsplit("/", 1)[-1]
        if report.when == "call" or report.outcome != "passed":
            self.by_name[name] = report.outcome


def run_tests(folder: Path) -> None:
    """Runs the tests of a folder with our estimators and prints the outcomes."""
    import csmo

    csmo.patch_sklearn()
    outcomes = Outcomes()
    files = [str(folder / name) for name in ("test_svm.py", "test_sparse.py")]
    # Fixtures are in the conftest.py of the package.
    package = folder.parents[1]
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "--confcutdir", str(package)]
    sys.stdout = sys.stderr
    pytest.main([*options, *files], plugins=[outcomes])
    print(json.dumps(outcomes.by_name), file=sys.__stdout__)


def test_scikit_learns_own_tests(python_folder: Path, tmp_path: Path) -> None:
    sklearn = pytest.importorskip("sklearn")
    found = importlib.util.find_spec("sklearn.svm.tests.test_svm")
    if found is None or found.origin is None:
        pytest.skip("the installed scikit-learn has no tests of its own")
    folder = Path(found.origin).parent
    environment = {**os.environ, "PYTHONPATH": str(python_folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    run = subprocess.run(
        [sys.executable, str(Path(__file__).resolve()), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment,
    )
    assert run.returncode == 0, run.stderr
    outcomes: Dict[str, str] = json.loads(run.stdout)
    assert len(outcomes) > 100, run.stderr
    assert any("SVC" in name for name in outcomes)
    patterns = listed(sklearn.__version__)
    unknown: List[str] = []
    lines = []
    used = set()
    for name, outcome in sorted(outcomes.items()):
        pattern = next((p for p in patterns if fnmatch.fnmatchcase(name, p)), None)
        if pattern is None:
            unknown += [name] if outcome == "failed" else []
            continue
        used.add(pattern)
        assert outcome == "failed", f"{name} is listed, but {outcome}: remove it from the list"
        lines.append(f"{name}: {patterns[pattern]}")
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    skipped = sum(outcome == "skipped" for outcome in outcomes.values())
    print(f"scikit-learn {sklearn.__version__}: {passed} of {len(outcomes)} pass,", end=" ")
    print(f"{skipped} are skipped; not passed:", *lines, sep="\n")
    assert unknown == [], run.stderr
    assert used == set(patterns), "listed tests that do not exist"


if __name__ == "__main__":
    run_tests(Path(sys.argv[1]))
