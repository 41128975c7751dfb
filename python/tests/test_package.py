"""The package as it is installed from the source folder, and its names."""

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest
from stand_in_cmake import copy_of_source, path_with_stand_in

NEEDED = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn"}


def python(code, folder, *options):
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


WITHOUT = """
import sys
class Finder:
    def find_spec(name, *_others):
        if name == {0!r}:
            raise ModuleNotFoundError("No module named " + name, name=name)
sys.meta_path.insert(0, Finder)
"""


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A copy of the source folder, the files that it has had, and a folder into which pip has
    installed it without a network."""
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"there is no {module}")
    work = tmp_path_factory.mktemp("install")
    path = path_with_stand_in(work / "bin")
    source = copy_of_source(work / "source").parent
    temporary = work / "temporary"
    temporary.mkdir()
    before = files_in(source)
    command = ["install", "-v", "--no-index", "--no-build-isolation", "--no-deps", "--no-compile"]
    ended = subprocess.run(
        [sys.executable, "-m", "pip", *command, "--target", str(work / "target"), "./python"],
        cwd=source,
        env={**os.environ, "PATH": path, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout
    assert "csmo: compiling the library and the programs" in ended.stdout
    assert files_in(temporary) == []
    return source, before, work / "target"


def test_nothing_is_left_in_the_source_folder(installed):
    source, before, _ = installed
    assert files_in(source) == before


def test_what_is_installed(installed):
    target = installed[2]
    assert {"csmo", "libsvm", "csmo.pth", "svm.py"} <= {path.name for path in target.iterdir()}
    ended = python(
        "import csmo, libsvm.svm; print(csmo.__version__, csmo._native.library._name)", target
    )
    (found,) = importlib.metadata.distributions(name="csmo", path=[str(target)])
    assert ended.stdout.split() == [found.version, str(target / "csmo" / "libsvm.so.4")]
    assert "sklearn" in found.metadata.get_all("Provides-Extra")
    for name in NEEDED.values():
        assert any(
            line.startswith(name) and 'extra == "sklearn"' in line.replace("'", '"')
            for line in found.requires
        )


def test_another_package_over_libsvm_is_noticed(installed, tmp_path):
    folder = tmp_path / "site"
    shutil.copytree(installed[2], folder)
    code = "import csmo; csmo.SvmError; from csmo import SvmError; print('imported')"

    def warned():
        ended = python(code, folder)
        assert ended.stdout == "imported\n", ended.stderr
        return ended.stderr

    assert warned() == ""
    # The files of libsvm-official that have the names of ours; uninstalling it removes them.
    files = [
        folder / "libsvm" / f"{name}.py" for name in ("__init__", "commonutil", "svm", "svmutil")
    ]
    for file in files:
        file.write_text("from ctypes import *\n")
    cure = "pip uninstall libsvm-official"
    assert warned().count(f"{files[2]} was replaced by another package's") == 1
    assert warned().count(cure) == 1
    for file in files:
        file.unlink()
    assert f"{files[2]} is gone" in warned() and warned().count(cure) == 1
    shutil.rmtree(folder / "libsvm")  # as in a program that was packed without it
    assert warned() == ""


@pytest.mark.parametrize("missing", NEEDED)
def test_a_missing_package_is_named_with_what_to_type(python_folder, missing):
    ended = python(WITHOUT.format(missing) + "from csmo import SVC", python_folder)
    assert ended.stderr.count("Traceback") == 1
    assert ended.stderr.splitlines()[-1] == (
        f"ImportError: csmo.SVC needs {NEEDED[missing]}, which this Python does not have: "
        "type `pip install numpy scipy scikit-learn`"
    )


def test_other_modules_that_are_missing_are_not_hidden(python_folder):
    ended = python(WITHOUT.format("joblib") + "from csmo import SVC", python_folder)
    assert ended.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named joblib"


def test_no_other_names_are_public(python_folder):
    ended = python(
        "import csmo; csmo.SvmError\n"
        "assert sorted([*csmo.__all__, '__version__']) == sorted(dir(csmo)), dir(csmo)\n"
        "others = [name for name in vars(csmo) if name[0] != '_' and name not in csmo.__all__]\n"
        "assert not others, others\n"
        "from csmo import *\n"
        "assert all(name in globals() for name in csmo.__all__)\n",
        python_folder,
    )
    assert ended.returncode == 0, ended.stderr


def test_fit_returns_the_type_of_the_estimator(python_folder, tmp_path):
    pytest.importorskip("mypy")
    names = ("SVC", "SVR", "LinearSVC", "NystroemSVC", "ForestSVR")
    fits = "".join(f"reveal_type({name}().fit([[0], [1]], [0, 1]))\n" for name in names)
    file = tmp_path / "fits.py"
    file.write_text(f"from csmo import {', '.join(names)}\n{fits}")
    command = ["-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), str(file)]
    # mypy finds an installed package by itself, and refuses to be told of it.
    is_installed = python_folder.name == "site-packages"
    source = {} if is_installed else {"MYPYPATH": str(python_folder)}
    ended = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, **source},
        stdout=subprocess.PIPE,
        text=True,
    )
    revealed = [line for line in ended.stdout.splitlines() if "Revealed" in line]
    assert [line.rsplit(".", 1)[1].rstrip('"') for line in revealed] == list(names), ended.stdout
