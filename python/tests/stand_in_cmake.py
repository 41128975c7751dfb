"""Builds the package without compiling: CMake's stand-in takes what the build folder has."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CMAKE = """#!{python}
import pathlib, shutil, sys
if sys.argv[1] == "--build":
    built, folder = pathlib.Path({built!r}), pathlib.Path(sys.argv[2])
    (folder / "python").mkdir(parents=True)
    for name in ("python/libsvm.so.4", *sys.argv[sys.argv.index("csmo_python") + 1:]):
        shutil.copyfile(built / name, folder / name)
"""


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def path_with_stand_in(folder: Path) -> str:
    """A PATH that begins with the stand-in, which is made in this folder."""
    built = Path(os.environ.get("SVM_BIN_DIR", ROOT / "build"))
    if not (built / "python" / "libsvm.so.4").exists():
        pytest.skip(f"no library for Python in {built}")
    script(folder / "cmake", CMAKE.format(python=sys.executable, built=str(built)))
    return os.pathsep.join([str(folder), os.environ["PATH"]])


def copy_of_source(folder: Path) -> Path:
    """Copies the folder of the package, and only the files above it that its setup.py reads."""
    names = ("__pycache__", "tests", "bench", "libsvm.so*", "build", "*.egg-info")
    shutil.copytree(ROOT / "python", folder / "python", ignore=shutil.ignore_patterns(*names))
    for name in ("api/version.cpp", "cmake/sources.txt"):
        (folder / name).parent.mkdir()
        shutil.copyfile(ROOT / name, folder / name)
    return folder / "python"
