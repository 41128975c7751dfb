#!/usr/bin/env bash
# Usage: wheels_test.sh FOLDER_OF_WHEELS
# Uses what tools/release made for Python: the programs of each wheel train and predict, and a C program
# uses the library as ctypes would - on this processor, on aarch64 under QEMU, and on Windows under Wine.
# The wheel for this processor is installed by pip in Debian 11 and in the newest Debian, as root with debootstrap, and then in all
# the ways of ways_test.sh.  What cannot be done here is skipped with a message.
set -euo pipefail
wheels=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

fail() {
  echo "FAIL: $*"
  exit 1
}
has() { command -v "$1" >/dev/null; }

# try NAME COMPILER LIBRARY SUFFIX RUN...: what is in the wheel NAME.
try() {
  local name=$1 compiler=$2 library=$3 suffix=$4 folder=$work/$1 file scripts
  shift 4
  file=$(echo "$wheels"/csmo-*"$name".whl)
  [ -f "$file" ] || fail "there is no wheel for $name"
  if ! has "$compiler" || ! has "$1"; then
    echo "skipped: no $compiler or $1"
    return 0
  fi
  mkdir "$folder"
  /usr/bin/python3 -m zipfile -e "$file" "$folder"
  scripts=$(echo "$folder"/*.data/scripts)
  chmod +x "$scripts"/*
  for program in "$scripts"/svm-*; do
    "$@" "$program" --version | grep "^svm-[a-z]* [0-9.]* (LIBSVM"
  done
  cd "$folder"
  "$@" "$scripts/svm-scale$suffix" -s range "$source/data/demo.train" >train
  "$@" "$scripts/svm-scale$suffix" -r range "$source/data/demo.test" >scaled
  "$@" "$scripts/svm-train$suffix" -q -a csmo -c 10 train model
  "$@" "$scripts/svm-predict$suffix" scaled model out | tr -d '\r' | grep '^Accuracy = 9'
  cp "csmo/$library" .
  # The linker here knows every version of the C library that the wheel's library names.
  "$compiler" -o "client$suffix" "$source/tests/abi/client.c" "./$library" -Wl,-rpath,.
  "$@" "./client$suffix" | tr -d '\r' | grep 'the interface is as documented'
  cd "$source"
}

# try_system SUITE: installs the wheel in this Debian, and trains and predicts there with the programs and the modules.
try_system() {
  local file suite=$1 root=$work/$1 name
  file=$(echo "$wheels"/csmo-*manylinux2014_x86_64.whl)
  [ -d "$work/manylinux2014_x86_64" ] || return 0
  if [ "$(id -u)" -ne 0 ] || ! has debootstrap; then
    echo "skipped: not root, or no debootstrap"
    return 0
  fi
  debootstrap --variant=minbase --include=python3,python3-pip $suite "$root" >"$work/log" 2>&1 ||
    { tail -n 3 "$work/log"; echo "skipped: there is no $suite"; return 0; }
  name=${file##*/}
  cp "$file" "$work/manylinux2014_x86_64/train" "$work/manylinux2014_x86_64/scaled" "$root/root"
  inside() { chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 PIP_BREAK_SYSTEM_PACKAGES=1 \
    PIP_ROOT_USER_ACTION=ignore "$@"; }
  inside sh -c "ldd --version | head -n 1; python3 --version"
  inside python3 -m pip install --quiet --no-index "/root/$name"
  inside sh -euc 'cd && svm-train -q -a csmo -c 10 train model && svm-predict scaled model out' | grep '^Accuracy = 9'
  inside sh -euc 'cd && svm-grid -q -log2c -1,1,1 -log2g -1,1,1 -gnuplot null train'
  inside python3 -c '
from libsvm.svmutil import svm_predict, svm_read_problem, svm_train
model = svm_train(*svm_read_problem("/root/train"), "-q -c 10")
accuracy = svm_predict(*svm_read_problem("/root/scaled"), model, "-q")[1][0]
assert accuracy > 90, accuracy
print("libsvm.svmutil:", accuracy)'
}

try manylinux2014_x86_64 gcc libsvm.so.4 "" env
try musllinux_1_2_x86_64 musl-gcc libsvm.so.4 "" env
try manylinux2014_aarch64 aarch64-linux-gnu-gcc libsvm.so.4 "" qemu-aarch64 -L /usr/aarch64-linux-gnu
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
wine=wine64
server=$(command -v wineserver || echo /usr/lib/wine/wineserver64)
has wine64 || [ ! -x /usr/lib/wine/wine64 ] || wine=/usr/lib/wine/wine64
trap '"$server" -k 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
try win_amd64 x86_64-w64-mingw32-gcc-posix libsvm.dll .exe "$wine"
try_system bullseye
try_system sid    # the newest Python
bash tests/packages/ways_test.sh "$wheels"
