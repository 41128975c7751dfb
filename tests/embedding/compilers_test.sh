#!/bin/sh
# Usage: compilers_test.sh errors|msvc|msvc_windows|clang_cl FOLDER SOURCE_FOLDER
# The library as two files in FOLDER, for compilers that are not at hand, and for options that it refuses.
#   errors        C++14, no exceptions and inexact arithmetic: one error each, with every compiler here
#   msvc          the code that MSVC gets has no extensions of GNU; GCC compiles it to FOLDER/msvc/svm.o,
#                 which gives the results of FOLDER/svm.o
#   msvc_windows  the same code with Windows' headers, by MinGW
#   clang_cl      the code that Clang gets in place of MSVC, with its vectors, for Windows
# 77: the compiler, or FOLDER's svm.o, is missing.
set -eu
mode=$1 folder=$2 source=$3
mingw=x86_64-w64-mingw32-g++
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
  echo "skipped: $1"
  exit 77
}

need() { command -v "$1" >/dev/null 2>&1 || skip "no $1"; }

# write_unit: a source file that includes svm.cpp with the macros of MSVC, or by Clang with those of
# clang-cl. Headers come first, so that they see the compiler's own macros.
write_unit() {
  echo '#define NOMINMAX' >"$work/unit.cpp"
  sed -n 's/^ *# *include <\(.*\)>.*/\1/p' "$folder/svm.cpp" | sort -u |
    grep -vE '^((avx|fma|smm).*intrin|arm_neon)\.h$' |
    sed -e 's/.*/#if __has_include(<&>)\n#include <&>\n#endif/' \
      -e '/<\(poll\|sched\|unistd\|sys.*\|gnu.*\)\.h>/s/^#if /#if !defined(_WIN32) \&\& /' >>"$work/unit.cpp"
  cat >>"$work/unit.cpp" <<'END'
#undef near
#undef far
#undef small
#undef __GNUC__
#if !defined(__clang__)
#undef __SSE2__
#undef __x86_64__
#undef __BYTE_ORDER__
#undef __ORDER_LITTLE_ENDIAN__
#endif
#undef __cpp_exceptions
#undef __cplusplus
#define __cplusplus 199711L
#define _MSC_VER 1930
#define _MSVC_LANG 201703L
#define _CPPUNWIND 1
#define _M_X64 100
#include "svm.cpp"
END
}

# require_no_extensions COMPILER OPTION...: what is left of svm.cpp has no reserved names.
require_no_extensions() {
  "$@" -std=c++17 -I"$folder" -E -fdirectives-only "$work/unit.cpp" |
    awk '/^# [0-9]+ "/ { here = $3 ~ /svm\.cpp"$/ } here' | sed 's,//.*,,' >"$work/left"
  grep -q svm_train_ex "$work/left"
  if grep -nE '(^|[^A-Za-z0-9_])(__[a-z]|asm[^a-z_])|# *pragma *(GCC|clang|STDC)' "$work/left" |
    grep -v __m128i; then
    echo "extensions of the language"
    exit 1
  fi
}

# compile COMPILER OPTION...: warnings are errors, but for MSVC's pragma and a file that includes svm.cpp.
compile() {
  compiler=$1
  shift
  "$compiler" -std=c++17 -Wall -Wextra -Werror -pedantic-errors -Wno-unknown-pragmas -I"$folder" "$@" "$work/unit.cpp"
}

one_error() {
  if "$@" -I"$folder" -fsyntax-only "$folder/svm.cpp" 2>"$work/log"; then
    echo "compiles: $*"
    exit 1
  fi
  if [ "$(grep -c 'error:' "$work/log")" != 1 ] || ! grep -q 'error: .*compile.* with' "$work/log"; then
    echo "not one error: $*"
    head -20 "$work/log"
    exit 1
  fi
}

[ -f "$folder/svm.o" ] || skip "amalgamation.object was skipped"
case $mode in
  errors)
    for cxx in g++ clang++; do
      command -v $cxx >/dev/null 2>&1 || continue
      one_error $cxx -std=c++14
      one_error $cxx -std=c++17 -fno-exceptions
      one_error $cxx -std=c++17 -ffast-math
      echo "$cxx: one error each"
    done
    ;;
  msvc)
    need g++
    write_unit
    cat >"$work/intrin.h" <<'END'
// In place of MSVC's header.
#pragma once
inline unsigned char _BitScanForward64(unsigned long* place, unsigned long long bits) {
  for (*place = 0; *place < 63 && (bits >> *place & 1) == 0;) ++*place;
  return bits != 0;
}
END
    require_no_extensions g++ -I"$work"
    mkdir -p "$folder/msvc"
    compile g++ -Wno-subobject-linkage -O1 -I"$work" -c -o "$folder/msvc/svm.o"
    for object in "$folder/svm.o" "$folder/msvc/svm.o"; do
      g++ -std=c++17 -pthread -I"$folder" "$source/examples/embedding/cpp/program.cpp" "$object" -o "$work/program"
      (cd "$work" && ./program) >"$work/$(basename "$(dirname "$object")").text"
    done
    cmp "$work/msvc.text" "$work/$(basename "$folder").text"
    ;;
  msvc_windows)
    need $mingw
    write_unit
    require_no_extensions $mingw
    compile $mingw -Wno-subobject-linkage -fsyntax-only
    ;;
  clang_cl)
    need clang++
    need $mingw
    write_unit
    set -- clang++ --target=x86_64-w64-mingw32
    for path in $($mingw -xc++ -E -v /dev/null 2>&1 | sed -n '/^#include </,/^End/s/^ \(.*c++.*\)/\1/p'); do
      set -- "$@" -isystem "$path"
    done
    compile "$@" -Wno-unused-private-field -fsyntax-only
    # Clang's headers of intrinsics are complete only without _MSC_VER.
    for loops in avx2 avx512 avx512_vnni; do
      "$@" -std=c++17 -D_MSC_VER=1930 -Wall -Wextra -Werror -I"$source" -fsyntax-only "$source/base/simd/targets/$loops.cpp"
    done
    "$@" -std=c++17 -D_MSC_VER=1930 -Wall -Wextra -Werror -I"$source" -fsyntax-only "$source/base/simd/x86_processor.cpp"
    ;;
esac
