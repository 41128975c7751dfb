# shellcheck shell=bash disable=SC2154  # variables of .ci/run
# The stages that run with every change; sourced by .ci/run.

# The Python that Debian's packages are for; another may come before it in PATH.
system_python=/usr/bin/python3
[ -x $system_python ] || system_python=python3

# Several files at a time compile in half of the time, and show names that two have in common; the tests
# are built from the files one by one.
several=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12)

# may_skip COMMAND...: the status 77 says that something is missing, which is no failure.
may_skip() {
  local status=0
  "$@" || status=$?
  [ $status -ne 77 ] || return 0
  return $status
}

# need_build [TARGET...]: in build/, all by default.  What the stage fresh-machine built is not built again.
need_build() {
  (
    flock 9
    CFLAGS=-Werror CXXFLAGS=-Werror cmake --preset default >"$logs/configure" 2>&1 || { cat "$logs/configure"; exit 1; }
    cmake --build build --parallel "$(nproc)" ${1:+--target "$@"} >"$logs/build" 2>&1 || { cat "$logs/build"; exit 1; }
  ) 9>"$logs/lock"
}

# summarize NAME FILE: notes "NAME: 12 passed, 0 failed, 1 skipped" from ctest's closing lines, to be printed at the
# end.
summarize() {
  local total failed skipped
  total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$2")
  failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$2")
  skipped=$(grep -c '(Skipped)$' "$2" || true)
  echo "$1: $((total - failed - skipped)) passed, $failed failed, $skipped skipped" | tee -a "$logs/summary"
}

run_format() {
  repository ls-files -z -- '*.h' '*.cpp' '*.c' | xargs -0 clang-format --dry-run -Werror
}

# The README's commands on a machine that has nothing.  What it built is used from here on, and the unit
# tests that passed there are not run again.  Allocation failures are left to the stage sanitizers.
run_fresh_machine() {
  local status=0
  sh tests/tools/fresh_machine_test.sh "$logs/root" -LE 'many_problems|memory|release|embedding' >"$logs/fresh" 2>&1 || status=$?
  [ $status -ne 77 ] || { cat "$logs/fresh"; rm "$logs/fresh"; return 0; }
  grep -v 'Test *#.* Passed\|^ *Start\|^\(Get\|Selecting\|Preparing\|Unpacking\|Setting up\)\|^\[ *[0-9]*%\]' "$logs/fresh"
  [ $status -eq 0 ] || return $status
  grep -q '^Accuracy = 9' "$logs/fresh"
  grep -q '^  csmo .* times as fast$' "$logs/fresh"
  summarize "fresh machine" "$logs/fresh"
  rm -rf build
  mv "$logs/root$PWD/build" build
  rm -rf "$logs/root"
}

# The tests that need more than a fresh machine has, or were skipped there.  The tests start a one-node Slurm
# of their own; skipped is right only where it is not installed.  The amalgamation has stages of its own.
run_tests() {
  local left='compat|many_problems|memory|release|docs|embedding' skipped name program
  need_build
  [ ! -f "$logs/fresh" ] || left+='|unit'
  # Many of them wait for programs.
  ctest --test-dir build -j $(($(nproc) + 1)) --output-on-failure -LE "$left" >"$logs/tests" || { cat "$logs/tests"; return 1; }
  summarize tests "$logs/tests"
  if [ -f "$logs/fresh" ]; then
    skipped=$(sed -n 's/^\t *[0-9]* - \(.*\) (Skipped)$/\1/p' "$logs/fresh" | sed 's/[^A-Za-z0-9_]/./g' | paste -sd '|')
    [ -z "$skipped" ] || ctest --test-dir build --output-on-failure -L unit -R "^($skipped)\$"
  fi
  for name in slurm:slurmctld parallel:parallel; do
    program=${name#*:}
    name=tools.${name%:*}
    if [ -n "$(PATH=$PATH:/usr/sbin command -v "$program")" ]; then
      grep -q "$name .*Passed" "$logs/tests" || { echo "$name did not run"; return 1; }
      echo "$name ran on a real engine"
    else
      echo "$name skipped: no $program"
    fi
  done
}

run_documents() {
  need_build
  ctest --test-dir build --output-on-failure -L docs
}

# What the tests of the package use, in the newest versions that PyPI has.
newest_packages="scikit-learn numpy scipy pandas polars pyarrow joblib dask distributed pytest pytest-xdist tqdm rich mypy pyright"

# need_environment NAME REQUIREMENT...: a virtual environment with these, $logs/environments/NAME, which is made once in
# a run.  The status is 77 where PyPI cannot be reached.
need_environment() {
  local folder=$logs/environments/$1
  (
    flock 9
    [ ! -f "$folder/made" ] || exit 0
    echo "virtual environment $1: ${*:2}"
    "$system_python" -m venv "$folder" || { echo "no virtual environment can be made"; exit 77; }
    pip=("$folder/bin/pip" --quiet --disable-pip-version-check)
    "${pip[@]}" download --retries 1 --timeout 20 --no-cache-dir --no-deps --dest "$folder/probe" iniconfig 2>/dev/null ||
      { echo "PyPI cannot be reached"; exit 77; }
    "${pip[@]}" install "${@:2}" && touch "$folder/made"
  ) 9>"$logs/lock-environments"
}

# The package of the source folder with the library of the build folder; that of a wheel is a stage of its own.  All
# tests run with the newest versions of what it works with, which are not pinned, and those that other versions might
# fail with Debian's.
run_python() {
  local status=0
  need_build svm svm-train svm-predict svm-scale svm-grid csmo_python
  # shellcheck disable=SC2086  # names are words
  need_environment newest $newest_packages || status=$?
  case $status in
    0)
      sh tests/python/package_test.sh . "$logs/environments/newest/bin/python"
      may_skip sh tests/python/package_test.sh --part . "$system_python"
      ;;
    77)
      echo "the newest versions are skipped; all tests run with Debian's"
      may_skip sh tests/python/package_test.sh . "$system_python"
      ;;
    *) return $status ;;
  esac
}

# Compares the instructions of small runs with the recorded ones.
run_instructions() {
  need_build
  may_skip bench/instructions.py build
}

# check_recorded FOLDER_OF_PROGRAMS [OPTION...]: the comparison with recorded results of LIBSVM 3.37.
check_recorded() {
  local programs=$1
  shift
  if [ -f ../shared/compat/check.py ]; then
    python3 ../shared/compat/check.py --bin "$programs" "$@"
  else
    echo "skipped: there are no recorded results beside the source folder"
  fi
}

# check_forced INSTRUCTION_SET ENGINE THREADS FOLDER_OF_PROGRAMS [OPTION...]
check_forced() {
  echo "instruction set $1, engine ${2:-by choice}, threads $3, programs in $4"
  SVM_INSTRUCTION_SET=$1 SVM_ENGINE=$2 SVM_NUM_THREADS=$3 check_recorded "${@:4}"
}

# The instruction sets that this processor has.
instruction_sets() {
  local set
  for set in plain avx2 avx512 neon; do
    ! SVM_INSTRUCTION_SET=$set build/svm-train -q data/demo.train /dev/null 2>/dev/null || echo $set
  done
}

run_compat() {
  local set
  need_build svm-train svm-predict svm-scale
  for set in $(instruction_sets); do check_forced "$set" "" 2 build; done
}

# many_problems PROGRAM SHARE OF STEP [ARGUMENT...]: of every STEP-th problem, share number SHARE, from 0, of OF
# equal ones; each process takes a part of it.
many_problems() {
  local k processes=() process status=0 program=$1 share=$2 of=$3 step=$4
  echo "share $((share + 1)) of $of"
  for ((k = 0; k < $(nproc); ++k)); do
    "build/tests/$program" --every $((step * of * $(nproc))) --first $((step * (share + of * k))) --seconds 600 "${@:5}" &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || status=1; done
  return $status
}

# What is said to have converged has, on every 240th problem; a third of these, another one each day.  And on 300
# problems that are judged in exact arithmetic.
run_sweep() {
  need_build svm-sweep svm-train
  many_problems svm-sweep $((day % 3)) 3 240
  python3 -B tests/sweep/exact.py --bin build --count 300
}

# csmo on 200 large random problems, always the same ones; likewise.
run_net() {
  need_build svm-net
  many_problems svm-net $((day % 3)) 3 1 --count $((200 / 3 / $(nproc)))
}

# Sources that have changed, those changed last first.  A file that was only moved has not.  What other
# processors' and systems' headers are for is not compiled here, nor is what has names that Java asks for.
tidy_sources() {
  repository diff --raw -M100% --diff-filter=d "$base" -- '*.cpp' |
    awk -F '\t' '$1 !~ / R100$/ { print $NF }' | sort >"$logs/changed-sources"
  repository log --format= --name-only --diff-filter=d -- '*.cpp' | awk '!seen[$0]++' | cat - "$logs/changed-sources" |
    awk 'NR == FNR { changed[$0]; next } $0 in changed && !seen[$0]++' "$logs/changed-sources" - |
    grep -vE '(^|/)(platform/windows[^/]*|examples/.*/svm_jni)\.cpp$' || true
}

# As many files as begin within a minute.
run_clang_tidy() {
  # clang-tidy cannot read GCC's precompiled header.
  cmake -S . -B build-tidy -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
  local end=$(($(date +%s) + 60))
  tidy_sources >"$logs/tidy"
  echo "$(wc -l <"$logs/tidy") files have changed"
  # shellcheck disable=SC2016  # for the inner shell
  xargs -d '\n' -r -n 2 -P "$(nproc)" sh -c '
    [ "$(date +%s)" -lt "$0" ] || { echo "no time left for: $*"; exit 0; }
    echo "$@"
    timeout 300 clang-tidy -p build-tidy --quiet "$@" 2>&1' "$end" <"$logs/tidy" |
    { grep -v ' warnings generated\.$' || true; }
}

# need_instrumented asan|tsan TARGET...  Clang compiles instrumented code in half of GCC's time.
need_instrumented() {
  CC=clang CXX=clang++ cmake --preset "$1" -DSVM_FUZZ="$([ "$1" = asan ] && echo ON || echo OFF)" "${several[@]}" \
    >"$logs/configure" 2>&1 || { cat "$logs/configure"; return 1; }
  cmake --build "build-$1" --parallel "$(nproc)" --target "${@:2}" >"$logs/build" 2>&1 || { cat "$logs/build"; return 1; }
}

# The programs stand for those that Clang makes in the comparison with recorded results.
run_sanitizers() {
  need_instrumented asan svm-tests svm-memory-tests fuzz exit-client make-data make-docs
  python3 tests/shards.py build-asan sanitizers -LE 'slow_sanitized|many_problems' | tee "$logs/asan"
  tail -1 "$logs/asan" >>"$logs/summary"
  check_recorded build-asan
}

# What runs on several threads, from the library and from the programs.
run_threads() {
  need_instrumented tsan svm-tests
  python3 tests/shards.py build-tsan "thread sanitizer" -R 'Thread|Task|Extension|Interrupt|Golden' -LE interrupted_read |
    tee "$logs/tsan"
  tail -1 "$logs/tsan" >>"$logs/summary"
}

run_fuzz() {
  need_instrumented asan fuzz
  tools/fuzz -t 10 -j "$(nproc)" -b build-asan
}

# link_programs FOLDER BUILD_FOLDER OBJECT COMPILER [OPTION...]: programs with the library as one object.
link_programs() {
  local program
  mkdir -p "$1"
  for program in svm-train svm-predict svm-scale; do
    "${@:4}" -std=c++17 -I. "$program.cpp" "$3" "$2/parts/libsvm_cli.a" -pthread -o "$1/$program"
  done
}

# check_two_files NAME COMPILER OPTION...: the amalgamation, compiled in one of the ways in which
# those who carry it do, gives LIBSVM's results.
check_two_files() {
  local folder=$logs/two-files/$1
  mkdir -p "$folder"
  "${@:2}" -std=c++17 -Wall -Wextra -Werror -c build/amalgamation/svm.cpp -o "$folder/svm.o"
  link_programs "$folder" build "$folder/svm.o" g++
  echo "amalgamation, by: ${*:2}; $(size "$folder/svm.o" | awk 'NR == 2 { print $1 }') bytes of code"
  check_recorded "$folder"
}

# The way in which most could differ: all that the processor has, fused arithmetic unless the code forbids it, and
# no threads.
run_two_files() {
  need_build amalgamation svm_cli
  check_two_files gcc-alone g++ -O3 -march=native -ffp-contract=fast -DSVM_NO_THREADS
}

# configure_aarch64 [OPTION...]: little optimisation compiles in half of the time and runs as fast in the emulator;
# programs without shared libraries start sooner.
configure_aarch64() {
  cmake -S . -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux-gnu.cmake \
    -DSVM_WARNINGS_AS_ERRORS=ON -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" "${several[@]}" \
    -DCMAKE_EXE_LINKER_FLAGS=-static "$@" >/dev/null
}

# emulated FOLDER PROGRAMS: scripts that run these programs.
emulated() {
  local program
  mkdir -p "$1"
  for program in svm-train svm-predict svm-scale; do
    printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$PWD/$2/$program" >"$1/$program"
    chmod +x "$1/$program"
  done
}

# The comparison for another processor, by the amalgamation.
run_aarch64() {
  local compiling
  need_build amalgamation
  configure_aarch64 -DSVM_BUILD_TESTS=OFF
  aarch64-linux-gnu-g++ -std=c++17 -O1 -Wall -Wextra -Werror -c build/amalgamation/svm.cpp \
    -o build-aarch64/svm.o & compiling=$!
  cmake --build build-aarch64 --parallel "$(nproc)" --target svm_cli >"$logs/aarch64-build" 2>&1 ||
    { cat "$logs/aarch64-build"; return 1; }
  wait $compiling
  link_programs build-aarch64/two-files build-aarch64 build-aarch64/svm.o aarch64-linux-gnu-g++ -static
  emulated "$logs/aarch64" build-aarch64/two-files
  check_forced neon "" 2 "$logs/aarch64"
}
