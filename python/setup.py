"""Builds the shared library and the programs with CMake, and a wheel for every Python 3 of a system.

The sources are the project above this folder; a source distribution has them in `source`.  All that
is built is in a temporary folder, so that nothing is left in this one; only an editable
installation puts the library into `csmo`.  The variable CMAKE_ARGS has further options for CMake,
such as a toolchain file.  Files in `sboms`, if there are any, go into the wheel as PEP 770 says.

If something is missing, the last line of the output says what, instead of a traceback.
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

from setuptools import Command, __version__ as setuptools_version, setup
from setuptools.command.build_py import build_py
from setuptools.command.install_scripts import install_scripts
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools 70.1 and later
except ImportError:
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        sys.exit("csmo: building needs the package wheel, or setuptools 70.1 or later")

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
# Since setuptools 77 a license is an SPDX expression in a field of its own (PEP 639).  It is not in
# pyproject.toml, because older versions, such as Debian 12's, refuse the new form there.  The file
# has a name that every version knows, as older ones take no other from here.
LICENSE = "license_expression" if int(setuptools_version.split(".")[0]) >= 77 else "license"
WAYS = (
    "Install a wheel, csmo-*.whl, which needs none (docs/python.md), or what building needs: CMake "
    "3.16 or later, make, and GCC 11 or a compiler as recent (Debian, Ubuntu: apt install cmake "
    "make g++)"
)
# What CMake prints if something is missing or too old, and what is said about it.
MISSING = [
    (r"CMake \S+ or higher is required\.\s+You are running version (\S+)", "CMake {} is too old"),
    (r'build program\s+corresponding\s+to\s+"Unix Makefiles"', "there is no make"),
    (r'build program\s+corresponding\s+to\s+("[^"]*")', "there is no program for {} of CMake"),
    (r"No CMAKE_(?:C|CXX)_COMPILER could be found", "there is no C++ compiler"),
    (r"Could not find compiler set in environment\s+variable\s+(\w+)", "{} names no compiler"),
    (r"is not able to compile a simple\s+test program", "the compiler does not work, see above"),
    (r"CXX compiler identification is (GNU (?:\d|10)\.\S*)", "the compiler, {}, is too old"),
]
if not (PROJECT / "cmake" / "sources.txt").is_file():
    sys.exit(
        "csmo: the sources of the library are not above this folder; pip before 21.3 copies the "
        "folder elsewhere: pip install --upgrade pip"
    )
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


def run_cmake(*commands: List[Any]) -> None:
    """Runs the commands and shows what they print.  If one fails, the program ends with a line that
    says what is missing."""
    if shutil.which("cmake") is None:
        sys.exit(f"csmo: there is no CMake. {WAYS}")
    shown = ""
    for command in commands:
        with subprocess.Popen(
            ["cmake", *map(str, command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
        ) as process:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                shown += line
        if process.returncode != 0:
            found = ((re.search(pattern, shown), reason) for pattern, reason in MISSING)
            reasons = [reason.format(*match.groups()) for match, reason in found if match]
            sys.exit(f"csmo: {(reasons or ['compiling failed, see above'])[0]}. {WAYS}")


def build_project(folder: Path) -> None:
    """Compiles the library and the programs in `folder`."""
    options = [
        "-DCMAKE_BUILD_TYPE=Release",
        "-DSVM_BUILD_TESTS=OFF",
        "-DSVM_INSTALL=OFF",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=24",
        *shlex.split(os.environ.get("CMAKE_ARGS", "")),
    ]
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    targets = ["csmo_python", *PROGRAMS]
    print("csmo: compiling the library and the programs, a minute on 2 processors", flush=True)
    run_cmake(
        ["-S", PROJECT, "-B", folder, *options],
        ["--build", folder, "--parallel", jobs, "--target", *targets],
    )


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
        if packages != HERE:
            shutil.copyfile(HERE / STARTUP, packages / STARTUP)


class InstallPrograms(install_scripts):
    """Puts the programs where those of Python packages go."""

    def run(self) -> None:
        self.outfiles = []
        if getattr(self.get_finalized_command("build_py"), "editable_mode", False):
            place = Path(self.get_finalized_command("install").install_lib)
            shutil.copyfile(HERE / STARTUP, place / STARTUP)  # the wheel has no other modules
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
        # Not those in TEMPORARY, nor the tests, which newer versions of setuptools would add.
        ours = [
            name for name in files if not os.path.isabs(name) and Path(name).parts[0] != "tests"
        ]
        super().make_release_tree(base_dir, [*ours, STARTUP])
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
    **{LICENSE: "BSD-3-Clause"},
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
