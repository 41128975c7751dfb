#!/bin/sh
# Usage: windows_test.sh FOLDER [CHECKER]
# Tests a build for Windows (cmake/mingw-w64.cmake) in FOLDER, under Wine: what the DLL exports, that
# everything runs without further DLLs, a C program that uses the DLL, file names with blanks and
# letters beyond ASCII, Ctrl-C, and the lock of a search.  With CHECKER also the comparison with
# recorded results of LIBSVM 3.37; --seed 1 gives the random draws of the GNU C library.
set -eu
tests=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(cd "$1" && pwd)
checker=${2:+$(realpath "$2")}
tools=x86_64-w64-mingw32
for wine in wine64 wine /usr/lib/wine/wine64 none; do
  command -v "$wine" >/dev/null && break
done
[ "$wine" != none ] || { echo "skipped: no wine64"; exit 77; }

work=$(mktemp -d)
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
server=$(command -v wineserver || echo /usr/lib/wine/wineserver64)
finish() {
  "$server" -k || true
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "FAIL: $*"
  exit 1
}

# Until there is something in the file.
wait_for() {
  for _ in $(seq 600); do
    [ ! -s "$1" ] || return 0
    sleep 0.1
  done
  fail "nothing is in $1"
}

echo "exported names"
sh "$tests/abi/exported_symbols_test.sh" "$programs/libsvm.dll" $tools-objdump
echo "imported libraries"
for file in libsvm.dll svm-train.exe svm-predict.exe svm-scale.exe svm-grid.exe; do
  others=$($tools-objdump -p "$programs/$file" | sed -n 's/.*DLL Name: //p' |
    grep -viE '^(kernel32|msvcrt|shell32|api-ms-win-crt-.*|ucrtbase)\.dll$' || true)
  [ -z "$others" ] || fail "$file needs $others"
done

mkdir "$work/bin" "$work/run" "$WINEPREFIX"
for name in train predict scale grid; do
  seed=""
  [ $name != train ] || seed="--seed 1"
  printf '#!/bin/sh\nexec "%s" "%s" %s "$@"\n' "$wine" "$programs/svm-$name.exe" "$seed" \
    >"$work/bin/svm-$name"
  chmod +x "$work/bin/svm-$name"
done
"$server" -p  # one for all, which lasts; what it starts must not hold on to our output
"$wine" wineboot --init >"$work/boot" 2>&1
cd "$work/run"
PATH=$work/bin:$PATH

echo "a C program that uses the DLL"
$tools-gcc-posix -o client.exe "$tests/abi/client.c" "$programs/libsvm.dll.a"
cp "$programs/libsvm.dll" .
"$wine" ./client.exe || fail "client.exe ended with status $?"
rm client.exe libsvm.dll

echo "file names"
name="Größe und Maß"
cp "$tests/../data/demo.train" a
cp a "$name.train"
svm-train -q a model
svm-train -q "$name.train"
cmp model "$name.train.model"
mkdir "Ä Ω"
cp a "Ä Ω/$name"
svm-train -q "Ä Ω\\$name"
cmp model "$name.model"
svm-predict a model out >printed
svm-predict "$name.train" "Ä Ω\\..\\$name.model" "Ä Ω/out ß" >"printed too"
cmp out "Ä Ω/out ß"
cmp printed "printed too"
svm-scale -s range a >scaled 2>told
svm-scale -s "Ä Ω/range ß" "$name.train" >"scaled ß" 2>"told too"
cmp scaled "scaled ß"
cmp told "told too"
cmp range "Ä Ω/range ß"
svm-scale -r "Ä Ω/range ß" "$name.train" >"scaled ß" 2>told
cmp scaled "scaled ß"
! svm-train "kein $name" 2>told || fail "a missing file"
grep -q "can't open input file kein $name\$" told
if grep -rl "$(printf '\r')" .; then fail "these have line ends of Windows"; fi

echo "a search and its lock"
rm -rf ./*
cp "$tests/../data/demo.train" "$name"
svm-grid -log2c -1,15,0.1 -log2g 3,-15,-0.1 -gnuplot null "$name" >first 2>&1 &
search=$!
wait_for "$name.out"
! svm-grid -log2c 0,0,1 "$name" 2>told || fail "two searches"
grep -q "$name.out: in use by another search" told
kill -9 $search
wait $search || true
svm-grid -log2c 0,0,1 -log2g 0,0,1 -gnuplot null "$name" >second

echo "gnuplot"
printf '%s\n' '#include <stdio.h>' 'int main(void) {' '  int c;' \
  '  while ((c = getchar()) != EOF) putchar(c);' '  return 0;' '}' >plot.c
$tools-gcc-posix -o "plot ß.exe" plot.c
svm-grid -log2c 0,1,1 -log2g 0,1,1 -gnuplot "plot ß.exe" -png "ä.png" "$name" >second 2>told
grep -q "splot\|plot" "ä.png" || fail "no picture: $(cat told)"

echo "Ctrl-C"
rm -rf ./*
cp "$tests/../data/demo.train" data
svm-train -t 0 -c 1e6 -e 1e-9 data 2>told >first &
training=$!
wait_for first
kill -INT $training
status=0
wait $training || status=$?
[ $status -eq 130 ] || fail "status $status: $(cat told)"
grep -q "^interrupted: the model of the current iterate is in data.model.partial; " told
svm-predict data data.model.partial out >first
[ "$(ls -A)" = "$(printf 'data\ndata.model.partial\nfirst\nout\ntold')" ] || fail "$(ls -A)"

[ -n "$checker" ] || exit 0
echo "comparison with LIBSVM 3.37"
# These write doubles that are made of exp, tanh or log, in full length or in hundreds of steps.  The
# functions of this C library differ from those of the GNU one in the last bit, here and there.
by_library='^FAIL train .*( -b 1| -t 3 |_scale -s [34] )[^:]*: file (m|out) differs'
cd "$work"
python3 "$checker" --bin "$work/bin" >compared || true
tail -n 1 compared
grep -qE '^[0-9]+ passed, [0-9]+ failed$' compared || fail "$(cat compared)"
if grep '^FAIL' compared | grep -vE "$by_library"; then fail "the comparison"; fi
