#!/bin/sh
# Usage: compat_test.sh CHECKER FOLDER_OF_PROGRAMS
# Compares the programs with recorded LIBSVM 3.37 results, where those are at hand.
if [ ! -f "$1" ]; then
  echo "skipped: there are no recorded results at $1"
  exit 77
fi
if ! command -v python3 >/dev/null 2>&1; then
  echo "skipped: python3 not found"
  exit 77
fi
exec python3 "$1" --bin "$2"
