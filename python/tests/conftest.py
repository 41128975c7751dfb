"""Uses the packages of the source tree unless they are installed, and the programs of a build."""

import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parent
DATA = ROOT / "data"

if importlib.util.find_spec("libsvm") is None or importlib.util.find_spec("csmo") is None:
    sys.path.insert(0, str(PYTHON))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "release: takes minutes, and runs before a release")


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_interrupts() -> Iterator[None]:
    """Restores Ctrl-C if the tests run in the background of a shell, whose children ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def run_program() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Runs a program of the build folder: run_program("svm-train", "-q", ...)."""
    folder = Path(os.environ.get("SVM_BIN_DIR", ROOT / "build"))
    if not (folder / "svm-train").exists():
        pytest.skip(f"no programs in {folder}")

    def run(name: str, *arguments: Any) -> "subprocess.CompletedProcess[str]":
        words: List[str] = [str(folder / name), *map(str, arguments)]
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return run


@pytest.fixture(scope="session")
def trained_by_program(run_program: Any, tmp_path_factory: Any) -> Callable[..., Any]:
    """trained_by_program(options, data file): the model of svm-train, and how the program ended;
    each is trained once."""
    folder = tmp_path_factory.mktemp("models")
    known: Dict[Tuple[str, Path], Any] = {}

    def train(options: str, path: Path) -> Any:
        if (options, path) not in known:
            model = folder / str(len(known))
            known[options, path] = model, run_program("svm-train", *options.split(), path, model)
        return known[options, path]

    return train


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The data sets that come with the project."""
    return DATA


@pytest.fixture(scope="session")
def python_folder() -> Path:
    """The folder that subprocesses add to their path."""
    found = importlib.util.find_spec("csmo")
    assert found is not None and found.origin is not None
    return Path(found.origin).resolve().parents[1]


@pytest.fixture(scope="session")
def small(tmp_path_factory: Any) -> Path:
    """Three classes, with zeros left out and values that are exact as floats."""
    draw = random.Random(1)
    lines = []
    for i in range(90):
        label = [-1, 1, 4][i % 3]
        values = [draw.randint(-8, 8) / 8 + (j == i % 3) for j in range(6)]
        pairs = " ".join(f"{j}:{v:g}" for j, v in enumerate(values, 1) if v != 0)
        lines.append(f"{label} {pairs}\n")
    path = tmp_path_factory.mktemp("data") / "small"
    path.write_text("".join(lines))
    return path


@pytest.fixture
def run_python(python_folder: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs Python in an empty folder, with the .pth file of the package, and returns what it
    printed; or, if it is to fail, its errors."""
    startup = tmp_path / "startup"
    startup.mkdir()
    shutil.copy(python_folder / "csmo.pth", startup)
    text = f"import site; site.addsitedir({str(startup)!r})"
    (startup / "sitecustomize.py").write_text(text)

    def run(*words: Any, expect: int = 0, **variables: str) -> str:
        path = [str(startup), str(python_folder), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "CSMO_PATCH": "", **variables}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        command = [sys.executable, "-B", *map(str, words)]
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment,
        )
        assert done.returncode == expect, done.stderr
        return done.stdout if expect == 0 else done.stderr

    return run


IMPORTS = """
import pickle
import numpy as np
import csmo
from sklearn.base import clone
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
"""


@pytest.fixture
def run_with(run_python: Callable[..., str], tmp_path: Path) -> Callable[..., str]:
    """run_with(package, code): runs the code; `package` is a module that it imports."""

    def run(package: str, code: str, **options: Any) -> str:
        (tmp_path / "package.py").write_text(package)
        return run_python("-W", "ignore::ResourceWarning", "-c", IMPORTS + code, **options)

    return run
