# shellcheck shell=sh
# Functions for the tools that build; sourced by a POSIX shell in the source folder.

say() { printf '%s\n' "== $*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# common_options ARGUMENT...: reads --help and --no-install at the front, and sets `taken` to the
# number of arguments to shift.  The help is the comment at the beginning of the script.
common_options() {
  may_install=yes
  taken=0
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "tools/${0##*/}"
        exit 0
        ;;
      --no-install) may_install=no ;;
      *) break ;;
    esac
    taken=$((taken + 1))
    shift
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# has PROGRAM...: succeeds if all of them exist.
has() {
  for program in "$@"; do
    command -v "$program" >/dev/null 2>&1 || return 1
  done
}

has_gtest() {
  [ ! -f /usr/src/googletest/CMakeLists.txt ] || return 0
  # shellcheck disable=SC2086  # a compiler may have options
  printf '#include <gtest/gtest.h>\nint main() { return 0; }\n' |
    ${CXX:-c++} -std=c++17 -x c++ - -o /dev/null -lgtest -pthread 2>/dev/null
}

has_fuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -x c++ - -o /dev/null -fsanitize=fuzzer,address 2>/dev/null
}

has_libcxx() {
  printf '#include <string>\nint main() { return 0; }\n' |
    clang++ -stdlib=libc++ -x c++ - -o /dev/null 2>/dev/null
}

has_profile() {
  printf 'int main() { return 0; }\n' |
    clang++ -x c++ - -o /dev/null -fprofile-instr-generate -fcoverage-mapping 2>/dev/null
}

# package_for compiler|cmake|make|gtest|clang|fuzzer|profile|llvm|libcxx:
# prints the Debian package to install, if any.
package_for() {
  case $1 in
    compiler)
      cc=${CC:-cc} cxx=${CXX:-c++}
      has "${cc%% *}" "${cxx%% *}" || echo g++
      ;;
    cmake) has cmake || echo cmake ;;
    make)
      case ${CMAKE_GENERATOR-} in
        Ninja*) has ninja || echo ninja-build ;;
        *) has make || echo make ;;
      esac
      ;;
    clang) has clang++ || echo clang ;;
    fuzzer) has_fuzzer || echo libclang-rt-dev ;;
    libcxx) has_libcxx || echo libc++-dev libc++abi-dev ;;
    profile) has_profile || echo libclang-rt-dev ;;
    llvm) has llvm-cov llvm-profdata || echo llvm ;;
    gtest) has_gtest || echo libgtest-dev ;;
  esac
}

# missing_packages PACKAGE...: prints those of these Debian packages that are not installed, a line each.
missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

# install PACKAGE...: announces and installs these Debian packages, or lists them and exits.
install() {
  if [ $# -eq 0 ]; then
    say "nothing to install"
    return 0
  fi
  [ "$may_install" = yes ] || fail "Missing (names of Debian's packages): $*"
  has apt-get || fail "Missing (names of Debian's packages): $*
Please install a C++17 compiler, CMake 3.16 or later, make, GoogleTest for the tests, and Clang with
libFuzzer for fuzzing by this system's package manager, and run this again."
  [ "$(id -u)" -eq 0 ] || has sudo || fail "Please install as root: $*"
  say "installing with apt-get: $* (--no-install: fail instead)"
  as_root apt-get update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# need THING...: installs what is missing of things that package_for() knows.  libFuzzer and the library
# for profiles come with Clang or as separate packages: ask for Clang first, then for them.
need() {
  missing=
  for thing in "$@"; do
    package=$(package_for "$thing")
    missing="$missing${package:+ $package}"
  done
  # shellcheck disable=SC2086  # names are words
  install $missing
}

processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# Succeeds if this CMake reads CMakePresets.json.
has_presets() {
  version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  # shellcheck disable=SC2086  # two words
  set -- $version
  [ "$1" -gt 3 ] || [ "$2" -ge 21 ]
}

# build default|programs|ci [OPTION [TARGET...]]: configures with this option for CMake and builds in build/, all by
# default.
build() {
  preset=$1 option=${2-}
  shift
  [ $# -eq 0 ] || shift
  [ $# -eq 0 ] || set -- --target "$@"
  tests=ON
  errors=OFF
  [ "$preset" = programs ] && tests=OFF
  [ "$preset" = ci ] && errors=ON
  if has_presets; then
    say "cmake --preset $preset"
    cmake --preset "$preset" ${option:+"$option"}
  else
    say "cmake -S . -B build"
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DSVM_BUILD_TESTS=$tests \
      -DSVM_WARNINGS_AS_ERRORS=$errors ${option:+"$option"}
  fi
  say "cmake --build build"
  cmake --build build --parallel "$(processors)" "$@"
}
