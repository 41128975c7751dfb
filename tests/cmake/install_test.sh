#!/bin/sh
# Usage: install_test.sh both|shared|static CMAKE BUILD_FOLDER SOURCE_FOLDER LIBDIR DOCDIR C_COMPILER
# Installs into an empty prefix, looks for every file, and builds small programs against the result:
# with pkg-config, and with find_package.  For one library alone another folder is configured, with
# BUILD_SHARED_LIBS and as if for another system, and gets what is built already.
set -eu
libraries=$1 cmake=$2 build=$3 source=$4 libdir=$5 docdir=$6 cc=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

# configure shared|static: a build folder for that library alone, whose path is left in `build`.
configure() {
  on=OFF
  [ "$1" = static ] || on=ON
  "$cmake" -S "$source" -B "$work/alone" -DBUILD_SHARED_LIBS=$on -DBUILD_TESTING=OFF \
    -DCMAKE_INSTALL_LIBDIR="$libdir" -DCMAKE_INSTALL_DOCDIR="$docdir" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_SYSTEM_NAME="$(uname -s)" >/dev/null
  cp "$build"/libsvm.[as]* "$build"/svm-[a-z]* "$work/alone"
  if "$cmake" -LA "$work/alone" -N | grep -q SVM_GTEST; then
    echo "BUILD_TESTING=OFF leaves the tests on"
    exit 1
  fi
  build=$work/alone
}

# expect FILE...: installed, and not empty.
expect() {
  for file in "$@"; do
    if [ ! -s "$prefix/$file" ]; then
      echo "not installed: $file"
      exit 1
    fi
  done
}

# refuse FILE...: not installed.
refuse() {
  for file in "$@"; do
    if [ -e "$prefix/$file" ]; then
      echo "installed all the same: $file"
      exit 1
    fi
  done
}

[ "$libraries" = both ] || configure "$libraries"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

for program in svm-train svm-predict svm-scale svm-grid; do
  expect bin/$program share/man/man1/$program.1
  "$prefix/bin/$program" --version
done
for script in svm-easy svm-subset svm-checkdata svm-convert svm-export svm-forest; do
  expect bin/$script share/man/man1/$script.1
done
expect share/bash-completion/completions/svm-train
if command -v python3 >/dev/null 2>&1; then  # with the programs beside it, not those in PATH
  head -60 "$source/data/demo.train" >"$work/rows"
  (cd "$work" && "$prefix/bin/svm-easy" rows && [ -s rows.model ])
  "$prefix/bin/svm-convert" --label state -s "$work/names" "$source/data/demo-test.csv" "$work/converted"
  "$prefix/bin/svm-checkdata" "$work/converted"
  "$prefix/bin/svm-train" -q --cells 20 "$work/rows" "$work/forest"
  "$prefix/bin/svm-forest" "$work/forest"
  (cd "$work" && "$prefix/bin/svm-export" rows.model -o rows.h && [ -s rows.h ])
fi
expect include/libsvm/svm.h include/libsvm/svm_ext.h "$libdir/pkgconfig/libsvm.pc" \
  "$libdir/cmake/libsvm/libsvm-config.cmake" "$docdir/COPYRIGHT" "$docdir/README.md" \
  "$docdir/docs/options.md"
refuse include/svm.h
case $libraries in
  both) expect "$libdir/libsvm.so.4" "$libdir/libsvm.so" "$libdir/libsvm.a" ;;
  shared)
    expect "$libdir/libsvm.so.4" "$libdir/libsvm.so"
    refuse "$libdir/libsvm.a"
    ;;
  static)
    expect "$libdir/libsvm.a"
    refuse "$libdir/libsvm.so.4" "$libdir/libsvm.so"
    ;;
esac

LD_LIBRARY_PATH=$prefix/$libdir
export LD_LIBRARY_PATH

# consumer OPTION...: compiles and runs a C program with pkg-config's options for the library.
consumer() {
  # shellcheck disable=SC2046  # the flags are words
  "$cc" -include svm_ext.h "$source/tests/cmake/install/consumer.c" -o "$work/consumer" $(pkg-config --cflags "$@" libsvm)
  "$work/consumer"
  echo "pkg-config $*: good"
}

if command -v pkg-config >/dev/null 2>&1; then
  PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
  export PKG_CONFIG_PATH
  consumer --libs
  if [ "$libraries" = both ]; then
    mv "$prefix/$libdir/libsvm.so" "$work"  # else the linker takes that
    consumer --static --libs
    mv "$work/libsvm.so" "$prefix/$libdir"
  fi
else
  echo "pkg-config not found: that part is left out"
fi

"$cmake" -S "$source/tests/cmake/install" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$work/build" >/dev/null
"$work/build/consumer"
if [ "$libraries" != shared ]; then "$work/build/consumer_static"; fi
echo "find_package: good"
