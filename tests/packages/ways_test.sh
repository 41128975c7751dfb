#!/usr/bin/env bash
# Usage: ways_test.sh FOLDER_OF_WHEELS
# Installs the Python package in the ways that docs/python.md names, in a folder whose name has spaces, and trains
# in each environment.  FOLDER_OF_WHEELS is what tools/release made for Python.  Nothing is compiled: a stand-in
# for CMake takes the library and the programs from the wheel for this processor.  uv, build, cibuildwheel, the newest
# setuptools and libsvm-official come from the package index; without one, only the wheel is tried.
set -euo pipefail
wheels=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
source=$PWD
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
unset PYTHONPATH
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
work="$temporary/a folder"
mkdir "$work"
wheel=$(echo "$wheels"/csmo-*manylinux2014_"$(uname -m)".whl)
sdist=$(echo "$wheels"/csmo-*.tar.gz)
[ -f "$wheel" ] || { echo "skipped: there is no wheel for this processor"; exit 0; }

fail() {
  echo "FAIL: $*"
  exit 1
}

# environment NAME [PYTHON]: a new one, as the variable python.
environment() {
  "${2-python3}" -m venv "$work/$1"
  python=$work/$1/bin/python
}

# pip ARGUMENT...: shows the output only if that fails.
pip() { "$python" -m pip "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; return 1; }; }

# trains WAY: the modules and the programs of the environment.
trains() {
  "$python" - "$source/data/demo.train" <<'END' || fail "$1"
import sys, warnings
warnings.simplefilter("error")
import csmo
from libsvm.svmutil import svm_read_problem, svm_train
assert csmo.__version__
assert svm_train(*svm_read_problem(sys.argv[1]), "-q -a csmo -c 10").get_nr_class() == 2
END
  "$(dirname "$python")/svm-train" --version >/dev/null || fail "$1: svm-train"
  echo "$1: installed and trained by Python $("$python" -c 'import sys; print(sys.version.split(" (")[0])')"
}

# The wheel for each Python that there is, with a lock or without.
for name in python3 python3.8 python3.9 python3.{10..15} python3.{13..15}t; do
  "$name" -c 'import ensurepip' 2>/dev/null || continue
  environment "wheel-$name" "$name"
  pip install --no-index "$wheel"
  trains wheel
done

environment tools
pip download --no-deps --no-binary :all: -d "$work/theirs" libsvm-official || {
  echo "skipped: no package index"
  exit 0
}
pip install build uv cibuildwheel

/usr/bin/python3 -m zipfile -e "$wheel" "$work/built"
mkdir "$work/bin"
cat >"$work/bin/cmake" <<END
#!/bin/sh
[ "\$1" = --build ] || exit 0
mkdir -p "\$2/python"
cp "$work/built/csmo/libsvm.so.4" "\$2/python"
cp "$work/built"/*.data/scripts/svm-* "\$2"
END
chmod +x "$work/bin/cmake"
tools=$work/tools/bin
export PATH="$work/bin:$PATH"

# A copy without the files that a checkout may have besides.
mkdir -p "$work/project/api" "$work/project/cmake"
cp api/version.cpp "$work/project/api"
cp cmake/sources.txt "$work/project/cmake"
cp -RL python "$work/project"
rm -f "$work/project/python/csmo/libsvm.so.4"

"$tools/python" -m build --outdir "$work/made" python >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "python -m build"; }
! grep -i deprecat "$work/log" || fail "setuptools deprecates what setup.py or pyproject.toml does"
environment build
pip install --no-index "$work/made"/csmo-*.whl
trains "python -m build"
"$python" -c 'from importlib.metadata import metadata; assert metadata("csmo")["License-Expression"] == "BSD-3-Clause"'

environment source
pip install "$sdist"
trains "pip install of the source distribution"

environment editable
pip install -e "$work/project/python"
trains "pip install -e"
CSMO_PATCH=1 "$python" -c 'import sys; assert "csmo._startup" in sys.modules' || fail "pip install -e: CSMO_PATCH"
"$python" -c 'import csmo, sys; assert csmo.__file__.startswith(sys.argv[1]), csmo' "$work/project"

environment uv
VIRTUAL_ENV=$work/uv "$tools/uv" pip install --quiet "$work/project/python"
trains "uv pip install"
VIRTUAL_ENV=$work/uv "$tools/uv" pip install --quiet --reinstall -e "$work/project/python"
trains "uv pip install -e"

# LIBSVM's own package over ours, and away again.
environment official
pip install --no-index "$wheel"
says() { "$python" -c 'import csmo; csmo.SvmError' 2>&1 | grep -F "$1" >/dev/null || fail "csmo does not say: $1"; }
pip install --no-deps "$work/theirs"/*
says "was replaced by another package's"
pip uninstall -y libsvm-official
says "is gone"
pip install --no-index --no-deps --force-reinstall "$wheel"
trains "the wheel after libsvm-official"

"$tools/cibuildwheel" --print-build-identifiers --platform linux python >"$work/identifiers"
grep -q '^cp314t-manylinux_' "$work/identifiers" || fail "cibuildwheel makes nothing for free-threaded Python"
