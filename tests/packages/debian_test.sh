#!/usr/bin/env bash
# Usage, as root: debian_test.sh FOLDER_OF_DEBS
# Installs the packages that packaging/build-deb made in a root of its own: in place of LIBSVM's,
# then newer ones, and LIBSVM's again; uses them as users do.  Ends with 77 where that cannot be done.
# shellcheck disable=SC2016  # for the inner shell
set -euo pipefail
debs=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

skip() {
  echo "skipped: $*"
  exit 77
}

fail() {
  echo "debian_test.sh: $*"
  exit 1
}

[ "$(id -u)" -eq 0 ] || skip "not root"
for program in apt-get dpkg-deb dpkg-scanpackages chroot cc pkg-config cmake python3; do
  command -v $program >/dev/null || skip "no $program"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
repository=$root/repository

# inside COMMAND...: runs in the root, with an environment of its own.
inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}

# runs LINE...: in a shell in the root; what it prints is shown where it fails.
runs() {
  inside sh -euc "cd /tmp && $*" >"$work/out" 2>&1 || {
    cat "$work/out"
    fail "failed: $*"
  }
}

apt() { runs apt-get -y "$@"; }

# is_installed PACKAGE
is_installed() {
  [ "$(inside dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
}

# installed yes|no PACKAGE...
installed() {
  local expected=$1 package found
  shift
  for package in "$@"; do
    found=no
    ! is_installed "$package" || found=yes
    [ $found = "$expected" ] || fail "is $package installed? $found"
  done
}

# empty_package NAME DEPENDENCIES
empty_package() {
  mkdir -p "$work/$1/DEBIAN"
  printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\n' "$1" \
    >"$work/$1/DEBIAN/control"
  [ -z "$2" ] || echo "Depends: $2" >>"$work/$1/DEBIAN/control"
  echo "Description: nothing, for a test" >>"$work/$1/DEBIAN/control"
  dpkg-deb -Znone -b "$work/$1" "$repository" >/dev/null
}

publish() {
  (cd "$root" && dpkg-scanpackages -m repository >repository/Packages 2>"$work/scan") || cat "$work/scan"
  apt update
}

version=$(sed -n 's/.*kPackageVersion\[\] = "\(.*\)".*/\1/p' api/version.cpp)
ours=(svm-tools-csmo libsvm4-csmo libsvm-csmo-dev)
architecture=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

echo "== a root of Debian, with LIBSVM's packages"
mkdir "$root"
python3 tests/packages/host_root.py "$root" apt bash python3 libstdc++6 || skip "no root"
[ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3 || skip "devices cannot be made"
inside true || skip "chroot is not allowed"
mkdir "$repository"
(cd "$repository" && apt-get -o APT::Sandbox::User=root download libsvm-tools libsvm-dev libsvm3 >"$work/apt" 2>&1) ||
  { cat "$work/apt"; skip "LIBSVM's packages cannot be had"; }
theirs=$(find "$repository" -name 'libsvm3_*' | sed 's/.*libsvm3_\(.*\)_.*/\1/; s/%3a/:/')
for package in "${ours[@]}"; do cp "$debs/${package}_${version}_$architecture.deb" "$repository"; done
empty_package gnuplot ""  # LIBSVM's tools depend on it
empty_package dependant "libsvm-tools (>= 3.0), libsvm-dev (>= 3.20)"
echo "deb [trusted=yes] file:/ repository/" >"$root/etc/apt/sources.list"
printf 'APT::Install-Recommends "false";\n' >"$root/etc/apt/apt.conf.d/test"
publish
apt install libsvm-tools libsvm-dev
head -120 data/demo.train >"$root/tmp/heart_scale"
cp data/demo.train data/demo.test data/demo-test.csv "$root/tmp"
runs 'svm-train -q heart_scale theirs.model && svm-predict -b 0 demo.test theirs.model theirs.predict'
# A program that is linked to LIBSVM's library.
sed 's/libsvm_version == LIBSVM_VERSION/libsvm_version == 324/' tests/cmake/install/consumer.c >"$work/old.c"
cc -I"$root/usr/include" -I"$root/usr/include/libsvm" "$work/old.c" \
  "$root/usr/lib/$triplet/libsvm.so" -o "$root/tmp/old-client"
runs ./old-client

echo "== one command changes over"
apt install svm-tools-csmo libsvm-csmo-dev
installed no libsvm-tools libsvm-dev
installed yes "${ours[@]}" libsvm3
runs ./old-client
for program in svm-train svm-predict svm-scale svm-grid; do
  runs "$program --version | grep -F '$version'"
done
apt install dependant
installed no libsvm-tools libsvm-dev

echo "== the programs"
runs '! svm-train >usage && grep -q ^Usage usage'
# Model and predictions are LIBSVM's.
runs 'svm-train -q heart_scale model && cmp model theirs.model'
runs 'svm-predict demo.test model predict && cmp predict theirs.predict'
# The lines of LIBSVM's manual pages and README files.
runs 'svm-scale -l -1 -u 1 -s range demo.train >train.scale && svm-scale -r range demo.test >test.scale'
runs 'svm-train -s 0 -c 5 -t 2 -g 0.5 -e 0.1 train.scale && svm-predict test.scale train.scale.model out'
runs 'svm-train -s 0 -c 10 -t 1 -g 1 -r 1 -d 3 train.scale && svm-train -s 0 -b 1 train.scale'
runs 'svm-predict -b 1 test.scale train.scale.model out && svm-train -v 5 -w1 10 -w-2 5 heart_scale'
runs 'svm-grid -log2c -5,5,1 -log2g -4,0,1 -v 5 -m 300 heart_scale >grid'
[ "$(grep -c '^\[local\]' "$root/tmp/grid")" -eq 55 ] || fail "svm-grid: $(cat "$root/tmp/grid")"
runs 'svm-grid -log2c -5,5,1 -log2g -4,0,1 -v 5 -svmtrain /usr/bin/svm-train -gnuplot null heart_scale >named'
cmp <(tail -1 "$root/tmp/grid") <(tail -1 "$root/tmp/named")
runs 'svm-grid -log2g null -log2c 0,1,1 heart_scale && svm-grid -log2g null -log2c 0,2,1 -resume heart_scale'
runs 'svm-easy heart_scale demo.test | grep "^Accuracy = "'
runs 'svm-export train.scale.model -o model.h && test -s model.h'
runs 'svm-convert --label state -s names demo-test.csv converted && svm-checkdata converted'
runs 'svm-checkdata heart_scale && svm-subset heart_scale 100 file1 file2 && test $(cat file1 file2 | wc -l) = 120'
inside bash -c 'for file in /usr/share/bash-completion/completions/svm-*; do . $file; done; complete -p svm-train svm-grid' \
  >/dev/null

echo "== programs that are linked to the library"
export PKG_CONFIG_PATH=$root/usr/lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
# pkg-config leaves out the system's own folders, which this root's are not here.
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
mapfile -t flags < <(pkg-config --cflags --libs libsvm | tr ' ' '\n' | grep . | sed 's|^-I/usr|-I'"$root"'/usr|')
cc tests/cmake/install/consumer.c "${flags[@]}" -o "$root/tmp/new-client"
readelf -d "$root/tmp/new-client" | grep -q 'NEEDED.*libsvm\.so\.4' || fail "not linked to libsvm.so.4"
cmake -S tests/cmake/install -B "$work/cmake" -Dlibsvm_DIR="$root/usr/lib/$triplet/cmake/libsvm" >"$work/log"
cmake --build "$work/cmake" >"$work/log" || { cat "$work/log"; fail "find_package(libsvm)"; }
cp "$work"/cmake/consumer* "$root/tmp"
runs './new-client && ./consumer && ./consumer_static'

echo "== newer packages"
for package in "${ours[@]}"; do
  rm -rf "$work/newer"
  dpkg-deb -R "$repository/${package}_${version}_$architecture.deb" "$work/newer"
  sed -i "s/^Version: .*/&+newer/; s/(= $version)/(= $version+newer)/" "$work/newer/DEBIAN/control"
  dpkg-deb -Znone -b "$work/newer" "$repository" >/dev/null
done
publish
apt dist-upgrade
for package in "${ours[@]}"; do
  [ "$(inside dpkg-query -W -f '${Version}' "$package")" = "$version+newer" ] || fail "$package is not newer"
done
runs './new-client && ./old-client && svm-easy heart_scale'

echo "== one command changes back"
apt install libsvm-tools libsvm-dev
installed no svm-tools-csmo libsvm-csmo-dev
installed yes libsvm-tools libsvm-dev dependant libsvm4-csmo
[ "$(inside dpkg-query -W -f '${Version}' libsvm-tools)" = "$theirs" ] || fail "libsvm-tools is not $theirs"
runs './new-client && ./old-client && svm-train -q heart_scale model && cmp model theirs.model'

echo "== nothing stays behind"
apt install svm-tools-csmo libsvm-csmo-dev
runs svm-easy heart_scale
apt purge dependant "${ours[@]}"
installed no "${ours[@]}" libsvm-tools libsvm-dev
left=$(find "$root/usr" "$root/etc" "$root/var/lib" -name '*csmo*' ! -path '*/apt/lists/*' -o -name 'svm-*' -o -name 'libsvm.so.4*')
[ -z "$left" ] || fail "left behind: $left"
inside dpkg --audit
runs ./old-client
echo "packages: good"
