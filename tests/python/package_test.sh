#!/bin/sh
# Runs the Python package's tests, and the programs in Python of the documents: with the package of the source
# folder and the library of its build folder (cmake --build build --target csmo_python), or with a wheel.  That is
# installed into the virtual environment of PYTHON, or into one that sees the packages of a PYTHON without one.
#
#   tests/python/package_test.sh [--part] SOURCE_FOLDER PYTHON [WHEEL]
#
# --part leaves out tests that take long or hardly depend on the versions of other packages: of the programs,
# LIBSVM's modules, forests and linear models, threads, and the forms of sparse matrices.  Ends with 77 if Python has
# no numpy, scipy, scikit-learn or pytest, or for a wheel venv.  Nothing is fetched.
set -eu
part=
if [ "$1" = --part ]; then
  part=yes
  shift
fi
source=$(cd "$1" && pwd)
python=$(command -v "$2") || { echo "skipped: there is no $2"; exit 77; }
wheel=${3-}
modules="numpy, scipy, sklearn, pytest${wheel:+, venv, ensurepip}"
"$python" -c "import $modules" 2>/dev/null || {
  echo "skipped: $python lacks one of $modules"
  exit 77
}
versions=$("$python" - <<'END'
import platform
from importlib import metadata

found = ["Python " + platform.python_version()]
for name in "scikit-learn numpy scipy pandas polars pyarrow joblib dask distributed tqdm pytest".split():
    try:
        found.append(f"{name} {metadata.version(name)}")
    except metadata.PackageNotFoundError:
        pass
print(", ".join(found))
END
)
echo "the package with $versions"
work=$(mktemp -d)
end() {
  status=$?
  rm -rf "$work"
  [ $status -eq 0 ] || echo "FAILED: the package with $versions"
}
trap end EXIT
export SVM_BIN_DIR="${SVM_BIN_DIR:-$source/build}" PYTHONDONTWRITEBYTECODE=1

if [ -n "$wheel" ]; then
  if "$python" -c 'import sys; sys.exit(sys.prefix != sys.base_prefix)'; then
    "$python" -m venv --system-site-packages "$work/venv"
    python=$work/venv/bin/python
  fi
  bin=$(dirname "$python")
  "$python" -m pip install --quiet --no-index --no-deps "$wheel"
else
  bin=$work/bin
  mkdir "$bin"
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$bin/python3"
  chmod +x "$bin/python3"
  export PYTHONPATH="$source/python${PYTHONPATH:+:$PYTHONPATH}"
fi
cd "$work"

# In two processes where pytest can, as tests wait for programs.
set -- -q -rs -p no:cacheprovider -m "not release" --ignore "$source/python/tests/hosts"
! "$python" -c 'import xdist' 2>/dev/null || set -- "$@" -n 2
if [ -n "$part" ]; then
  for name in calls_from_threads forest forest_joblib interrupt landmarks layouts libsvm_interface libsvm_programs \
    libsvm_values linear mistakes notebook package sparse_forms threads warnings; do
    set -- "$@" --ignore "$source/python/tests/test_$name.py"
  done
fi
"$python" -m pytest "$@" "$source/python/tests"
PATH=$bin:$PATH python3 -B "$source/tests/docs/commands_test.py" "$source" README.md docs/python.md docs/search.md \
  docs/migration-scikit-learn.md docs/promise.md >"$work/pages" || { cat "$work/pages"; exit 1; }
cat "$work/pages"
! grep "skipped: .*import sklearn, csmo'" "$work/pages" || { echo "these blocks should have run"; exit 1; }
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
