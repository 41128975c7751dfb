# shellcheck shell=bash disable=SC2154  # variables of .ci/run
# The stages that run before a release, and in turn with changes; sourced by .ci/run after every.sh.

# made NAME PART...: parts of a release in build-release/NAME, made once for each commit.
made() {
  local folder=build-release/$1 commit
  commit=$(repository rev-parse HEAD)
  [ "$(cat "$folder.commit" 2>/dev/null)" != "$commit" ] || return 0
  rm -rf "$folder"
  mkdir -p build-release
  tools/release --no-install --draft "$folder" "${@:2}"
  echo "$commit" >"$folder.commit"
}

# The wheels, and the tests of the package with that for this processor, with Debian's packages and with what
# `pip install` brings today.  README's program in Python runs first where nothing else is installed.
run_wheels() {
  local wheel python=$logs/environments/wheel/bin/python status=0
  need_build svm svm-train svm-predict svm-scale svm-grid
  made wheels sdist x86_64 aarch64 musl windows
  bash tests/packages/wheels_test.sh build-release/wheels/python
  wheel=$(echo "$PWD"/build-release/wheels/python/*manylinux*_x86_64.whl)
  may_skip sh tests/python/package_test.sh . "$system_python" "$wheel"
  need_environment wheel "csmo[sklearn] @ file://$wheel" || status=$?
  [ $status -ne 77 ] || return 0
  [ $status -eq 0 ] || return $status
  SVM_BIN_DIR=$PWD/build "$python" -B tests/docs/commands_test.py . README.md | tee "$logs/readme"
  ! grep "skipped: .*import sklearn, csmo'" "$logs/readme" || return 1
  # shellcheck disable=SC2086  # names are words
  "$python" -m pip install --quiet --disable-pip-version-check $newest_packages
  sh tests/python/package_test.sh . "$python" "$wheel"
}

# Versions between Debian's and the newest, with the newest of other packages that go with them.
run_python_versions() {
  local version numpy status
  need_build svm svm-train svm-predict svm-scale svm-grid csmo_python
  for version in 1.4 1.6 1.7; do
    numpy="numpy==1.26.*"
    [ $version != 1.7 ] || numpy=numpy
    status=0
    # shellcheck disable=SC2086  # names are words
    need_environment sklearn-$version "scikit-learn==$version.*" "$numpy" $newest_packages || status=$?
    [ $status -ne 77 ] || return 0
    [ $status -eq 0 ] || return $status
    sh tests/python/package_test.sh . "$logs/environments/sklearn-$version/bin/python"
  done
}

# scikit-learn's own tests, the newest ones, with our estimators in place of its own: prints how many pass.
run_sklearn_tests() {
  local status=0
  need_build svm csmo_python
  # shellcheck disable=SC2086  # names are words
  need_environment sklearn-tests $newest_packages matplotlib || status=$?
  [ $status -ne 77 ] || return 0
  [ $status -eq 0 ] || return $status
  PYTHONPATH=python "$logs/environments/sklearn-tests/bin/python" -B -m pytest -q -s -p no:cacheprovider \
    python/tests/test_sklearn_upstream.py
}

# test_hosts LIST: the tests in python/tests/hosts with the packages of this list.  What cannot be installed is skipped,
# and so are the tests of what is not there.
test_hosts() {
  local list=python/tests/hosts/$1.txt python=$logs/environments/$1/bin/python requirement status=0
  need_build svm svm-train svm-predict svm-scale svm-grid csmo_python
  need_environment "$1" pytest -r "$list" || status=$?
  [ $status -ne 77 ] || return 0
  [ $status -eq 0 ] || while read -r requirement; do
    "$python" -m pip install --quiet --disable-pip-version-check "$requirement" ||
      echo "skipped: $requirement cannot be installed"
  done < <(echo pytest; sed 's/ *#.*//; /^$/d' "$list")
  "$python" -m pip list --disable-pip-version-check
  SVM_BIN_DIR=$PWD/build PYTHONPATH=$PWD/python CSMO_OTHER_PYTHON=$system_python "$python" -B -m pytest -q -rs \
    -p no:cacheprovider python/tests/hosts
}

# With packages that users of scikit-learn have besides, and on the workers of dask, Ray and Spark.
run_python_hosts() { test_hosts packages; }
run_python_clusters() { test_hosts cluster_packages; }

# Searches the site; the documents' commands, links and versions are the stage documents.
run_site() {
  made site site
  tar -C "$logs" -xzf build-release/site/csmo-*-site.tar.gz
  may_skip "$system_python" -B docs/site/search_test.py "$logs"/csmo-*-site
}

# The parts that are made quickly, twice: they must have the same bytes in another folder.
run_reproducible() {
  local parts=(source three-files sdist site) status=0
  rm -f build-release/quick.commit
  made quick "${parts[@]}"
  printf '[safe]\n\tdirectory = *\n' >"$logs/gitconfig"
  GIT_CONFIG_GLOBAL=$logs/gitconfig git clone -q . "$logs/another/folder"
  "$logs/another/folder/tools/release" --no-install --draft "$logs/again" "${parts[@]}" >"$logs/again.log" 2>&1 ||
    { cat "$logs/again.log"; return 1; }
  grep -vxFf build-release/quick/SHA256SUMS "$logs/again/SHA256SUMS" || status=$?
  [ $status -eq 1 ] || { echo "these differ when they are made again"; return 1; }
}

# Checks and installs Debian's packages, compiled quickly, and tries LIBSVM's make targets.  Lintian reads the
# static library for half a minute.
run_debian() {
  local lintian status=0
  need_build svm-train svm-predict svm-scale svm-grid
  DEB_BUILD_OPTIONS=noopt DEB_CFLAGS_STRIP=-g DEB_CXXFLAGS_STRIP=-g made debian debian
  lintian --allow-root --fail-on error,warning build-release/debian/debian/*.deb >"$logs/lintian" 2>&1 & lintian=$!
  { may_skip bash tests/packages/debian_test.sh build-release/debian/debian &&
    sh tests/packages/make_test.sh "$PWD" "$PWD/build" -O0; } || status=$?
  wait $lintian || { cat "$logs/lintian"; return 1; }
  return $status
}

# build_programs FOLDER OPTION...: programs and library, quickly compiled.
build_programs() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -DSVM_BUILD_TESTS=OFF -DSVM_WARNINGS_AS_ERRORS=ON \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" "${several[@]}" "$@"
  cmake --build "$folder" --parallel "$(nproc)" \
    --target svm svm-train svm-predict svm-scale svm-grid
}

# Debian's libc++ has no std::from_chars for doubles.  Programs compiled for this processor alone give
# the same results.
run_libcxx() {
  local set
  need_build
  CC=clang CXX=clang++ build_programs build-libcxx "-DCMAKE_CXX_FLAGS=-stdlib=libc++ -march=native"
  SVM_GOLDEN_PROGRAMS=$PWD/build-libcxx build/tests/svm-tests --gtest_filter='*Golden*'
  for set in $(instruction_sets); do check_forced "$set" "" 2 build-libcxx; done
}

run_windows() {
  local checker=../shared/compat/check.py
  [ -f $checker ] || checker=
  build_programs build-windows --toolchain cmake/mingw-w64.cmake
  may_skip sh tests/base/platform/windows_test.sh build-windows $checker
}

# The page with the library as WebAssembly, in a browser; its models are those of build/.
run_page() {
  need_build svm-train svm-predict
  made page page
  SVM_BIN_DIR=$PWD/build may_skip "$system_python" -B examples/page/tests/page_test.py build-release/page/csmo-*-page.html
}

# check_instruction_set NUMBER NAME: with every engine, on 1, 2 or 5 threads in turn.  The plain engine
# takes as long as all others and has no vectorised loops: once is enough.
check_instruction_set() {
  local engines=("" bits integers dense columns) threads=(1 2 5) e
  [ "$1" -gt 0 ] || engines+=(plain)
  for e in "${!engines[@]}"; do
    check_forced "$2" "${engines[e]}" "${threads[($1 + e) % 3]}" build
  done
}

# All instruction sets at the same time; then with a cache of 1 MB, but where a case has an option -m of its own.
run_engines() {
  local sets processes=() status=0 s t
  need_build svm-train svm-predict svm-scale
  mapfile -t sets < <(instruction_sets)
  for s in "${!sets[@]}"; do
    check_instruction_set "$s" "${sets[s]}" >"$logs/forced-$s" 2>&1 &
    processes+=($!)
  done
  for s in "${!sets[@]}"; do
    wait "${processes[s]}" || status=1
    cat "$logs/forced-$s"
  done
  [ $status -eq 0 ] || return 1
  mkdir "$logs/small"
  ln -s "$PWD/build/svm-predict" "$PWD/build/svm-scale" "$logs/small"
  printf '#!/bin/sh\nexec "%s" -m 1 "$@"\n' "$PWD/build/svm-train" >"$logs/small/svm-train"
  chmod +x "$logs/small/svm-train"
  for t in 1 2 5; do check_forced "${sets[-1]}" "" "$t" "$logs/small" -k 'train '; done
}

# need_two_files: with svm.o, compiled -O1.
need_two_files() {
  need_build
  ctest --test-dir build --output-on-failure -R '^amalgamation\.object$'
}

# Programs that carry LIBSVM, with the library in its place; LIBSVM's own programs and wrappers, where Debian's
# sources of it can be had.
run_hosts() {
  local hosts status=0 folder=$logs/libsvm
  need_two_files
  mkdir -p "$folder"
  may_skip bash tests/embedding/hosts_test.sh "$logs/sources" "$PWD/build/amalgamation" gcc g++ >"$logs/hosts" 2>&1 & hosts=$!
  sh tests/embedding/debian_sources.sh "$logs/libsvm-sources" libsvm
  [ ! -d "$logs/libsvm-sources" ] || tar -C "$folder" --strip-components=1 -xf "$logs"/libsvm-sources/libsvm_*.orig.tar.* || true
  may_skip sh tests/embedding/libsvm_sources_test.sh "$folder" "$PWD/build/amalgamation" "$PWD/build" "$PWD/data" gcc g++ || status=$?
  wait $hosts || status=1
  cat "$logs/hosts"
  return $status
}

# The ways that the stage two-files leaves out, two at a time: also GCC's object of the tests, -O1 without options for a
# processor.
run_two_files_all() {
  local processes=() process status=0
  need_two_files
  ctest --test-dir build --output-on-failure -R '^amalgamation\.object$'
  (link_programs "$logs/two-files/object" build build/amalgamation/svm.o g++
  echo "amalgamation, by the tests' g++ -O1"
  check_recorded "$logs/two-files/object"
  run_two_files) >"$logs/two-gcc" 2>&1 & processes+=($!)
  (check_two_files clang clang++ -O3 -march=native
  check_two_files clang-alone clang++ -O2 -DSVM_NO_THREADS -DSVM_NO_SIMD) >"$logs/two-clang" 2>&1 & processes+=($!)
  for process in "${processes[@]}"; do wait "$process" || status=1; done
  cat "$logs/two-gcc" "$logs/two-clang"
  return $status
}

# Builds as OSS-Fuzz does, which takes most of the time, and runs each target shortly.
run_oss_fuzz() { tools/fuzz --oss-fuzz=address -n 2000 -j "$(nproc)"; }

run_sweep_all() {
  need_build svm-sweep svm-net
  many_problems svm-sweep 0 1 240
  many_problems svm-net 0 1 1 --count $((200 / $(nproc)))
}

# Tests that build the library again, or other programs with it.
run_builds() {
  need_build
  ctest --test-dir build --output-on-failure -L 'release|embedding' >"$logs/builds" || { cat "$logs/builds"; return 1; }
  summarize builds "$logs/builds"
}

# What depends on the processor, for aarch64 by an emulator: tests of what the loops compute, and programs whose
# loops are the plain ones.
run_aarch64_tests() {
  configure_aarch64 -DSVM_BUILD_TESTS=ON \
    -DSVM_TEST_FILES='base/io/text_block|base/simd/|kernels/engine|model/batch|solvers/(cholesky|nystrom|passes)'
  cmake --build build-aarch64 --parallel "$(nproc)" --target svm-train svm-predict svm-scale svm-tests
  ctest --test-dir build-aarch64 --output-on-failure -L processor -LE 'plain_loops|slow_emulated' >"$logs/aarch64-tests" ||
    { cat "$logs/aarch64-tests"; return 1; }
  summarize "aarch64" "$logs/aarch64-tests"
  emulated "$logs/aarch64-programs" build-aarch64
  check_forced plain "" 1 "$logs/aarch64-programs" -k _scale
}
