"""How the package is built: what is said last if something is missing, and what is in the archives.

Nothing is compiled for long: CMake ends early, or a stand-in for it takes what is built already.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any, List

import pytest
from stand_in_cmake import ROOT, copy_of_source, path_with_stand_in, script

pytest.importorskip("setuptools")
if importlib.util.find_spec("setuptools.command.bdist_wheel") is None:
    pytest.importorskip("wheel")


@pytest.fixture
def stand_in(tmp_path: Path) -> str:
    return path_with_stand_in(tmp_path / "bin")


def run(code: str, folder: Path, path: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Runs the code in this folder, with stdout and stderr in one, as pip shows them."""
    kept = {k: v for k, v in os.environ.items() if k not in ("CC", "CXX", "CMAKE_GENERATOR")}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**kept, "PATH": path, "PYTHONWARNINGS": "default", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def make(kind: str, source: Path, target: Path, path: str, **variables: str) -> Any:
    """Calls setuptools as pip does: kind is sdist, wheel or editable."""
    target.mkdir(exist_ok=True)
    call = f"import setuptools.build_meta as b; b.build_{kind}({str(target)!r})"
    return run(call, source, path, **variables)


def is_one_line(ended: Any, reason: str) -> None:
    assert ended.returncode == 1, ended.stdout
    assert "Traceback" not in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith(f"csmo: {reason}"), ended.stdout


def with_programs(folder: Path, names: str) -> str:
    """A PATH with only these programs."""
    folder.mkdir()
    for name in names.split():
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"there is no {name}")
        (folder / name).symlink_to(program)
    return str(folder)


# CMake then looks for programs in PATH only.
PATH_ONLY = "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"
WHEEL = ". Install a wheel, csmo-*.whl, which needs none (docs/python.md), or what building needs: "


@pytest.mark.parametrize(
    "programs, variables, reason",
    [
        ("", {}, "there is no CMake"),
        ("cmake make", {}, "there is no C++ compiler"),
        ("cmake cc c++", {}, "there is no make"),
        ("cmake cc c++", {"CMAKE_GENERATOR": "Ninja"}, 'there is no program for "Ninja" of CMake'),
        ("cmake make cc c++", {"CXX": "/no/c++"}, "CXX names no compiler"),
        ("cmake make cc c++", {}, "the compiler does not work, see above"),  # it has no linker
    ],
)
def test_what_is_missing_is_said_last(tmp_path, programs, variables, reason):
    path = with_programs(tmp_path / "bin", programs)
    ended = make(
        "wheel", ROOT / "python", tmp_path / "made", path, CMAKE_ARGS=PATH_ONLY, **variables
    )
    is_one_line(ended, reason + WHEEL)


def test_cmake_that_is_too_old(tmp_path):
    path = with_programs(tmp_path / "bin", "cmake make")
    source = copy_of_source(tmp_path / "source")
    lists = "cmake_minimum_required(VERSION 99.0)\nproject(csmo)\n"
    (source.parent / "CMakeLists.txt").write_text(lists)
    ended = make("wheel", source, tmp_path / "made", path)
    version = subprocess.check_output(["cmake", "--version"], text=True).split()[2]
    is_one_line(ended, f"CMake {version} is too old" + WHEEL)


def test_a_compiler_that_is_too_old(tmp_path):
    """It calls itself GCC 7, and fails with the sources."""
    path = with_programs(tmp_path / "bin", "cmake make gcc g++ as ld ar ranlib sh")
    for name in ("gcc", "g++"):
        script(
            tmp_path / "old" / name,
            '#!/bin/sh\ncase "$*" in *-O3*) echo "fatal error: charconv" >&2; exit 1 ;; esac\n'
            f'exec {name} -U__GNUC__ -D__GNUC__=7 -U__GNUC_MINOR__ -D__GNUC_MINOR__=5 "$@"\n',
        )
    compilers = {"CC": str(tmp_path / "old" / "gcc"), "CXX": str(tmp_path / "old" / "g++")}
    ended = make("wheel", ROOT / "python", tmp_path / "made", path, **compilers)
    assert "fatal error: charconv" in ended.stdout
    is_one_line(ended, "the compiler, GNU 7.5.")


def test_a_folder_without_the_project(tmp_path):
    source = copy_of_source(tmp_path / "source")
    shutil.rmtree(source.parent / "cmake")
    ended = make("wheel", source, tmp_path / "made", os.environ["PATH"])
    is_one_line(ended, "the sources of the library are not above this folder; pip before 21.3")


def test_the_package_wheel_is_missing():
    ended = run(
        "import runpy, sys\n"
        "import setuptools\n"
        "sys.modules.update({'wheel': None, 'setuptools.command.bdist_wheel': None})\n"
        "runpy.run_path('setup.py')",
        ROOT / "python",
        os.environ["PATH"],
    )
    is_one_line(ended, "building needs the package wheel, or setuptools 70.1 or later")


def metadata(wheel: Path) -> "Message":
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("/METADATA")]
        return Parser().parsestr(file.read(name).decode())


def deprecations(text: str) -> List[str]:
    return [line for line in text.splitlines() if "deprecat" in line.lower()]


def test_a_wheel_from_the_source_distribution_in_a_folder_with_spaces(tmp_path, stand_in):
    made = tmp_path / "made"
    packed = make("sdist", ROOT / "python", made, stand_in)
    assert packed.returncode == 0 and deprecations(packed.stdout) == [], packed.stdout
    folder = tmp_path / "a folder with spaces"
    with tarfile.open(next(made.glob("*.tar.gz"))) as archive:
        archive.extractall(folder)
    (source,) = folder.iterdir()
    assert (source / "source" / "svm.cpp").exists()
    ended = make("wheel", source, made, stand_in)
    assert ended.returncode == 0 and deprecations(ended.stdout) == [], ended.stdout
    (wheel,) = made.glob("*.whl")
    assert "-py3-none-" in wheel.name  # serves every Python, also those without a lock
    import setuptools

    fields = metadata(wheel)
    is_new = int(setuptools.__version__.split(".")[0]) >= 77
    assert fields["License-Expression" if is_new else "License"] == "BSD-3-Clause"
    assert fields["License-File"] == "LICENSE"
    assert not any(text.startswith("License") for text in fields.get_all("Classifier"))
    with zipfile.ZipFile(wheel) as file:
        names = [name.split("/")[-1] for name in file.namelist()]
    assert {"LICENSE", "csmo.pth", "libsvm.so.4", "svm-train", "svm.py"} <= set(names)


def test_an_editable_installation_and_the_patch_of_the_environment(tmp_path, stand_in):
    pytest.importorskip("sklearn")
    made, source = tmp_path / "made", copy_of_source(tmp_path / "source")
    ended = make("editable", source, made, stand_in)
    assert ended.returncode == 0 and deprecations(ended.stdout) == [], ended.stdout
    with zipfile.ZipFile(next(made.glob("*.whl"))) as file:
        assert any(name.endswith("/scripts/svm-train") for name in file.namelist())
        file.extractall(tmp_path / "site")
    folders = [path for path in sys.path if path]
    code = (
        f"import site, sys; site.addsitedir({str(tmp_path / 'site')!r})\n"
        f"sys.path += {folders!r}\n"
        "from sklearn.svm import SVC; import csmo; print(SVC.__module__, csmo.__file__)"
    )
    shown = run(  # in a Python that has not yet seen another csmo, which may be installed
        f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {code!r}])",
        tmp_path,
        os.environ["PATH"],
        CSMO_PATCH="1",
        PYTHONPATH="",
        PYTHONWARNINGS="",
    )
    assert shown.stdout.split() == ["csmo._classifiers", str(source / "csmo" / "__init__.py")]
