#!/bin/sh
# Usage: demo_test.sh SOURCE_FOLDER PROGRAMS_FOLDER
# tools/demo, with these programs in place of those that it would build: the race between smo and csmo,
# and against another svm-train that has no option --version, as LIBSVM's; and the commands that it
# proposes.
set -eu
source=$(cd "$1" && pwd)
programs=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/build" "$work/bin" "$work/libsvm"
for path in data svm.h tools; do ln -s "$source/$path" "$work/source/$path"; done
for program in svm-train svm-predict svm-scale svm-grid; do
  ln -s "$programs/$program" "$work/source/build/$program"
done

# stand_in FOLDER PROGRAM SCRIPT
stand_in() {
  printf '#!/bin/sh\n%s\n' "$3" >"$work/$1/$2"
  chmod +x "$work/$1/$2"
}

failed() {
  echo "$*; it printed:"
  cat "$work/out"
  exit 1
}

# run FOLDER...: runs it with these folders at the front of PATH.
run() {
  path=$(printf '%s:' "$@")
  PATH=$path$clean_path CMAKE_GENERATOR='' "$work/source/tools/demo" --no-install >"$work/out" 2>&1 ||
    failed "tools/demo ends with status $?"
}

says() { grep -q -e "$1" "$work/out" || failed "tools/demo does not say: $1"; }
says_not() { ! grep -q -e "$1" "$work/out" || failed "tools/demo says: $1"; }

# PATH without folders that have an svm-train; programs of those that are needed come from elsewhere.
for program in cc c++ make; do stand_in bin $program ''; done
# shellcheck disable=SC2016  # expanded by the stand-in
stand_in bin cmake '[ "$1" != --version ] || echo "cmake version 3.25.1"'
for program in sh env dirname sed awk cat date getconf grep id mkdir rm; do
  [ ! -x "$(command -v $program)" ] || ln -s "$(command -v $program)" "$work/bin/$program"
done
clean_path=$work/bin

run "$work/bin"
says '^Accuracy = 9'
says '^  smo  .* s  #'
says '^  csmo .* s  #.* times as fast$'
says '^  smo  *-3441\.630836  *88%$'
says '^  csmo *-3441\.63[0-9]* *88%$'
says 'Recorded on .*'
says 'LIBSVM [0-9.]* seconds.*apt install libsvm-tools$'
says_not '^  libsvm'

# What it proposes works as it is printed.
sed -n '/three things to try next/,$s/^  //p' "$work/out" >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 4 ] || failed "tools/demo proposes too little"
if command -v python3 >/dev/null; then
  says '^  .*/tools/convert\.py'
else
  echo "not tried, as there is no python3: tools/convert.py"
  sed -i.all '/convert\.py/,$d' "$work/commands"
fi
(cd "$work/source/build/demo" && sh -eu "$work/commands") >"$work/out" 2>&1 || failed "the commands fail: $(cat "$work/commands")"
says '^512\.0 0\.03125 96'
says '^violation of the optimality conditions = .*(tolerance'
says_not 'above the tolerance'

# An svm-train that is ours is not taken for LIBSVM's, but one behind it is.
mkdir "$work/ours"
ln -s "$programs/svm-train" "$work/ours/svm-train"
stand_in libsvm svm-train "case \${1-} in
  '' | --version) echo 'Usage: svm-train [options]'; exit 1 ;;
esac
exec '$programs/svm-train' \"\$@\""
run "$work/ours" "$work/libsvm"
says "== $work/libsvm/svm-train survey.train libsvm.model"
says '^  libsvm .* s  #'
says '^  libsvm *-3441\.630836  *88%$'
says_not 'apt install'

# Without a date that knows nanoseconds, as on some systems.
stand_in ours time 'shift; "$@"; printf "real 1.25\nuser 0.00\nsys 0.00\n" >&2'
for answer in N ''; do
  stand_in ours date "echo $answer"
  run "$work/ours"
  says '^  csmo  *[0-9.]*[1-9][0-9]* s  #.* times as fast$'  # and not 0.00 s
done
