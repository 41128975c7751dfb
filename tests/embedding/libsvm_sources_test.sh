#!/bin/sh
# Usage: libsvm_sources_test.sh LIBSVM FOLDER PROGRAMS DATA CC CXX
# LIBSVM's own sources, unmodified, against svm.h and svm.cpp, of which FOLDER has the compiled
# one: its programs give the models and predictions of ours, its Python module and its functions for
# Octave train and predict.  77: those sources are not at hand.
set -eu
libsvm=$1 folder=$2 programs=$3 data=$4 cc=$5 cxx=$6
if [ ! -f "$libsvm/svm-train.c" ]; then
  echo "skipped: no sources of LIBSVM"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$folder/svm.h" "$folder/svm.o" "$work"
cp "$libsvm"/svm-*.c "$libsvm"/matlab/*.[ch] "$libsvm"/python/*.py "$work"
cd "$work"

for program in svm-train svm-predict; do
  "$cc" -O1 -w -c $program.c
  "$cxx" $program.o svm.o -pthread -o $program
done
for options in "-b 1 -q" "-s 1 -n 0.2" "-s 3 -t 0" "-v 3"; do
  # shellcheck disable=SC2086  # options are words
  ./svm-train $options "$data/demo.train" theirs.model >theirs.text
  # shellcheck disable=SC2086
  "$programs/svm-train" $options "$data/demo.train" ours.model >ours.text
  cmp theirs.text ours.text
  [ "$options" = "-v 3" ] || cmp theirs.model ours.model
done
./svm-train -b 1 -q "$data/demo.train" model
./svm-predict -b 1 "$data/demo.test" model theirs.out >theirs.text
"$programs/svm-predict" -b 1 "$data/demo.test" model ours.out >ours.text
cmp theirs.out ours.out
cmp theirs.text ours.text
echo "programs: the same models and predictions"

if command -v python3 >/dev/null; then
  mkdir package
  cp ./*.py package
  # The module looks for the library in the folder above its own.
  "$cxx" -shared svm.o -pthread -o libsvm.so.2
  cd package
  python3 - "$data/demo.train" <<'PYTHON'
import sys
from svmutil import svm_load_model, svm_predict, svm_problem, svm_read_problem, svm_save_model, svm_train
y, x = svm_read_problem(sys.argv[1])
model = svm_train(svm_problem(y, x), "-c 4 -q")
svm_save_model("model", model)
labels, accuracy, values = svm_predict(y, x, svm_load_model("model"), "-q")
assert len(labels) == len(y) and accuracy[0] > 80, accuracy
assert model.get_nr_sv() == len(model.get_SV()) > 0
PYTHON
  cd ..
  echo "Python: trains and predicts"
fi

if command -v mkoctfile >/dev/null && command -v octave-cli >/dev/null; then
  mkoctfile --mex -w -I. libsvmread.c
  mkoctfile --mex -w -I. svmtrain.c svm_model_matlab.c svm.o
  mkoctfile --mex -w -I. svmpredict.c svm_model_matlab.c svm.o
  # LIBSVM 3.24 knew nothing of svm_model::prob_density_marks and leaves it unset in a model that it
  # makes, so memory has to come as zeros.
  GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=255 \
    octave-cli --norc --quiet --eval "
    [y, x] = libsvmread('$data/demo.train');
    model = svmtrain(y, x, '-c 4 -q');
    [labels, accuracy, values] = svmpredict(y, x, model, '-q');
    assert(accuracy(1) > 80);"
  echo "Octave: trains and predicts"
fi
