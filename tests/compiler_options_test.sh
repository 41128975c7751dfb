#!/bin/sh
# Usage: compiler_options_test.sh CMAKE GENERATOR COMPILER SOURCE_FOLDER FILE:OPTIONS...
# Options of a user for the processor change nothing in the loops of an instruction set: every FILE
# compiles with them before its own options.  Options that make arithmetic inexact end the build with
# a message.
set -eu
cmake=$1 generator=$2 compiler=$3 source=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# accepts OPTION: does the compiler know it?
accepts() { echo 'int main() {}' | "$compiler" "$1" -Werror -fsyntax-only -x c++ - 2>/dev/null; }

status=0
for option in -march=native -march=x86-64-v3 -mavx2; do
  accepts $option || { echo "skipped: $compiler does not know $option"; continue; }
  for file in "$@"; do
    # shellcheck disable=SC2086  # options are words
    "$compiler" -std=c++17 -I"$source" -Werror $option ${file#*:} -c "$source/${file%%:*}" \
      -o "$work/object" || { echo "${file%%:*} does not compile with $option"; status=1; }
  done
done

for option in -ffast-math -Ofast -ffinite-math-only; do
  "$cmake" -S "$source" -B "$work/build" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS_RELEASE=$option -DSVM_BUILD_TESTS=OFF >"$work/log"
  if "$cmake" --build "$work/build" --target svm_objects >"$work/log" 2>&1; then
    echo "compiles with $option"
    status=1
  elif ! grep -q "results must be exact: .*without $option" "$work/log"; then
    echo "no message for $option:"
    cat "$work/log"
    status=1
  fi
done
exit $status
