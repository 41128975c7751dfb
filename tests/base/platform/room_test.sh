#!/bin/sh
# Usage: room_test.sh SOURCE_FOLDER
# Only base/platform/ and programs/platform/ know operating systems and compilers, but for base/simd/,
# which is made of what the compiler adds to C++, and the mark of exported names in svm.h.
set -eu
cd "$1"
rooms=$(sed -n 's/^[a-z][a-z]* //p' cmake/sources.txt)
beyond='#[[:space:]]*include[[:space:]]*[<"](unistd|fcntl|signal|poll|pthread|sched|dlfcn|termios|strings'
beyond="$beyond|windows|io|sys/[a-z]+)\\.h|__builtin_|__attribute__|__declspec"
beyond="$beyond|_WIN32|__linux|__unix|__APPLE__|sigaction|sigset_t"
# shellcheck disable=SC2086  # words are meant
if find $rooms svm-*.cpp \( -path base/simd -o -path '*/platform' \) -prune -o \
  \( -name '*.h' -o -name '*.cpp' \) -print | LC_ALL=C sort | xargs grep -nE "$beyond"; then
  echo "this is for base/platform/, programs/platform/ or base/simd/ to know"
  exit 1
fi
# Else the search above would find nothing in any case.
grep -qE "$beyond" base/platform/posix.cpp base/platform/posix_files.cpp
# The room is the lowest of all.
if grep -nE '#[[:space:]]*include "' base/platform/* | grep -v 'include "base/platform/'; then
  echo "base/platform/ includes no other room"
  exit 1
fi
