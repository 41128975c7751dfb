#!/bin/sh
# Usage: compiler_options_test.sh CMAKE GENERATOR COMPILER SOURCE_FOLDER
# The loops of every instruction set compile with a user's options for the processor.  Options that
# make arithmetic inexact end the build with a message.
set -eu
cmake=$1 generator=$2 compiler=$3 source=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# accepts OPTION: does the compiler know it?
accepts() { echo 'int main() {}' | "$compiler" "$1" -Werror -fsyntax-only -x c++ - 2>/dev/null; }

status=0
for option in -march=native -march=x86-64-v3 -mavx2; do
  accepts $option || { echo "skipped: $compiler does not know $option"; continue; }
  for file in "$source"/base/simd/targets/*.cpp; do
    "$compiler" -std=c++17 -I"$source" -Werror $option -c "$file" -o "$work/object" ||
      { echo "$file does not compile with $option"; status=1; }
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
