"""scikit-learn's own tests, with our estimators in place of its own and without.

The tests are those of the installed scikit-learn.  ``python3 -m csmo -m pytest`` runs them with
ours, and ``python3 -m pytest`` as they are.  A test whose outcome differs must be in the list below
and in docs/migration-scikit-learn.md; one that does not pass without ours does not count.
"""

import ast
import fnmatch
import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Dict, List

import pytest

sklearn = pytest.importorskip("sklearn")

VERSION = tuple(int(number) for number in re.findall(r"\d+", sklearn.__version__)[:2])
FOLDER = Path(sklearn.__file__).parent
OURS = ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM")

# Tests whose outcome differs, and why.  Names of parametrised tests end in brackets whose
# text depends on the version, so these are patterns.
_SPARSE = "a model of dense rows predicts sparse rows, which scikit-learn refuses"
_KERNEL = "a kernel function whose values have a wrong shape is refused by fit, not by predict"
_VALUES = "kernel values may be a sparse matrix, which scikit-learn refuses"
_OFFSET = "compares with SGD's offset, 2e-6; ours is nearer to the optimum, 0, than scikit-learn's"
_MORE_PASS = "expects NuSVC to fail check_classifiers_one_label_sample_weights, which ours passes"
_BETTER = "passes: if weights leave one class, the message says so, and scikit-learn's does not"
DIFFERENT = {
    "svm/test_svm::test_svr_errors": _KERNEL,
    "svm/test_svm::test_bad_input*": _SPARSE,
    "svm/test_svm::test_sparse_precomputed*": _VALUES,
    "linear_model/test_sgd::test_sgd_oneclass_vs_linear_oneclass_offsets_match[[]0.9]": _OFFSET,
    "utils/test_estimator_checks::test_xfail_count_with_no_fast_fail": _MORE_PASS,
    "utils/test_estimator_checks::test_check_estimator_callback": _MORE_PASS,
    "test_common::test_estimators*NuSVC()-check_classifiers_one_label_sample_weights*": _BETTER,
}
if VERSION < (1, 4):  # only these give dense models sparse rows
    DIFFERENT["svm/test_sparse::test_svc"] = _SPARSE
    DIFFERENT["svm/test_sparse::test_sparse_oneclasssvm*-[23]*"] = _SPARSE


def words_of(part: str) -> List[str]:
    """Arguments of pytest for a part of scikit-learn's tests."""
    if part == "svm":
        return ["--pyargs", "sklearn.svm"]
    if part == "all estimators":
        ours = f"({' or '.join(OURS)}) and not Linear"
        return [str(FOLDER / "tests" / "test_common.py"), "-k", ours]
    return functions_that_name_ours()


def functions_that_name_ours() -> List[str]:
    """The functions outside of the svm module whose source names one of our estimators."""
    name = re.compile(rf"\b({'|'.join(OURS)})\b")
    found = []
    for path in sorted(FOLDER.rglob("test_*.py")):
        text = path.read_text("utf-8")
        if path.parent.parent.name == "svm" or not name.search(text):
            continue
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if name.search("\n".join(lines[first - 1 : node.end_lineno])):
                    found.append(f"{path}::{node.name}")
    return found


def outcomes(report: Path) -> Dict[str, str]:
    """What became of each test of a run."""
    found: Dict[str, str] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        parts = [part for part in case.attrib["classname"].split(".") if part != "tests"]
        tags = {child.tag for child in case}
        failed, skipped = tags & {"failure", "error"}, tags & {"skipped"}
        outcome = "failed" if failed else "skipped" if skipped else "passed"
        found["/".join(parts) + "::" + case.attrib["name"]] = outcome
    return found


def run_twice(part: str, folder: Path, python_folder: Path) -> List[Dict[str, str]]:
    """The outcomes of these tests without and with ours, which run at the same time."""
    environment = {**os.environ, "PYTHONPATH": str(python_folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["OMP_NUM_THREADS"] = "1"  # threads of two processes would wait for each other
    environment.pop("PYTEST_ADDOPTS", None)
    options = ["-q", "--tb=short", "--disable-warnings", "-p", "no:cacheprovider"]
    runs = []
    for name in ("without", "with"):
        started = [sys.executable, *(["-m", "csmo"] if name == "with" else []), "-m", "pytest"]
        words = [*options, f"--rootdir={FOLDER}", f"--junit-xml={folder / name}.xml"]
        with (folder / name).open("wb") as log:
            runs.append(
                subprocess.Popen(
                    [*started, *words, *words_of(part)],
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                    env=environment,
                )
            )
    for name, run in zip(("without", "with"), runs):
        # 1: some tests failed.
        assert run.wait() in (0, 1), (folder / name).read_text(errors="replace")
    return [outcomes(folder / f"{name}.xml") for name in ("without", "with")]


@pytest.mark.parametrize(
    "part",
    [
        "svm",
        pytest.param("all estimators", marks=pytest.mark.release),
        pytest.param("tests that name ours", marks=pytest.mark.release),
    ],
)
def test_scikit_learns_own_tests(part: str, python_folder: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("sklearn.svm.tests.test_svm") is None:
        pytest.skip("the installed scikit-learn has no tests of its own")
    if part != "svm" and VERSION < (1, 9):
        pytest.skip("the list of differences elsewhere is that of scikit-learn 1.9")
    theirs, ours = run_twice(part, tmp_path, python_folder)
    log = (tmp_path / "with").read_text(errors="replace")
    assert len(ours) > 100 and set(ours) == set(theirs), log
    counts: Dict[str, List[int]] = {}
    lines, unknown, used = [], [], set()
    for name, outcome in sorted(ours.items()):
        passed_and_run = counts.setdefault(name.split("/")[0].split(":")[0], [0, 0])
        passed_and_run[0] += theirs[name] == outcome == "passed"
        passed_and_run[1] += theirs[name] == "passed"
        pattern = next((p for p in DIFFERENT if fnmatch.fnmatchcase(name, p)), None)
        if pattern is not None:
            used.add(pattern)
            assert outcome != theirs[name], f"{name} is no longer different: remove it from the list"
            lines.append(f"{name}: {DIFFERENT[pattern]}")
        elif outcome != theirs[name]:
            unknown.append(f"{name}: {theirs[name]} without ours, {outcome} with them")
    print(f"scikit-learn {sklearn.__version__}, {part}: with ours, of the tests that pass without:")
    for module, (passed, run) in counts.items():
        if run > 0:
            print(f"{module}: {passed} of {run}")
    print(f"in all: {sum(p for p, _ in counts.values())} of {sum(r for _, r in counts.values())}")
    print(*lines, sep="\n")
    assert unknown == [], log
    listed = {pattern for pattern in DIFFERENT if pattern.startswith("svm/")}
    assert part != "svm" or used == listed, f"listed, but not there: {listed - used}"
