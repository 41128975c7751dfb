#!/bin/sh
# Usage: no_exit_handlers_test.sh LIBRARY NM
# The library has no static object with a destructor, which would have to be registered: a thread
# that trains while the process ends must not find it destroyed.
set -eu
library=$1
nm=${2:-nm}
if ! command -v "$nm" >/dev/null 2>&1; then
  echo "skipped: nm not found"
  exit 77
fi
symbols=$("$nm" -A "$library")
# Else the next search would find nothing in any case.
echo "$symbols" | grep -q 'svm\.cpp.* T svm_train$' || { echo "$library: no svm_train"; exit 1; }
if echo "$symbols" | grep -E ' U (atexit|at_quick_exit|__cxa_(thread_)?atexit)'; then
  echo "these objects have something destroyed at exit"
  exit 1
fi
