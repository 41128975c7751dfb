#!/usr/bin/env bash
# Usage: hosts_test.sh DOWNLOADS FOLDER C_COMPILER CXX_COMPILER [HOST...]
# Programs with a copy of LIBSVM, from Debian's source packages, built as they are and then with the
# library in place of the copy.  FOLDER has svm.h, svm_ext.h and svm.cpp, and svm.o, compiled with
# -fPIC.  The programs' own tests run in both builds, and those that pass before must pass after.
# A table says what passed, and how many lines the host needs besides these files.  DOWNLOADS keeps the
# archives.  77: no host can be had.
#
# COMPILE=1 in the environment compiles svm.cpp by each host's own command, which takes a minute for
# each.  KEEP_LOGS=FOLDER keeps what was built there.
#
# Where Debian has removed the copy (libpsortb, ViennaRNA), and for programs that link LIBSVM (MDP),
# Debian's own LIBSVM is in its place before.
# shellcheck disable=SC2317  # functions that are called by names in variables
set -euo pipefail
tests=$(cd "$(dirname "$0")" && pwd)
downloads=$1 c_compiler=$3 cxx_compiler=$4
library=$(cd "$2" && pwd)
shift 4
hosts=("$@")
[ ${#hosts[@]} -gt 0 ] || hosts=(viennarna e1071 octave_nan algorithm_svm psortb mdp)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8
unset LIBSVM_SOLVER SVM_NUM_THREADS

# A host: archives[HOST] names Debian's source packages, the host's first.  needs_HOST
# fails if something is not installed.  use_HOST puts the library in place of the
# copy, in a folder with the archives' contents in folders PACKAGE.  test_HOST RESULTS builds and tests
# what is in that folder: RESULTS.tests receives "pass NAME" or "fail NAME" for each test, RESULTS.out
# what must not change.

declare -A archives

# The object that is compiled already stands for what the host's build would make of svm.cpp.  It is newer
# than all that make could find it depends on.
use_object() {
  [ -z "${COMPILE:-}" ] || return 0
  cp "$library/svm.o" "$1"
  touch -d '+1 hour' "$1"
}

# pass_fail RESULTS <OUTPUT: lines of the Test Anything Protocol.  They and LIBSVM's messages come from
# two buffers, in any order, and dots and stars before them are messages.
pass_fail() {
  sed 's/^[.*]*//' | grep -v '^#' | sort >"$1.out"
  sed -n 's/^ok *\(.*\)/pass \1/p; s/^not ok *\(.*\)/fail \1/p' "$1.out" >"$1.tests"
}

archives[e1071]="r-cran-e1071"
needs_e1071() { Rscript -e 'library(class); library(proxy)'; }
use_e1071() {
  cp "$library"/svm{,_ext}.h "$library/svm.cpp" "$tests/hosts/e1071.h" r-cran-e1071/src
  echo 'CXX_STD = CXX17' >r-cran-e1071/src/Makevars
  sed -i -e 's/^#include "svm.h"/#include "e1071.h"/' \
    -e 's/^\( *struct svm_model m\);/\1 = {0};/' r-cran-e1071/src/Rsvm.c
  use_object r-cran-e1071/src/svm.o
}
test_e1071() {
  mkdir library
  R CMD INSTALL --no-docs --no-test-load -l library r-cran-e1071
  R_LIBS=$PWD/library Rscript "$tests/hosts/e1071.R" r-cran-e1071 "$1"
}

# Its Octave functions; of its tests those that train, with the classifiers by LIBSVM.
archives[octave_nan]="octave-nan"
needs_octave_nan() { command -v mkoctfile octave-cli; }
use_octave_nan() {
  cp "$library/svm.h" "$library/svm.cpp" octave-nan/src
  use_object octave-nan/src/svm.o
}
test_octave_nan() {
  local folder=$PWD/octave-nan test
  cd octave-nan/src
  sed 's/@[A-Z_]*@//g' Makefile.in >Makefile
  make {sumskipnan,covm,histo,svmtrain,svmpredict}_mex.mex kth_element.mex CFLAGS="-w -O1 -fPIC -fopenmp"
  cd ../test
  sed "s/^classifier *= *{.*/classifier = {'SVM:LIB', 'SVM', 'SVM11', 'RBF'};/" -i test_xval.m
  sed "s/^classifier *= *{.*/classifier = {'SVM', 'SVM11', 'RBF'};/; s/^return/exit/" -i test_train_sc.m
  for test in test_xval test_train_sc; do
    octave-cli --norc --quiet --eval \
      "addpath('$folder/inst', '$folder/src'); rand('state', 1); randn('state', 1); $test"
  done >"$1.out"
  sed -n 's/^ *\([A-Z0-9:]*\)\t[0-9].*/pass xval \1/p; s/^ *\([A-Z0-9:]*\) \t failed/fail xval \1/p' \
    "$1.out" | sort -u >"$1.tests"
  # The tests of train_sc have nothing to fail; they print accuracies.
  if [ "$(grep -c '^m =' "$1.out")" = 3 ]; then echo pass train_sc; else echo fail train_sc; fi >>"$1.tests"
}

# The function's name before LIBSVM 3.
destroy='-Dsvm_destroy_model(m)=svm_free_and_destroy_model(&(m))'

archives[algorithm_svm]="libalgorithm-svm-perl"
needs_algorithm_svm() { perl -MExtUtils::MakeMaker -MConfig -e 'exit !-e "$Config{archlibexp}/CORE/perl.h"'; }
use_algorithm_svm() {
  cp "$library/svm.h" libalgorithm-svm-perl
  cp "$library/svm.h" libalgorithm-svm-perl/libsvm.h
  cp "$library/svm.cpp" libalgorithm-svm-perl/libsvm.cpp
  use_object libalgorithm-svm-perl/libsvm.o
}
test_algorithm_svm() {
  cd libalgorithm-svm-perl
  local define=
  grep -q svm_destroy_model libsvm.h || define="'$destroy'"
  # Headers that compilers of its time included by others.
  perl Makefile.PL OPTIMIZE=-O1 CCFLAGS="-w -include cstdlib -include cstring" DEFINE="$define"
  make
  perl -Mblib test.pl | pass_fail "$1"
}

archives[psortb]="libpsortb psortb libsvm"
needs_psortb() { needs_algorithm_svm; }
use_psortb() {
  cp "$library/svm.h" "$library/svm.cpp" libpsortb/svmloc
  cp "$library/svm.h" libpsortb/svmloc/libsvm.h
  use_object libpsortb/svmloc/svm.o
}
test_psortb() {
  local svmloc=$PWD/libpsortb/svmloc
  cd "$svmloc"
  if [ ! -f svm.cpp ]; then
    cp ../../libsvm/svm.h ../../libsvm/svm.cpp .
    cp svm.h libsvm.h
  fi
  [ -f svm.o ] || "$cxx_compiler" -O1 -fPIC -w -c svm.cpp
  "$cxx_compiler" -O1 -fPIC -w "$destroy" -shared binding.cpp svmloc.cpp svm.o -o libsvmloc.so
  cd ../../psortb/bio-tools-psort-svmloc
  perl -I../lib Makefile.PL OPTIMIZE=-O1 CCFLAGS="-w -I$svmloc" LIBS="-L$svmloc -lsvmloc"
  make
  LD_LIBRARY_PATH=$svmloc perl -Mblib t/svmloc.t | pass_fail "$1"
}

# LIBSVM's Python module is its interface; numpy 1.24 has lost a name that it takes.
archives[mdp]="mdp libsvm"
needs_mdp() { /usr/bin/python3 -c 'import future, numpy, pytest'; }
use_mdp() {
  cp "$library/svm.h" "$library/svm.cpp" libsvm
  use_object libsvm/svm.o
}
test_mdp() {
  local modules=$PWD/modules status=0
  [ -f libsvm/svm.o ] || "$cxx_compiler" -O1 -fPIC -w -c libsvm/svm.cpp -o libsvm/svm.o
  "$cxx_compiler" -shared -pthread libsvm/svm.o -o libsvm.so.2
  mkdir -p modules/libsvm
  cp libsvm/python/*.py modules
  echo '__version__ = "3"' >modules/libsvm/__init__.py
  echo 'from svmutil import *' >modules/libsvm/svmutil.py
  echo 'import numpy; numpy.typeDict = numpy.sctypeDict' >modules/sitecustomize.py
  cd mdp
  PYTHONPATH=$modules:$PWD MDP_DISABLE_SKLEARN=1 PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest \
    -p no:cacheprovider -v -k "LibSVM or separable" mdp/test/test_svm_classifier.py mdp/test/test_nodes_generic.py \
    >log || status=$?
  cat log
  [ "$status" -le 1 ]
  sed -n 's/^\(mdp[^ ]*::.*\) PASSED.*/pass \1/p; s/^\(mdp[^ ]*::.*\) \(FAILED\|ERROR\).*/fail \1/p' log |
    sed 's/0x[0-9a-f]*//g' >"$1.tests"
  : >"$1.out"
}

# The library and its tests in C.  They do not come to the z-scores, so a program of ours prints some.
archives[viennarna]="vienna-rna libsvm"
needs_viennarna() { command -v autoreconf libtoolize gengetopt checkmk xxd; }
one_tree=viennarna  # two builds of the library would take two minutes
use_viennarna() {
  mkdir -p vienna-rna/src/libsvm-3.25
  cp "$library/svm.h" "$library/svm.cpp" vienna-rna/src/libsvm-3.25
  use_object vienna-rna/src/libsvm-3.25/svm.o
  [ -n "${COMPILE:-}" ] || touch -d '+1 hour' vienna-rna/src/libsvm-3.25/svm.lo  # libtool's name for it
}
test_viennarna() {
  local program files
  cd vienna-rna
  if [ ! -f Makefile ]; then
    mkdir -p src/libsvm-3.25
    cp ../libsvm/svm.h ../libsvm/svm.cpp src/libsvm-3.25
    tar -C src -xjf src/dlib-*.tar.bz2
    : >src/dlib-19.23/dlib/all/source.cpp  # it compiles for a minute, and is not needed here
    autoreconf -fi
    # Its configure chooses C++11, and CXXFLAGS come later in commands.
    ./configure --disable-shared --disable-openmp --disable-lto --disable-mpfr --disable-simd --without-gsl \
      --without-{perl,python,python2,doc,kinfold,forester,kinwalker,rnalocmin,cluster} CFLAGS=-O0 CXXFLAGS="-O0 -std=c++17"
  fi
  make -j 2 -C src/ViennaRNA
  mapfile -t files < <(cd tests && ls ./*.ts)
  files=("${files[@]#./}")
  # A test that is linked to the library before is not linked again by itself.
  (cd tests && rm -f "${files[@]%.ts}")
  make -j 2 -C tests "${files[@]%.ts}"
  for program in "${files[@]%.ts}"; do
    (cd tests; CK_DEFAULT_TIMEOUT=60 "./$program" || true) |
      sed -n "s/^ok [0-9]* - /pass $program /p; s/^not ok [0-9]* - /fail $program /p"
  done | sed 's/: Passed$//' >"$1.tests"
  "$c_compiler" -O1 -Isrc "$tests/hosts/viennarna.c" src/ViennaRNA/.libs/libRNA.a -o scores -lstdc++ -lm -pthread
  # Sequences of 300 bases, always the same ones.
  # shellcheck disable=SC2046  # each is an argument
  ./scores $(awk 'BEGIN { srand(1); for (k = 0; k < 20; ++k) { text = ""
    for (i = 0; i < 300; ++i) text = text substr("ACGU", 1 + int(4 * rand()), 1); print text } }') >"$1.out"
}

# unpack HOST: the archives in folders of the packages' names; fails if one is missing.
unpack() {
  local package archive
  for package in ${archives[$1]}; do
    archive=$(find "$downloads" -maxdepth 1 -name "${package}_*.orig.tar.*" | head -1)
    [ -n "$archive" ] || { echo "no sources of $package"; return 1; }
    mkdir "$package"
    tar -C "$package" --strip-components=1 -xf "$archive"
  done
}

version() {
  local archive
  archive=$(find "$downloads" -maxdepth 1 -name "${archives[$1]%% *}_*.orig.tar.*" | head -1)
  archive=${archive##*_}
  echo "${archive%%[+]ds*}" | sed 's/\.orig\.tar.*//; s/+dfsg//'
}

# check HOST: builds and tests it both ways.
check() {
  local host=$1 folder=$work/$1
  mkdir -p "$folder/before"
  cd "$folder/before"
  unpack "$host" || return 77
  "needs_$host" || { echo "something that it needs is not installed"; return 77; }
  cp -r . "$folder/after"
  (cd "$folder/after" && "use_$host")
  # Added and changed lines of the host's sources, without comments and empty ones.
  { diff -rN . "$folder/after" --exclude=svm.* --exclude=svm_ext.h --exclude=libsvm.* || true; } | sed -n 's/^> *//p' |
    sed '\|^/\*.*\*/$|d; \|^/\*|,\|\*/|d; /^$/d' | wc -l >"$folder/lines"
  (time "test_$host" "$folder/before-results") 2>&1
  if [ "$host" = "$one_tree" ]; then
    rm -rf "$folder/after"
    mv "$folder/before" "$folder/after"
    ln -s after "$folder/before"  # the name that it knows itself by
    cd "$folder/after"
    "use_$host"
  fi
  cd "$folder/after"
  (time "test_$host" "$folder/after-results") 2>&1
}

# report HOST: its line of the table; fails if a test that passed before does not pass after.
report() {
  local folder=$work/$1 result=() lost when same
  for when in before after; do
    result[${#result[@]}]="$(grep -c ^pass "$folder/$when-results.tests" || true) of $(wc -l <"$folder/$when-results.tests")"
  done
  lost=$(grep ^pass "$folder/before-results.tests" | sort | comm -23 - <(grep ^pass "$folder/after-results.tests" | sort))
  if cmp -s "$folder/before-results.out" "$folder/after-results.out"; then
    same=same
  else
    same="$(diff "$folder/before-results.out" "$folder/after-results.out" | grep -c '^>' || true) lines differ"
  fi
  [ -s "$folder/before-results.out" ] || same=-
  echo "| $1 | $(version "$1") | ${result[0]} | ${result[1]} | $same | $(cat "$folder/lines") |"
  [ -z "$lost" ] || { echo "lost:"; echo "$lost"; return 1; }
}

mkdir -p "$downloads"
downloads=$(cd "$downloads" && pwd)
packages=()
for host in "${hosts[@]}"; do
  for package in ${archives[$host]}; do packages+=("$package"); done
done
sh "$tests/debian_sources.sh" "$downloads" "${packages[@]}"

# The first of them takes as long as all others.
processes=()
for k in 0 1; do
  for host in "${hosts[@]:k:k ? ${#hosts[@]} : 1}"; do
    set +e  # not `||`, which would switch errexit off within the function
    (set -e; check "$host") >"$work/$host.log" 2>&1
    echo $? >"$work/$host.status"
  done &
  processes+=($!)
done
for process in "${processes[@]}"; do wait "$process"; done

status=0 done=0
table=()
for host in "${hosts[@]}"; do
  case $(cat "$work/$host.status") in
    0)
      done=1
      table+=("$(report "$host")") || status=1
      ;;
    77) echo "$host skipped: $(tail -1 "$work/$host.log")" ;;
    *)
      echo "$host failed:"
      tail -50 "$work/$host.log"
      status=1
      ;;
  esac
done
[ -z "${KEEP_LOGS:-}" ] || cp -r "$work" "$KEEP_LOGS"
[ $done = 1 ] || [ $status = 1 ] || exit 77
echo "| host | version | tests before | after | results | lines |"
echo "| --- | --- | --- | --- | --- | --- |"
[ ${#table[@]} = 0 ] || printf '%s\n' "${table[@]}"
exit $status
