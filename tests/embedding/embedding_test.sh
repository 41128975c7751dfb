#!/bin/sh
# Usage: embedding_test.sh object|c|cpp|r|python|octave|java FOLDER SOURCE_FOLDER C_COMPILER CXX_COMPILER
# object: writes the library as three files to FOLDER, and compiles them unless that is done.  Else the
# example program of that host in examples/embedding, compiled against them, and run.  77: the host is
# not installed, or there is no Python, which writes the files.
# shellcheck disable=SC2317  # functions that are called by names in variables
set -eu
host=$1 folder=$2 source=$3 c_compiler=$4 cxx_compiler=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# need PROGRAM...
need() {
  for program in "$@"; do
    if ! command -v "$program" >/dev/null 2>&1; then
      echo "skipped: no $program"
      exit 77
    fi
  done
}

# command_is NAME PROGRAM: NAME runs that program from now on.
command_is() {
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
  hash -r
}

mkdir "$work/bin"
PATH=$work/bin:$PATH
command_is cc "$c_compiler"
command_is c++ "$cxx_compiler"

if [ "$host" = object ]; then
  need python3
  python3 "$source/tools/amalgamate" --output "$folder"
  cd "$folder"
  if [ -z "$(find . -name svm.o -newer svm.cpp)" ]; then
    c++ -std=c++17 -O1 -fPIC -c svm.cpp -o svm.o.new
    mv svm.o.new svm.o
  fi
  exit 0
fi

# The lines that docs/embedding.md shows, in a folder with the files, svm.o and the example.
run_c() {
  cc -std=c89 -pedantic-errors -Wall -Wextra -Werror -c program.c
  c++ -pthread program.o svm.o -o program
  ./program
}

run_cpp() {
  c++ -std=c++17 -Wall -Wextra -Werror -pthread program.cpp svm.o -o program
  ./program
}

run_r() {
  need Rscript
  R CMD SHLIB interface.c svm.cpp
  Rscript program.R
}

run_python() {
  c++ -shared -pthread -Wl,--version-script=svm.map svm.o -o libsvm.so
  python3 program.py
}

run_octave() {
  need octave-cli mkoctfile
  mkoctfile --mex svm_mex.c svm.o
  octave-cli --norc program.m
}

run_java() {
  need javac
  JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  javac Model.java Program.java
  c++ -shared -fPIC -pthread -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" svm_jni.cpp svm.o -o libsvm_jni.so
  java -Djava.library.path=. Program
}

if [ ! -f "$folder/svm.o" ]; then
  echo "skipped: amalgamation.object was skipped"
  exit 77
fi
cp "$source/examples/embedding/$host"/* "$work"
cp -p "$folder"/svm* "$work"
cd "$work"
case $host in
  python)  # the first Python that has numpy
    need python3
    for python in python3 /usr/bin/python3 none; do
      if "$python" -c 'import numpy' 2>/dev/null; then break; fi
    done
    if [ "$python" = none ]; then
      echo "skipped: no numpy"
      exit 77
    fi
    command_is python3 "$(command -v "$python")"
    ;;
esac

set +e  # not `||`, which would switch errexit off within the function
(set -e; "run_$host") 2>errors
status=$?
cat errors >&2
case $host in
  c | cpp | python)  # which write nothing to standard error
    if [ -s errors ]; then status=1; fi ;;
esac
exit $status
