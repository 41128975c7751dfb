#!/usr/bin/env bash
# Measures how the programs scale with the number of threads, in five minutes.
#
#   bench/scaling.sh DATA-FOLDER [BUILD]
#
# BUILD has svm-train, svm-predict and svm-grid; without it they are compiled into build-scaling/, which needs
# no CMake.  The data folder holds the data sets as NAME.xz or NAME; they are prepared as bench/speed.py does.
# Prints elapsed and processor seconds of whole programs for 1, 2, 4, 8 and 16 threads, as far as there are
# processors, the least elapsed of three runs, or of one that takes over ten seconds.  Speed-ups are relative to
# the first line of a row.  What the programs write must have the same bytes for all numbers of threads.
#
# In the environment: BUDGET, seconds for everything, compilation included (300); what does not fit is skipped,
# with a line.  LIMIT, seconds of one run (120).  THREADS, the numbers of threads, as in "1 2".  CXX, the
# compiler.  Exit code 1: bytes differ, or a program failed.
set -euo pipefail
export LC_ALL=C
TIMEFORMAT='%3R %3U %3S'
[ $# -ge 1 ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
data=$(cd "$1" && pwd) bin=${2:+$(cd "$2" && pwd)} budget=${BUDGET:-300} limit=${LIMIT:-120}
cd "$(dirname "$0")/.."
cores=$(getconf _NPROCESSORS_ONLN) different=0 jobs=()
counts=${THREADS:-$(for n in 1 2 4 8 16; do ((n > cores)) || echo "$n"; done)}
many=$(for n in $counts; do ((n < 4)) || echo "$n"; done | sort -rn)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out

compile() {
  local cxx=${CXX:-$(command -v c++ || command -v g++ || command -v clang++)} folders
  local flags=(-O3 -DNDEBUG -std=c++17 -ffp-contract=off -include cmake/exact_arithmetic.h -I. -pthread)
  folders=$(sed -n 's/^library //p; s/^programs //p' cmake/sources.txt)
  mkdir -p "$bin/objects"
  # shellcheck disable=SC2016,SC2038,SC2086  # the inner shell expands; folders and a compiler's options are words
  find $folders -name '[!.]*.cpp' ! -path '*/platform/windows*' | xargs -P "$cores" -n 1 bash -c \
    '"${@:1:$#-1}" -c "${!#}" -o "$0/$(printf %s "${!#}" | tr / _).o"' "$bin/objects" $cxx "${flags[@]}"
  # shellcheck disable=SC2086
  printf '%s\n' svm-train svm-predict svm-grid |
    xargs -P 3 -I{} $cxx "${flags[@]}" {}.cpp "$bin"/objects/*.o -o "$bin/{}"
}

unpack() {
  [ ! -e "$data/$1" ] || { cat "$data/$1"; return; }
  ! command -v xz >/dev/null || { xz -dc "$data/$1.xz"; return; }
  python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), sys.stdout.buffer)' "$data/$1.xz"
}

# prepare TO FROM EVERY [DIVISOR | scale] [parity]: every n-th row, its values divided or scaled to [0, 1]; labels
# 1 for even numbers and -1 for others.
prepare() {
  unpack "$2" | awk -v every="$3" 'NR % every == 0' >"$work/$1.rows"
  awk -v by="${4-}" -v parity="${5-}" '
    NR == FNR {
      for (i = 2; i <= NF && by == "scale"; i++) {
        split($i, p, ":"); f = p[1]; v = p[2] + 0
        if (!(f in seen) || v > top[f]) top[f] = v
        if (!seen[f]++ || v < low[f]) low[f] = v
      }
      rows = NR
      next
    }
    FNR == 1 { for (f in seen) if (seen[f] < rows) { if (top[f] < 0) top[f] = 0; if (low[f] > 0) low[f] = 0 } }
    {
      line = parity ? ($1 % 2 ? -1 : 1) : $1
      for (i = 2; i <= NF; i++) {
        split($i, p, ":"); f = p[1]; v = p[2]
        if (by == "scale") v = top[f] > low[f] ? (v - low[f]) / (top[f] - low[f]) : 0
        else if (by) v /= by
        if (v != 0) line = line " " f ":" (by ? sprintf("%.7g", v) : v)
      }
      print line
    }' "$work/$1.rows" "$work/$1.rows" >"$work/$1"
  rm "$work/$1.rows"
}

# measure ROW THREADS COMMAND...: the command writes to $out.
measure() {
  local row=$1 list=$2 first="" last=0 left threads round status seconds best
  shift 2
  rm -f "$work/reference"
  for threads in $list; do
    best="" left=$((budget - SECONDS < limit ? budget - SECONDS : limit))
    for round in 1 2 3; do  # 1000 * elapsed seconds of the previous run: another one must fit
      ((left > 0 && last < 1000 * left && (round == 1 || last < 10000))) || break
      rm -f "$out"
      status=0
      seconds=$({ time SVM_NUM_THREADS=$threads timeout "$left" "$@" >"$work/log" 2>&1; } 2>&1) || status=$?
      ((status != 124)) || break
      ((status == 0)) || { echo "$* failed: $(tail -n 5 "$work/log")" >&2; exit 1; }
      last=${seconds%% *} last=$((10#${last/./}))
      best=$(printf '%s\n' "$best" "$seconds" | sed '/^$/d' | sort -n | head -n 1)
      [ -e "$work/reference" ] || cp "$out" "$work/reference"
      cmp -s "$out" "$work/reference" || { echo "$row, $threads threads: other bytes" >&2; different=1; }
      left=$((budget - SECONDS < limit ? budget - SECONDS : limit))
    done
    [ -n "$best" ] || { echo "| $row | $threads | skipped: does not fit in $left s | | |"; continue; }
    : "${first:=$best}"
    awk -v start="| $row | $threads" -v first="${first%% *}" -v best="$best" 'BEGIN {
      split(best, s, " "); printf "%s | %.3f | %.3f | %.2f |\n", start, s[1], s[2] + s[3], first / s[1] }'
  done
}

train() { measure "$1" "$2" "$bin/svm-train" -q -a "${@:3}" "$out"; }

for set in "covtype14 covtype.libsvm.binary 14 scale" "mnist3 mnist 3 255 parity" "mnist.t mnist.t 1 255" \
  "ijcnn1 ijcnn1 1" "a9a a9a 1" "a9a5 a9a 5" ${many:+"covtype covtype.libsvm.binary 1 scale"}; do
  # shellcheck disable=SC2086  # words
  prepare $set & jobs+=($!)
done
[ -n "$bin" ] || { bin=$PWD/build-scaling; compile; }
for job in "${jobs[@]}"; do wait "$job"; done

echo "$cores processors, $("$bin/svm-train" --version | head -n 1), prepared after $SECONDS s"
printf '%s\n' "" "| run | threads | elapsed, s | processor, s | speed-up |" "| --- | --- | --- | --- | --- |"
train "csmo, covtype, every 14th row" "$counts" csmo -c 10 -g 1 -m 2000 "$work/covtype14"
train "csmo, ijcnn1" "$counts" csmo -c 32 -g 2 "$work/ijcnn1"
train "csmo, mnist, every 3rd row" "$counts" csmo -c 10 -g 0.02 "$work/mnist3"
[ ! -e "$work/reference" ] || { mv "$work/reference" "$work/model"
  measure "prediction, mnist.t" "$counts" "$bin/svm-predict" "$work/mnist.t" "$work/model" "$out"; }
train "csmo, a9a" "$counts" csmo -c 100 -g 0.00813 "$work/a9a"
measure "csmo, search, a9a, every 5th row" "$counts" "$bin/svm-grid" -q -a csmo -log2c -1,7,2 -log2g -9,-1,2 \
  -out "$out" -png null -gnuplot null "$work/a9a5"
train "smo, ijcnn1" "$counts" smo -c 32 -g 2 "$work/ijcnn1"
train "smo, mnist, every 3rd row" "$counts" smo -c 10 -g 0.02 "$work/mnist3"
[ -z "$many" ] || train "csmo, covtype" "$many" csmo -c 10 -g 1 -m 2000 "$work/covtype"
exit $different
