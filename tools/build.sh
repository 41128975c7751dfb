# shellcheck shell=sh
# Parts that the tools share which build; to be sourced by a POSIX shell in the source folder.

say() { printf '%s\n' "== $*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    fail "Please install as root: $missing"
  fi
}

has_gtest() {
  printf '#include <gtest/gtest.h>\nint main() { return 0; }\n' |
    c++ -std=c++17 -x c++ - -o /dev/null -lgtest -pthread 2>/dev/null
}

has_fuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -x c++ - -o /dev/null -fsanitize=fuzzer,address 2>/dev/null
}

# need compiler|cmake|make|gtest|clang|fuzzer ...: installs what is missing, or says what is needed.
# libFuzzer comes with Clang or as a package of its own: ask for Clang first, then for the fuzzer.
need() {
  missing=
  for thing in "$@"; do
    case $thing in
      compiler) { command -v c++ && command -v cc; } >/dev/null 2>&1 || missing="$missing g++" ;;
      cmake) command -v cmake >/dev/null 2>&1 || missing="$missing cmake" ;;
      make) command -v make >/dev/null 2>&1 || missing="$missing make" ;;
      clang) command -v clang++ >/dev/null 2>&1 || missing="$missing clang" ;;
      fuzzer) has_fuzzer || missing="$missing libclang-rt-dev" ;;
      gtest)
        case $missing in
          *g++*) missing="$missing libgtest-dev" ;;
          *) has_gtest || missing="$missing libgtest-dev" ;;
        esac
        ;;
    esac
  done
  [ -n "$missing" ] || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    # Without its package, CMake fetches GoogleTest.
    [ "$missing" = " libgtest-dev" ] && return 0
    fail "Needed and not found:$missing (a C++17 compiler, CMake 3.16 or later, make; for fuzzing Clang
with libFuzzer).
Please install them with this system's package manager and run this again."
  fi
  say "installing with apt-get:$missing"
  as_root apt-get update
  # shellcheck disable=SC2086  # names are words
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# True where this CMake reads CMakePresets.json.
has_presets() {
  version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  # shellcheck disable=SC2086  # two words
  set -- $version
  [ "$1" -gt 3 ] || [ "$2" -ge 20 ]
}

# build default|programs|ci: configures and builds in build/.
build() {
  if has_presets; then
    say "cmake --preset $1"
    cmake --preset "$1"
  else
    tests=ON
    errors=OFF
    [ "$1" = programs ] && tests=OFF
    [ "$1" = ci ] && errors=ON
    say "cmake -S . -B build"
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DSVM_BUILD_TESTS=$tests \
      -DSVM_WARNINGS_AS_ERRORS=$errors
  fi
  say "cmake --build build"
  cmake --build build --parallel "$(processors)"
}
