#!/bin/sh
# Usage: generated_test.sh FOLDER GENERATOR ARGUMENT...
# Runs `GENERATOR ARGUMENT...` in an empty folder and compares every file it writes there with the
# file of that name in FOLDER.
set -eu
kept=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$@"
files=0
for file in *; do
  if ! diff -u "$kept/$file" "$file"; then
    echo "$kept/$file is not what the generator writes: generate it again"
    exit 1
  fi
  files=$((files + 1))
done
[ -f "$file" ]
echo "$files files are current"
