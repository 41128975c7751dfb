#!/bin/bash
set -eu
# shellcheck disable=SC2086  # CMAKE_ARGS are words
cmake -S . -B build-conda ${CMAKE_ARGS-} -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DBUILD_SHARED_LIBS=ON -DSVM_BUILD_TESTS=OFF
cmake --build build-conda --parallel "${CPU_COUNT:-1}"
cmake --install build-conda

# Recipes that need LIBSVM look here.
cp svm.h svm_ext.h "$PREFIX/include"
[ -e "$PREFIX/lib/libsvm.so.4" ] || ln -s libsvm.4.dylib "$PREFIX/lib/libsvm.so.4"
