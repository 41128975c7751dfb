#!/bin/sh
# Usage: record.sh SVM_TESTS
# Records the golden cases anew with the programs of the build that SVM_TESTS (the test program)
# belongs to.  Look at the difference before it is kept: results must not change by accident.
set -eu
[ $# -eq 1 ] || { echo "usage: record.sh path/to/svm-tests" >&2; exit 1; }
rm -rf "$(dirname "$0")/files"
SVM_RECORD_GOLDEN=1 "$1" --gtest_filter='*Golden*'
