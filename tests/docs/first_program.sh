#!/bin/sh
# Usage, as root: first_program.sh SOURCE_FOLDER MODEL
# Runs the README's program in C as the README says: installs what is in build/ into the system, and
# compiles with what pkg-config knows.  The model's path is relative to the source folder.
set -eu
source=$1 model=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$source/build" build
awk '/^```/ { inside = $0 == "```c"; next } inside' "$source/README.md" >first.c
awk '/^```/ { if (text ~ /cc first\.c/) printf "%s", text; text = ""; inside = $0 == "```sh"; next }
  inside { text = text $0 "\n" }' "$source/README.md" >commands
grep -q pkg-config commands
if sh -eu commands >without 2>&1; then  # and says so
  cat without
  echo "the program runs without a model"
  exit 1
fi
grep -x 'cannot read demo.model' without || { cat without; exit 1; }
cp "$source/$model" demo.model
./first | tee printed
grep -Eqx -- '-?1' printed
