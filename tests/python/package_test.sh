#!/bin/sh
# Runs the Python package's tests: with a wheel, installed into a virtual environment that sees the system's
# packages, or without one with the package of the source folder and the library of its build folder
# (cmake --build build --target csmo_python).
#
#   tests/python/package_test.sh SOURCE_FOLDER PYTHON [WHEEL]
#
# Ends with 77 if Python has no numpy, scipy, scikit-learn or pytest, or for a wheel venv.  Nothing is fetched.
set -eu
source=$(cd "$1" && pwd)
python=$2
wheel=${3-}
modules="numpy, scipy, sklearn, pytest${wheel:+, venv, ensurepip}"
"$python" -c "import $modules" 2>/dev/null || {
  echo "skipped: $python lacks one of $modules"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SVM_BIN_DIR="${SVM_BIN_DIR:-$source/build}" PYTHONDONTWRITEBYTECODE=1

if [ -n "$wheel" ]; then
  "$python" -m venv --system-site-packages "$work/venv"
  "$work/venv/bin/pip" install --quiet --no-index --no-deps "$wheel"
  bin=$work/venv/bin
  python=$bin/python
else
  bin=$work/bin
  mkdir "$bin"
  python=$(command -v "$python")
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$bin/python3"
  chmod +x "$bin/python3"
  export PYTHONPATH="$source/python${PYTHONPATH:+:$PYTHONPATH}"
fi
cd "$work"

# In two processes where pytest can, as tests wait for programs.
set -- -q -rs -p no:cacheprovider
! "$python" -c 'import xdist' 2>/dev/null || set -- "$@" -n 2
"$python" -m pytest "$@" "$source/python/tests"
PATH=$bin:$PATH python3 -B "$source/tests/docs/commands_test.py" "$source" README.md docs/python.md docs/search.md \
  docs/migration-scikit-learn.md docs/promise.md
[ -n "$wheel" ] || exit 0
"$python" - <<'END'
import csmo, csmo._native, os, sys
assert csmo._native.library._name.startswith(sys.prefix), csmo._native.library._name
assert os.path.exists(os.path.join(os.path.dirname(csmo.__path__[0]), "csmo.pth"))
needed = os.popen(f"ldd {csmo._native.library._name}").read()
assert "stdc++" not in needed, needed
END
shown=$(CSMO_PATCH=1 "$python" -c 'from sklearn.svm import SVC; print(SVC.__module__)')
[ "$shown" = csmo._classifiers ]
for program in svm-train svm-predict svm-scale svm-grid; do
  "$bin/$program" --version | grep "^$program [0-9.]* (LIBSVM"
done
