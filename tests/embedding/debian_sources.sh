#!/bin/sh
# Usage: debian_sources.sh FOLDER PACKAGE...
# Downloads to FOLDER the archives PACKAGE_VERSION.orig.tar.* of original sources, from the Debian
# archive that this system uses: of the first of three suites that can be had.  The lists of sources
# are in FOLDER too, so apt's own stay as they are.  Packages that cannot be had are named, and are
# no failure.
set -eu
folder=$1
shift
suites="bookworm trixie sid"
mirror=$(sed -n 's/^URIs: *\(http[^ ]*debian\)\/*$/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1)
if [ -z "$mirror" ] || ! command -v apt-get >/dev/null; then
  echo "no sources: this is not Debian"
  exit 0
fi
mkdir -p "$folder/lists/partial"
cd "$folder"
for suite in $suites; do echo "deb-src $mirror $suite main non-free"; done >sources.list

apt() {
  apt-get -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$PWD/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
}

[ -n "$(find lists -name '*Sources*')" ] || apt update >log 2>&1 || cat log
for package in "$@"; do
  for suite in $suites none; do
    if ls "${package}_"*.orig.tar.* >/dev/null 2>&1; then break; fi
    # The archive of the original sources is enough: neither patches nor the build system's files.
    [ "$suite" = none ] || apt source --download-only --tar-only "$package/$suite" >log 2>&1 || true
  done
  [ "$suite" != none ] || echo "$package cannot be had: $(grep '^E:' log | head -1)"
done
