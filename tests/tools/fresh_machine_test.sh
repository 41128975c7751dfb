#!/bin/sh
# Usage, as root: fresh_machine_test.sh ROOT [ARGUMENT FOR CTEST...]
# tools/demo and tools/test on a computer that has Debian's essential packages and apt, and nothing
# else: they install what they need, and tests that need more are skipped.  Then the README's program in
# C, with the library installed as it says.  The computer is the folder ROOT, which is made from packages
# installed here.  A copy of this tree has the same path in it, so that its build folder can be used here,
# too.  Warnings are errors.  Ends with 77 if such a root cannot be made.
set -eu
skip() {
  echo "skipped: $*"
  exit 77
}

[ $# -ge 1 ] || { echo "usage: fresh_machine_test.sh ROOT [ARGUMENT FOR CTEST...]" >&2; exit 1; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
source=$(pwd)

[ "$(id -u)" -eq 0 ] || skip "not root"
for program in apt-get chroot git python3 unshare; do
  command -v $program >/dev/null || skip "no $program"
done
unshare --mount true || skip "no folder can be mounted"
python3 tests/packages/host_root.py "$root" apt || skip "no root"

# Packages come from where they come from here.
cp -a /etc/apt "$root/etc"
for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /usr/share/keyrings; do
  [ ! -e $path ] || { mkdir -p "$root${path%/*}" && cp -RL $path "$root${path%/*}"; }
done
mkdir -p "$root$source"
git -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
  tar --null --verbatim-files-from -T - --ignore-failed-read -cf - | tar -C "$root$source" -xf -

# What is mounted here is gone when this shell ends.
# shellcheck disable=SC2016  # for the inner shell
exec unshare --mount sh -euc '
  root=$1 source=$2
  shift 2
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      ${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} \
      ${no_proxy+"no_proxy=$no_proxy"} "$@"
  }
  ! inside sh -c "command -v c++ cmake make git python3" || { echo "the root has more than it should"; exit 1; }
  # The tests are configured with the same flags, so that nothing is compiled twice.
  inside CFLAGS=-Werror CXXFLAGS=-Werror "$source/tools/demo"
  inside "$source/tools/test" "$@"
  inside apt-get install -y --no-install-recommends pkg-config
  inside sh "$source/tests/docs/first_program.sh" "$source" build/demo/demo.model
' sh "$root" "$source" "$@"
