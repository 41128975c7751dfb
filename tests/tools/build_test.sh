#!/bin/sh
# Usage: build_test.sh SOURCE_FOLDER
# packaging/build-deb names all packages that it lacks, and one command that installs them.
# tools/demo, tools/test, tools/fuzz and tools/coverage install only what is missing, say so first, and
# leave it with --no-install.  They run on copies, with programs that do nothing; the package manager's stand-in
# writes down its arguments.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/tools" "$work/bin"
cp "$1/tools/build.sh" "$1/tools/demo" "$1/tools/test" "$1/tools/fuzz" "$1/tools/coverage" "$work/source/tools"
for program in sh bash env dirname sed; do ln -s "$(command -v $program)" "$work/bin"; done

# stand_in PROGRAM SCRIPT
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# run TOOL [OPTION...]: sets `status`; what it prints is in the file out, what it installs in calls.
run() {
  : >"$work/calls"
  status=0
  tool=$1
  shift
  env -i PATH="$work/bin" CALLS="$work/calls" "$work/source/tools/$tool" "$@" >"$work/out" 2>&1 ||
    status=$?
}

failed() {
  echo "$tool: $*; it printed:"
  cat "$work/out"
  exit 1
}

says() { grep -q -- "$1" "$work/out" || failed "does not say: $1"; }
installs_nothing() { [ ! -s "$work/calls" ] || failed "calls $(cat "$work/calls")"; }

stand_in id 'echo 0'
# shellcheck disable=SC2016  # expanded by the stand-in
stand_in apt-get 'echo "apt-get $*"; echo "apt-get $*" >>"$CALLS"; [ "$1" = update ]'

for tool in demo test fuzz coverage; do
  run $tool --help
  [ $status -eq 0 ] || failed "--help ends with $status"
  says "tools/$tool \[--no-install\]"
  installs_nothing

  run $tool --no-install
  [ $status -ne 0 ] || failed "goes on without compilers"
  says 'Missing .*cmake make'
  installs_nothing

  run $tool
  says 'cmake make (--no-install: fail instead)'
  grep -q 'install .*cmake make' "$work/calls" || failed "does not install cmake and make"
  sed '/^apt-get/q' "$work/out" | grep -q 'installing with apt-get' || failed "says it too late"
done

# Only what is missing.
stand_in cc ''
stand_in c++ ''
# shellcheck disable=SC2016
stand_in cmake 'test "$1" = --version && echo "cmake version 3.25.1"'
run demo
says 'installing with apt-get: make '
grep -q 'recommends make$' "$work/calls" || failed "installs $(cat "$work/calls")"

# A user who may not install is told what to ask for.
stand_in id 'echo 1000'
run demo
says 'Please install as root: make$'
installs_nothing
rm "$work/bin/apt-get"
run demo
says 'Please install a C++17 compiler'

# packaging/build-deb: what dpkg-checkbuilddeps misses, or dpkg-dev if that is not there.
mkdir -p "$work/source/packaging"
cp "$1/packaging/build-deb" "$work/source/packaging"
build_deb() {
  tool=packaging/build-deb
  status=0
  env -i PATH="$work/bin" "$work/source/$tool" "$work/debs" >"$work/out" 2>&1 || status=$?
  [ $status -eq 1 ] || failed "ends with $status"
  says "apt-get update && apt-get build-dep .*/source/packaging$"
  [ ! -e "$work/debs" ] || failed "makes the folder"
}
build_deb
says 'missing: dpkg-dev'
stand_in dpkg-buildpackage 'echo "began to build"'
stand_in dpkg-checkbuilddeps 'echo "dpkg-checkbuilddeps: error: Unmet build dependencies: debhelper-compat (= 13) dh-python" >&2; exit 1'
build_deb
says 'missing: debhelper-compat (= 13) dh-python$'
! grep -q 'began to build' "$work/out" || failed "begins to build"

# Nothing is missing: on to building, which fails here.
stand_in make ''
run demo --no-install
says 'nothing to install'
says 'cmake --preset'
[ $status -ne 0 ] || failed "does not mind that building fails"
