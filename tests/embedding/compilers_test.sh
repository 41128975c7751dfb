#!/bin/sh
# Usage: compilers_test.sh FOLDER
# The library as three files in FOLDER prints one error if it cannot be compiled: as C++14, without exceptions, with
# inexact arithmetic, or by a compiler without types for vectors.  MinGW, if it is installed, compiles it without warnings.
# 77: FOLDER's svm.o is missing.
set -eu
folder=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

one_error() {
  if "$@" -I"$folder" -fsyntax-only "$folder/svm.cpp" 2>"$log"; then
    echo "compiles: $*"
    exit 1
  fi
  if [ "$(grep -c 'error:' "$log")" != 1 ] || ! grep -q 'error: .*compile.* with' "$log"; then
    echo "not one error: $*"
    head -20 "$log"
    exit 1
  fi
}

if [ ! -f "$folder/svm.o" ]; then
  echo "skipped: amalgamation.object was skipped"
  exit 77
fi
for cxx in g++ clang++; do
  command -v $cxx >/dev/null 2>&1 || continue
  one_error $cxx -std=c++14
  one_error $cxx -std=c++17 -fno-exceptions
  one_error $cxx -std=c++17 -ffast-math
  one_error $cxx -std=c++17 -U__GNUC__
  echo "$cxx: one error each"
done
mingw=x86_64-w64-mingw32-g++
if command -v $mingw >/dev/null 2>&1; then
  $mingw -std=c++17 -Wall -Wextra -Werror -I"$folder" -fsyntax-only "$folder/svm.cpp"
fi
