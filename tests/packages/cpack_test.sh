#!/bin/sh
# Usage: cpack_test.sh TGZ|RPM CPACK BUILD_FOLDER VERSION
# The archives of an installation have what they should, and it works.
set -eu
kind=$1 cpack=$2 build=$3 version=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*"
  exit 1
}

# make OPTION...: with another generator's name CPack takes the build as it is.
make() {
  "$cpack" --config "$build/CPackConfig.cmake" -D CPACK_CMAKE_GENERATOR=Ninja -B "$work" "$@" \
    >"$work/log" 2>&1 || { cat "$work/log"; fail "cpack failed"; }
}

# lists FILE NAME...: the names are lines of the file.
lists() {
  file=$1
  shift
  for name in "$@"; do grep -qx ".*/$name" "$file" || fail "not in the archive: $name"; done
}

case $kind in
  TGZ)
    make -G TGZ
    tar -C "$work" -xzf "$work"/csmo-"$version"-*.tar.gz
    bin=$(echo "$work"/csmo-"$version"-*/bin)
    "$bin/svm-train" --version | grep -F "$version"
    [ -x "$bin/svm-easy" ] || fail "no svm-easy"
    ;;
  RPM)
    if ! command -v rpmbuild >/dev/null 2>&1; then
      echo "skipped: no rpmbuild"
      exit 77
    fi
    make -G RPM
    package=$(echo "$work"/csmo-"$version"-*.rpm)
    rpm -qpl "$package" >"$work/list"
    lists "$work/list" bin/svm-train bin/svm-easy libsvm.so.4 libsvm.a include/libsvm/svm.h include/libsvm/svm_ext.h libsvm.pc
    ! grep -x /usr/share/man "$work/list" || fail "the package owns the system's folders"
    rpm -qp --provides "$package" | grep -x "libsvm = [0-9.]*"
    [ "$(rpm -qp --queryformat '%{VERSION}' "$package")" = "$version" ] || fail "not version $version"
    ;;
esac
echo "$kind: good"
