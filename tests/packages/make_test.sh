#!/bin/sh
# Usage: make_test.sh SOURCE_FOLDER BUILD_FOLDER FLAGS
# packaging/Makefile, called with these CFLAGS in an empty folder, makes programs and a library that
# give what those of the build folder give.  It takes a minute or more of compiling.
set -eu
source=$1 build=$2 flags=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for target in all lib; do
  make -f "$source/packaging/Makefile" -j "$(getconf _NPROCESSORS_ONLN)" CFLAGS="$flags" $target >log 2>&1 ||
    { cat log; exit 1; }
done
if grep warning log; then exit 1; fi
head -100 "$source/data/demo.train" >data
./svm-scale -l 0 data >rows
for options in "-a smo" "-a csmo" "-s 3 -t 1"; do
  # shellcheck disable=SC2086  # options are words
  ./svm-train -q $options rows ours && "$build/svm-train" -q $options rows theirs
  cmp ours theirs
done
./svm-predict rows ours out
./svm-grid -log2c 0,1,1 -log2g null -gnuplot null rows
for program in svm-train svm-predict svm-scale svm-grid; do
  ./$program >usage && exit 1
  grep '^Usage' usage
done
${CC:-cc} -I"$source" -x c - -x none ./libsvm.so.4 -Wl,-rpath,"$work" -o user <<'EOF'
#include <svm_ext.h>
int main(void) { return libsvm_version == LIBSVM_VERSION && svm_version() ? 0 : 1; }
EOF
./user
make -f "$source/packaging/Makefile" clean >log
for left in svm-* libsvm* build*; do
  [ ! -e "$left" ] || { echo "not cleaned: $left"; exit 1; }
done
echo "make: good"
