#!/bin/sh
# Usage: exported_symbols_test.sh LIBRARY NM, or for a DLL: exported_symbols_test.sh LIBRARY OBJDUMP
# The shared library exports the C names that svm.h and svm_ext.h declare, at most 49, and nothing else, and
# Debian's list of them is complete.
set -eu
library=$1
nm=${2:-nm}
if ! command -v "$nm" >/dev/null 2>&1; then
  echo "skipped: $nm not found"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$(dirname "$0")/../..
sed -n 's/^SVM_API [^(;]*[ *]\([a-z0-9_]*\)[(;].*/\1/p' "$source/svm.h" "$source/svm_ext.h" | sort > "$work/wanted"
sed -n 's/^ \([a-z0-9_]*\)@Base .*/\1/p' "$source/packaging/debian/libsvm4-csmo.symbols" | sort > "$work/debian"
case $library in
  *.dll) "$nm" -p "$library" | sed -n '/Name Pointer\] Table/,/^$/s/^[[:space:]].* //p' ;;
  *) "$nm" -D --defined-only "$library" | sed 's/.* //' ;;
esac | sort > "$work/found"
diff -u "$work/wanted" "$work/found"
diff -u "$work/wanted" "$work/debian"
test "$(wc -l < "$work/wanted")" -le 49
