#!/bin/sh
# Installs a wheel into a virtual environment that sees the system's packages, and runs its tests there.
#
#   tests/python/package_test.sh SOURCE_FOLDER PYTHON WHEEL
#
# Ends with 77 if Python has no numpy, scipy, scikit-learn, pytest or venv.  Nothing is fetched.
set -eu
source=$(cd "$1" && pwd)
python=$2
wheel=$3
modules='numpy, scipy, sklearn, pytest, venv, ensurepip'
"$python" -c "import $modules" 2>/dev/null || {
  echo "skipped: $python lacks one of $modules"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --no-deps "$wheel"
cd "$work"
export SVM_BIN_DIR="${SVM_BIN_DIR:-$source/build}" PYTHONDONTWRITEBYTECODE=1
"$work/venv/bin/python" -m pytest -q -rs -p no:cacheprovider "$source/python/tests"
PATH=$work/venv/bin:$PATH python3 -B "$source/tests/docs/commands_test.py" "$source" README.md docs/python.md \
  docs/migration-scikit-learn.md docs/promise.md
"$work/venv/bin/python" - <<'END'
import csmo, csmo._native, os, sys
assert csmo._native.library._name.startswith(sys.prefix), csmo._native.library._name
needed = os.popen(f"ldd {csmo._native.library._name}").read()
assert "stdc++" not in needed, needed
END
for program in svm-train svm-predict svm-scale svm-grid; do
  "$work/venv/bin/$program" --version | grep "^$program [0-9.]* (LIBSVM"
done
