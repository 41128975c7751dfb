"""Builds the shared library with CMake, and a wheel for every Python 3 of this system.

The sources are the project above this folder; a source distribution has them in `source`.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import List

from setuptools import setup
from setuptools.command.build_py import build_py
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
# The files and folders that the library is built from.
SOURCES = ["CMakeLists.txt", "COPYRIGHT", "README.md", "svm.h", "svm.cpp", "svm-*.cpp"]
LISTED = re.findall(r"^\w+ (\w+)", (PROJECT / "cmake/sources.txt").read_text(), re.MULTILINE)
ROOMS = sorted({"bench", "cmake", "docs", "python/native", "tools"} | set(LISTED) - {"svm"})


def project_version() -> str:
    text = (PROJECT / "api" / "version.cpp").read_text(encoding="utf-8")
    found = re.search(r'kPackageVersion\[\] = "([^"]+)"', text)
    assert found, "api/version.cpp has no kPackageVersion"
    return found.group(1)


def build_library(folder: Path, target: Path) -> None:
    """Compiles the project in `folder` and copies its shared library to `target`."""
    cmake = shutil.which("cmake")
    if cmake is None:
        sys.exit("csmo: building the library needs CMake 3.16 or later, and a C++17 compiler")
    options = [
        "-DCMAKE_BUILD_TYPE=Release",
        "-DSVM_BUILD_TESTS=OFF",
        "-DSVM_INSTALL=OFF",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=24",
    ]
    subprocess.run([cmake, "-S", PROJECT, "-B", folder, *options], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    subprocess.run(
        [cmake, "--build", folder, "--target", "csmo_python", "--parallel", jobs], check=True
    )
    shutil.copyfile((folder / "python" / "libsvm.so.4").resolve(), target)
    target.chmod(0o755)


class BuildWithLibrary(build_py):
    """Builds the modules, and the library in their folder."""

    def run(self) -> None:
        super().run()
        temporary = Path(self.get_finalized_command("build").build_temp)  # type: ignore[attr-defined]
        packages = HERE if getattr(self, "editable_mode", False) else Path(self.build_lib).resolve()
        build_library(temporary.resolve(), packages / "csmo" / "libsvm.so.4")


class WheelOfEveryPython(bdist_wheel):
    """The library is for one system, but for every version of Python: ctypes loads it."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> "tuple[str, str, str]":
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return "py3", "none", self.plat_name.replace("-", "_") if self.plat_name else platform


class SourceDistribution(sdist):
    """Packs this folder, and the project's sources in `source`."""

    def make_release_tree(self, base_dir: str, files: List[str]) -> None:
        super().make_release_tree(base_dir, files)
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


setup(
    version=project_version(),
    packages=PACKAGES,
    py_modules=MODULES,
    package_data={name: ["py.typed"] for name in PACKAGES},
    cmdclass={
        "build_py": BuildWithLibrary,
        "bdist_wheel": WheelOfEveryPython,
        "sdist": SourceDistribution,
    },
    distclass=WithLibrary,
)
