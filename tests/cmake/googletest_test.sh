#!/bin/sh
# Usage: googletest_test.sh CMAKE SOURCE_FOLDER COMPILER
# Where GoogleTest is not installed, configuring ends with a message that names the ways out, and each
# of them works.  A folder stands in for GoogleTest's sources; nothing is downloaded.
set -eu
cmake=$1 source=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/sources"
cat >"$work/sources/CMakeLists.txt" <<'END'
project(googletest CXX)
file(WRITE ${PROJECT_BINARY_DIR}/main.cpp "int main() {}\n")
option(BUILD_SHARED_LIBS "As GoogleTest has it" ON)
add_library(gtest_main ${PROJECT_BINARY_DIR}/main.cpp)
get_target_property(type gtest_main TYPE)
message(STATUS "stand-in: ${type}")
END

configure() {
  "$cmake" -S "$source" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DSVM_BUILD_TESTS=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON "$@" \
    >"$work/log" 2>&1
}

failed() {
  echo "$*:"
  cat "$work/log"
  exit 1
}

! configure -DSVM_GTEST_SOURCE="$work/none" || failed "goes on without GoogleTest"
for word in libgtest-dev gtest-devel SVM_GTEST_SOURCE SVM_FETCH_GTEST=ON SVM_BUILD_TESTS=OFF; do
  grep -q "$word" "$work/log" || failed "the message does not name $word"
done
[ ! -e "$work/build/_deps" ] || failed "something was fetched"

configure -DSVM_GTEST_SOURCE="$work/sources" || failed "does not take the sources"
grep -q "stand-in: STATIC_LIBRARY" "$work/log" || failed "not the sources' static library"
configure -DSVM_GTEST_SOURCE="$work/none" -DSVM_FETCH_GTEST=ON \
  -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST="$work/sources" || failed "does not fetch"
grep -q "stand-in: STATIC_LIBRARY" "$work/log" || failed "not the fetched static library"
grep -q "BUILD_SHARED_LIBS" "$work/build/CMakeCache.txt" && failed "GoogleTest's options leak"
configure -DSVM_BUILD_TESTS=OFF || failed "needs GoogleTest without tests"
