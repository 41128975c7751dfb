"""The structures of the package have the layouts of the headers."""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from csmo import _native
from libsvm import svm

PROJECT = Path(__file__).resolve().parents[2]
STRUCTURES = {
    "svm_progress": _native.Progress,
    "svm_options": _native.Options,
    "svm_result": _native.Result,
    "svm_rows": _native.Rows,
    "svm_model_arrays": _native.ModelArrays,
    "svm_forest_plan": _native.ForestPlan,
    "svm_forest_facts": _native.ForestFacts,
    "csmo_watch": _native.Watch,
    "csmo_grid_point": _native.GridPoint,
    "csmo_grid": _native.Grid,
    "svm_node": svm.svm_node,
    "svm_problem": svm.svm_problem,
    "svm_parameter": svm.svm_parameter,
    "svm_model": svm.svm_model,
}


def members(structure: Any) -> Any:
    """Names of the members; those of a base class come first."""
    fields = [vars(kind).get("_fields_", []) for kind in reversed(structure.__mro__)]
    return [field[0] for part in fields for field in part]


def test_layouts(tmp_path: Path) -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("there is no C compiler")
    lines, expected = [], []
    for name, structure in STRUCTURES.items():
        lines.append(f"sizeof(struct {name})")
        expected.append(ctypes.sizeof(structure))
        for member in members(structure):
            lines.append(f"offsetof(struct {name}, {member})")
            expected.append(getattr(structure, member).offset)
    source = tmp_path / "layouts.c"
    source.write_text(
        '#include "python/native/csmo.h"\n#include <stdio.h>\nint main(void) {\n'
        + "".join(f'  printf("%d\\n", (int)({line}));\n' for line in lines)
        + "  return 0;\n}\n"
    )
    program = tmp_path / "layouts"
    subprocess.run([compiler, f"-I{PROJECT}", source, "-o", program], check=True)
    found = map(int, subprocess.check_output([program]).split())
    assert dict(zip(lines, found)) == dict(zip(lines, expected))


def test_libraries_that_know_fewer_options_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Later(_native.Options):
        _fields_ = [("later", ctypes.c_double)]

    monkeypatch.setenv("LIBSVM_SOLVER", "nosuch")
    _native._check_age()
    monkeypatch.setattr(_native, "Options", Later)
    with pytest.raises(ImportError, match="older than this package: svm_options: size is larger"):
        _native._check_age()
