#!/bin/sh
# Usage: amalgamation_test.sh FOLDER SOURCE_FOLDER CXX_COMPILER NM
# The library as three files, with svm.cpp compiled, in FOLDER: it compiles in all the ways that its README
# speaks of, and takes and gives no names but those of the headers.  77: FOLDER is empty, as there is no
# Python, which writes the files.
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
if "$cxx" -std=c++17 -ffast-math -I"$folder" -fsyntax-only "$folder/svm.cpp" 2>"$work/log"; then
  fail "compiles with -ffast-math"
fi
grep -q "compile without -ffast-math" "$work/log" || fail "no message for -ffast-math"

# Nothing that checkers of packages look for is taken, and nothing is printed.
"$cxx" -std=c++17 -O0 -DSVM_NO_STDIO -DSVM_NO_RAND -I"$folder" -c "$folder/svm.cpp" -o "$work/silent.o"
loud=$("$nm" -C "$work/silent.o" | sed -n 's/^ *[Uuw] //p' | grep -E 'print|put[sc]|rand|^std(out|err)|std::c(out|err)' || true)
[ -z "$loud" ] || fail "SVM_NO_STDIO or SVM_NO_RAND takes: $loud"
for object in "$work/silent.o" "$folder/svm.o"; do
  "$cxx" -Wall -Wextra -Werror -I"$folder" "$source/tests/embedding/silence_client.cpp" "$object" -pthread -o "$work/client"
  status_of_client=0
  "$work/client" >"$work/$(basename "$object").out" 2>"$work/$(basename "$object").model" || status_of_client=$?
  echo $status_of_client >"$work/$(basename "$object").status"
done
[ ! -s "$work/silent.o.out" ] || fail "SVM_NO_STDIO prints"
grep -q '#iter' "$work/svm.o.out" || fail "does not print"
cmp "$work/silent.o.model" "$work/svm.o.model" || fail "SVM_NO_RAND does not draw as after srand(1)"
[ "$(cat "$work/silent.o.status")" = 1 ] || fail "SVM_NO_RAND: a second training has other draws"
[ "$(cat "$work/svm.o.status")" = 0 ] || fail "the default draws are not those of rand()"

# For LIBSVM's interface alone, two files are enough.
mkdir "$work/two"
cp "$folder/svm.h" "$folder/svm.cpp" "$work/two"
"$cxx" -std=c++17 -Wall -Wextra -Werror -I"$work/two" -fsyntax-only "$work/two/svm.cpp" || fail "needs svm_ext.h"
"$cxx" -std=c++17 -include "$folder/svm_ext.h" -I"$folder" -fsyntax-only "$folder/svm.cpp" || fail "has svm_ext.h twice"

# LIBSVM's header and this one in one unit give a message.
printf '#define _LIBSVM_H\n#include "svm.h"\n' >"$work/both.c"
if "$cxx" -I"$folder" -fsyntax-only "$work/both.c" 2>"$work/log"; then fail "compiles after LIBSVM's header"; fi
grep -q 'include only one of them' "$work/log" || fail "no message for both headers"

# Changed files, and those of editors.
mkdir "$work/changed"
tar -C "$source" --exclude=./build --exclude=./build-* --exclude=./.git -cf - . | tar -C "$work/changed" -xf -
ln -s nobody@nowhere "$work/changed/kernels/.#view_rows.cpp"
echo '// changed' >>"$work/changed/kernels/view_rows.cpp"
python3 "$work/changed/tools/amalgamate" --output "$work/of_changed" || fail "fails beside changed files"
grep -q '^// changed' "$work/of_changed/svm.cpp" || fail "leaves a change out"

# Names that are taken, and given: those of the headers, of the namespace svm, and of the C++ library.
"$nm" -C "$folder/svm.o" >"$work/names"
grep -q ' T svm_train$' "$work/names" || fail "no svm_train"
given=$(sed -n 's/^[0-9a-f]* [A-TV-Z] //p' "$work/names" |
  grep -vE '^(svm_[a-z0-9_]+|libsvm_version)$|svm::|3svm|std::|^DW\.ref\.|^operator |^__gnu_cxx' || true)
[ -z "$given" ] || fail "gives: $given"
taken=$(sed -n 's/^ *U //p' "$work/names" |
  grep -xE 'stderr|std::cerr|exit|_exit|abort|atexit|__cxa_atexit|main|puts|printf|signal|sigaction|popen' || true)
[ -z "$taken" ] || fail "takes: $taken"
sed -n 's/^SVM_API .*[ *(]\(svm_[a-z0-9_]*\|libsvm_version\))\{0,1\}[(;].*/\1/p' "$folder/svm.h" "$folder/svm_ext.h" | sort -u >"$work/wanted"
sed -n 's/^  \([a-z0-9_]*\).*/\1/p' "$folder/svm.def" | sort >"$work/def"
"$nm" "$folder/svm.o" | sed -n 's/.* [A-TV-Z] \(svm_[a-z0-9_]*\|libsvm_version\)$/\1/p' | sort >"$work/made"
diff "$work/wanted" "$work/made" || fail "the headers and svm.cpp have other names"
diff "$work/def" "$work/made" || fail "svm.def and svm.cpp have other names"

# Without training: predictions have the same bits, and the code is small.
cat >"$work/client.c" <<'END'
#include <stdio.h>
#include "svm_ext.h"
int main(int argc, char** argv) {
  struct svm_model* model = svm_load_model(argv[argc - 1]);
  struct svm_predictor* predictor = svm_make_predictor(model, 1);
  struct svm_rows rows = {0};
  int i;
  rows.size = sizeof rows;
  rows.rows = 1;
  rows.layout = SVM_NODES;
  if (predictor == NULL) return 1;
  for (i = 0; i < 50; ++i) {
    struct svm_node row[3] = {{1, 0}, {4, 0}, {-1, 0}};
    struct svm_node* start = row;
    double own, packed, label;
    rows.nodes = &start;
    row[0].value = i * 0.037 - 0.9;
    row[1].value = 1 / (i + 0.3);
    label = svm_predict_values(model, row, &own);
    if (svm_predict_rows(predictor, &rows, 1, NULL, &packed, NULL) != 0) return 1;
    printf("%a %a %a %a\n", label, own, packed, svm_predict(model, row));
  }
  svm_free_predictor(predictor);
  svm_free_and_destroy_model(&model);
  return 0;
}
END
awk 'BEGIN {
  print "svm_type c_svc\nkernel_type rbf\ngamma 0.7\nnr_class 2\ntotal_sv 60\nrho 0.1"
  print "label 1 -1\nnr_sv 30 30\nSV"
  for (i = 0; i < 60; ++i) print (i < 30 ? 1 : -1) / (1 + i % 7), "1:" (i * 7 % 11) / 9, "4:" (i * 5 % 13) / 17
}' >"$work/model"
"$cxx" -std=c++17 -Wall -Wextra -Wshadow -Werror -Os -DSVM_PREDICT_ONLY -I"$folder" -c "$folder/svm.cpp" -o "$work/predict.o"
"$cxx" -x c -I"$folder" -c "$work/client.c" -o "$work/client.o"
for object in "$folder/svm.o" "$work/predict.o"; do
  "$cxx" -pthread "$work/client.o" "$object" -o "$work/client"
  "$work/client" "$work/model" >"$work/$(basename "$object" .o).values" || fail "$object predicts nothing"
done
cmp "$work/svm.values" "$work/predict.values" || fail "other predictions without training"
"$nm" "$work/predict.o" | grep -qE ' T (svm_train|svm_cross_validation|svm_check_parameter)' &&
  fail "has functions for training without training"
code=$("$nm" -S "$work/predict.o" | python3 -c 'import sys
rows = (line.split() for line in sys.stdin)
print(sum(int(row[1], 16) for row in rows if len(row) == 4 and row[2] in "tTwW"))')
[ "$code" -le 206000 ] || fail "$code bytes of code without training"

"$cxx" -shared -pthread -Wl,--version-script="$folder/svm.map" "$folder/svm.o" -o "$work/libsvm.so"
exported=$("$nm" -DC --defined-only "$work/libsvm.so" | sed -n 's/^[0-9a-f]* [A-Za-z] //p' |
  grep -vE '^(svm_[a-z0-9_]+|libsvm_version)$' || true)
[ -z "$exported" ] || fail "exports: $exported"
exit $status
