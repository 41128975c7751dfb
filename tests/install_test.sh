#!/bin/sh
# Usage: install_test.sh CMAKE BUILD_FOLDER TESTS_FOLDER LIBDIR C_COMPILER
# Installs into an empty prefix, looks for every file, and builds a small program against the
# result: with pkg-config, and with find_package.
set -eu
cmake=$1
build=$2
tests=$3
libdir=$4
cc=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" >/dev/null

for file in bin/svm-train bin/svm-predict bin/svm-scale include/libsvm/svm.h \
  "$libdir/libsvm.so.4" "$libdir/libsvm.so" "$libdir/libsvm.a" "$libdir/pkgconfig/libsvm.pc" \
  "$libdir/cmake/libsvm/libsvm-config.cmake" share/man/man1/svm-train.1 \
  share/man/man1/svm-predict.1 share/man/man1/svm-scale.1; do
  if [ ! -s "$prefix/$file" ]; then
    echo "not installed: $file"
    exit 1
  fi
done
"$prefix/bin/svm-train" --version
"$prefix/bin/svm-predict" --version
"$prefix/bin/svm-scale" --version

LD_LIBRARY_PATH=$prefix/$libdir
export LD_LIBRARY_PATH

if command -v pkg-config >/dev/null 2>&1; then
  PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046  # the flags are words
  "$cc" "$tests/install/consumer.c" $(pkg-config --cflags --libs libsvm) -o "$work/consumer"
  "$work/consumer"
  echo "pkg-config: good"
else
  echo "pkg-config not found: that part is left out"
fi

"$cmake" -S "$tests/install" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$work/build" >/dev/null
"$work/build/consumer"
"$work/build/consumer_static"
echo "find_package: good"
