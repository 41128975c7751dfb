#!/usr/bin/env bash
# Builds the fuzz targets in the container of OSS-Fuzz, which calls this in the source folder and sets
# CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, WORK and OUT.  `tools/fuzz --oss-fuzz` does the same.
set -euo pipefail

# With the build type None, no options for optimisation follow those that are given.
cmake -S . -B "$WORK/build" -DCMAKE_BUILD_TYPE=None -DSVM_BUILD_TESTS=OFF \
  -DSVM_FUZZ=ON "-DSVM_FUZZ_ENGINE=$LIB_FUZZING_ENGINE" \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12
cmake --build "$WORK/build" --parallel "$(nproc)" --target fuzz

cp "$WORK"/build/tests/fuzz/svm-fuzz-* "$OUT"  # the programs, their .options and .dict
for seeds in tests/fuzz/seeds/*; do
  (cd "$seeds" && cmake -E tar cf "$OUT/svm-fuzz-${seeds##*/}_seed_corpus.zip" --format=zip -- *)
done
