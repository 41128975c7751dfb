"""Builds the shared library and the programs with CMake, and a wheel for every Python 3 of a system.

The sources are the project above this folder; a source distribution has them in `source`.  All that
is built is in a temporary folder, so that nothing is left in this one.  The variable CMAKE_ARGS has
further options for CMake, such as a toolchain file.  Files in `sboms`, if there are any, go into
the wheel as PEP 770 says.
"""

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, List

from setuptools import Command, setup
from setuptools.command.build_py import build_py
from setuptools.command.install_scripts import install_scripts
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools 70.1 and later
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
CARRIED = HERE / "source"
PROJECT = CARRIED if CARRIED.is_dir() else HERE.parent
PACKAGES = ["csmo", "libsvm"]
MODULES = [path.stem for path in HERE.glob("svm*.py")] + [
    path.stem for path in HERE.glob("commonutil.py")
]
TEMPORARY = tempfile.mkdtemp(prefix="csmo-")
STARTUP = "csmo.pth"  # read by Python when it starts, if it is beside the packages
PROGRAMS = ["svm-train", "svm-predict", "svm-scale", "svm-grid"]
# The files and folders that these are built from.
SOURCES = ["CMakeLists.txt", "COPYRIGHT", "README.md", "svm.h", "svm_ext.h", "svm.cpp", "svm-*.cpp"]
LISTED = [
    word
    for line in (PROJECT / "cmake/sources.txt").read_text().splitlines()
    if not line.startswith("#")
    for word in line.split()[1:]
]
ROOMS = sorted({"bench", "cmake", "docs", "python/native", "tools"} | set(LISTED) - {"svm.cpp"})


def project_version() -> str:
    text = (PROJECT / "api" / "version.cpp").read_text(encoding="utf-8")
    found = re.search(r'kPackageVersion\[\] = "([^"]+)"', text)
    assert found, "api/version.cpp has no kPackageVersion"
    return found.group(1)


def build_project(folder: Path) -> None:
    """Compiles the library and the programs in `folder`."""
    cmake = shutil.which("cmake")
    if cmake is None:
        sys.exit("csmo: building the library needs CMake 3.16 or later, and a C++17 compiler")
    options = [
        "-DCMAKE_BUILD_TYPE=Release",
        "-DSVM_BUILD_TESTS=OFF",
        "-DSVM_INSTALL=OFF",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=24",
        *shlex.split(os.environ.get("CMAKE_ARGS", "")),
    ]
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    print("csmo: compiling the library and the programs, a minute on 2 processors", flush=True)
    subprocess.run([cmake, "-S", PROJECT, "-B", folder, *options], check=True)
    targets = ["csmo_python", *PROGRAMS]
    subprocess.run([cmake, "--build", folder, "--parallel", jobs, "--target", *targets], check=True)


def copy_executable(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source.resolve(), target)
    target.chmod(0o755)


def build_folder(command: Command) -> Path:
    return Path(command.get_finalized_command("build").build_temp).resolve()


def built(folder: Path, *names: str) -> Path:
    """The first of these files that was built, as systems call them differently."""
    paths = [folder / name for name in names]
    return next((path for path in paths if path.exists()), paths[0])


class BuildWithLibrary(build_py):
    """Builds the modules, and the library in their folder."""

    def run(self) -> None:
        super().run()
        folder = build_folder(self)
        packages = HERE if getattr(self, "editable_mode", False) else Path(self.build_lib).resolve()
        build_project(folder)
        library = built(folder / "python", "libsvm.so.4", "libsvm.dll")
        copy_executable(library, packages / "csmo" / library.name)
        if packages != HERE:  # an editable installation has no CSMO_PATCH
            shutil.copyfile(HERE / STARTUP, packages / STARTUP)


class InstallPrograms(install_scripts):
    """Puts the programs where those of Python packages go."""

    def run(self) -> None:
        self.outfiles = []
        for name in PROGRAMS:
            program = built(build_folder(self), name, name + ".exe")
            target = Path(self.install_dir) / program.name
            copy_executable(program, target)
            self.outfiles.append(str(target))


class WheelOfEveryPython(bdist_wheel):
    """The library is for one system, but for every version of Python: ctypes loads it."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> "tuple[str, str, str]":
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return "py3", "none", self.plat_name.replace("-", "_") if self.plat_name else platform

    def write_wheelfile(self, wheelfile_base: str, *arguments: Any, **named: Any) -> None:
        super().write_wheelfile(wheelfile_base, *arguments, **named)
        for path in sorted((HERE / "sboms").glob("*")):
            target = Path(wheelfile_base) / "sboms" / path.name
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)


class SourceDistribution(sdist):
    """Packs this folder, and the project's sources in `source`."""

    def make_release_tree(self, base_dir: str, files: List[str]) -> None:
        files = [name for name in files if not os.path.isabs(name)]  # those in TEMPORARY
        super().make_release_tree(base_dir, [*files, STARTUP])
        target = Path(base_dir) / "source"
        for room in ROOMS:
            for path in (PROJECT / room).rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    self._copy(path, target)
        for pattern in SOURCES:
            for path in PROJECT.glob(pattern):
                self._copy(path, target)

    @staticmethod
    def _copy(path: Path, target: Path) -> None:
        place = target / path.relative_to(PROJECT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


class WithLibrary(Distribution):
    def has_ext_modules(self) -> bool:
        return True

    def has_scripts(self) -> bool:
        return True


atexit.register(shutil.rmtree, TEMPORARY, ignore_errors=True)
setup(
    options={"build": {"build_base": TEMPORARY}, "egg_info": {"egg_base": TEMPORARY}},
    version=project_version(),
    packages=PACKAGES,
    py_modules=MODULES,
    scripts=[],  # programs are not scripts: InstallPrograms brings them
    package_data={name: ["py.typed"] for name in PACKAGES},
    cmdclass={
        "build_py": BuildWithLibrary,
        "bdist_wheel": WheelOfEveryPython,
        "install_scripts": InstallPrograms,
        "sdist": SourceDistribution,
    },
    distclass=WithLibrary,
)
