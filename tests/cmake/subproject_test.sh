#!/bin/sh
# Usage: subproject_test.sh folder|fetched CMAKE SOURCE_FOLDER C_COMPILER
# Configures a project that has this one as a part, by add_subdirectory or FetchContent.  Nothing but
# the library and its headers may get out of the part: no variables, tests, installed files, options.
set -eu
kind=$1 cmake=$2 source=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# wrong WORD...: a failure that leaves the other checks to be made.
wrong() {
  echo "$*"
  status=1
}

# configure FOLDER LIBRARY [OPTION...]: with libsvm::svm in that file.
configure() {
  folder=$work/$1 library=$2
  shift 2
  fetched=OFF
  [ "$kind" = folder ] || fetched=ON
  "$cmake" -S "$source/tests/cmake/subproject" -B "$folder" -DCMAKE_C_COMPILER="$cc" -DFETCHED=$fetched \
    -DLIBSVM="$source" "$@" >/dev/null
  [ "$(cat "$folder/library")" = "$library" ] ||
    wrong "libsvm::svm is $(cat "$folder/library"), not $library"
}

configure plain libsvm.so.4
part=$(cat "$folder/part_folder")
[ ! -s "$folder/properties" ] || wrong "a consumer gets $(cat "$folder/properties")"
grep -q 'SVM_BUILD_TESTS:BOOL=OFF' "$folder/CMakeCache.txt" || wrong "tests are built"
! grep -Eq '^(BUILD_|CMAKE_BUILD_TYPE:STRING=.)' "$folder/CMakeCache.txt" ||
  wrong "the parent's cache is changed"
! grep -q 'file(INSTALL' "$part/cmake_install.cmake" || wrong "the part is installed"

set --
while read -r include; do
  set -- "$@" "-I$include"
  headers=$(find "$include" -type f | sed 's|.*/||' | sort)
  [ "$headers" = "$(printf 'svm.h\nsvm_ext.h')" ] || wrong "$include has" "$headers"
done <"$folder/include_folders"
"$cc" -include svm_ext.h -fsyntax-only "$@" "$source/tests/cmake/install/consumer.c" || wrong "the headers are not found"

configure static libsvm.a -DBUILD_SHARED_LIBS=OFF -DSVM_INSTALL=ON
grep -q 'file(INSTALL' "$(cat "$folder/part_folder")/cmake_install.cmake" ||
  wrong "SVM_INSTALL=ON does not install"
exit $status
