#!/bin/sh
# Usage: amalgamation_test.sh FOLDER SOURCE_FOLDER CXX_COMPILER NM
# The library as two files, of which FOLDER has the compiled one: it compiles in all the ways that its
# README speaks of, and takes and gives no names but those of svm.h.  77: FOLDER is empty, as there is
# no Python, which writes the two files.
set -eu
folder=$1 source=$2 cxx=$3 nm=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
if [ ! -f "$folder/svm.o" ]; then
  echo "skipped: amalgamation.object was skipped"
  exit 77
fi

fail() {
  echo "$1"
  status=1
}

# check FILE OPTION...: its warnings are errors.  CI compares what such files compute.
check() { "$cxx" -std=c++17 -Wall -Wextra -Werror "$@" -I"$folder" -fsyntax-only; }

check "$folder/svm.cpp" -DSVM_NO_THREADS || fail "does not compile without threads"
check "$folder/svm.cpp" -DSVM_NO_SIMD -std=c++20 || fail "does not compile as plain C++20"
python3 "$source/tools/amalgamate" --solvers all --output "$work/all"
check "$work/all/svm.cpp" || fail "does not compile with all solvers"
if "$cxx" -std=c++17 -ffast-math -I"$folder" -fsyntax-only "$folder/svm.cpp" 2>"$work/log"; then
  fail "compiles with -ffast-math"
fi
grep -q "compile without -ffast-math" "$work/log" || fail "no message for -ffast-math"

# Names that are taken, and given: those of svm.h, of the namespace svm, and of the C++ library.
"$nm" -C "$folder/svm.o" >"$work/names"
grep -q ' T svm_train$' "$work/names" || fail "no svm_train"
given=$(sed -n 's/^[0-9a-f]* [A-TV-Z] //p' "$work/names" |
  grep -vE '^(svm_[a-z0-9_]+|libsvm_version)$|svm::|std::|^DW\.ref\.|^operator |^__gnu_cxx' || true)
[ -z "$given" ] || fail "gives: $given"
taken=$(sed -n 's/^ *U //p' "$work/names" |
  grep -xE 'stderr|std::cerr|exit|_exit|abort|atexit|__cxa_atexit|main|puts|printf|signal|sigaction|popen' || true)
[ -z "$taken" ] || fail "takes: $taken"
sed -n 's/^SVM_API .*[ *(]\(svm_[a-z0-9_]*\|libsvm_version\))\{0,1\}[(;].*/\1/p' "$folder/svm.h" | sort -u >"$work/wanted"
sed -n 's/^  \([a-z0-9_]*\).*/\1/p' "$folder/svm.def" | sort >"$work/def"
"$nm" "$folder/svm.o" | sed -n 's/.* [A-TV-Z] \(svm_[a-z0-9_]*\|libsvm_version\)$/\1/p' | sort >"$work/made"
diff "$work/wanted" "$work/made" || fail "svm.h and svm.cpp have other names"
diff "$work/def" "$work/made" || fail "svm.def and svm.cpp have other names"

"$cxx" -shared -pthread -Wl,--version-script="$folder/svm.map" "$folder/svm.o" -o "$work/libsvm.so"
exported=$("$nm" -DC --defined-only "$work/libsvm.so" | sed -n 's/^[0-9a-f]* [A-Za-z] //p' |
  grep -vE '^(svm_[a-z0-9_]+|libsvm_version)$' || true)
[ -z "$exported" ] || fail "exports: $exported"
exit $status
