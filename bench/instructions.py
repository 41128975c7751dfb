#!/usr/bin/env python3
"""Counts the instructions of eight small runs, and compares them with bench/instructions.txt.

  bench/instructions.py [BUILD_FOLDER]           default: build
  bench/instructions.py --renew [BUILD_FOLDER]   writes the counts to bench/instructions.txt

Exits with status 1 if a count is more than 3 % above the recorded one.  Valgrind counts, as its
processor is always the same one, and repeated counts differ by less than 0.1 %.  The runs use one thread
and the loops for AVX2.  Counts of another compiler, other options or another C library cannot be
compared: if the record has others, or Valgrind or AVX2 is missing, the exit status is 77.

  train-smo, train-csmo     1,500 rows of 8 features, the RBF kernel
  train-probabilities       three folds of three classes, with folds for the sigmoids
  predict-each              svm_predict for single rows, from C, with the model of train-smo
  predict-many              svm-predict with the same model
  read                      one pass of a linear solver over 30,000 rows: mostly their reading
  scale                     svm-scale, in and out
  grid                      svm-grid, 4 points of 3 folds
"""
import argparse, concurrent.futures, os, pathlib, platform, re, shutil, subprocess, sys, tempfile

from common import noisy

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "instructions.txt"
ALLOWED = 0.03
# Valgrind counts an instruction that fills a block of memory once for each byte, so glibc is told not to use it.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "SVM_NUM_THREADS": "1", "SVM_INSTRUCTION_SET": "avx2",
               "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1000000000:"
                                 "glibc.cpu.x86_rep_movsb_threshold=1000000000"}
# These files are generated: each has so many rows, from this seed.
GENERATED = {"train": (1500, 1), "test": (5000, 2), "long": (30000, 3)}
# name: command in the folder with these files, rbf.model and the data of the project
RUNS = {
    "train-smo": "svm-train -q -c 100 -g 0.5 train out.smo",
    "train-csmo": "svm-train -q -a csmo -c 100 -g 0.5 train out.csmo",
    "train-probabilities": "svm-train -q -b 1 -c 100 -v 3 demo3.train",
    "predict-each": "predict_each rbf.model 20000",
    "predict-many": "svm-predict test rbf.model out.many",
    "read": "svm-train -q -t 0 -a dcd --max-iter 1 long out.read",
    "scale": "svm-scale long",
    "grid": "svm-grid -q -log2c 0,4,4 -log2g -2,2,4 -v 3 -gnuplot null -out out.grid demo.train",
}
MODEL = "svm-train -q -c 100 -g 0.5 train rbf.model"


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def found(path, pattern):
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    return match.group(1) if match else ""


def ways(build):
    """What counts depend on, besides the source."""
    cache = build / "CMakeCache.txt"
    compiler = next(build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"), None)
    if compiler is None:
        sys.exit(f"{build}: nothing was built there")
    kind = found(cache, r"^CMAKE_BUILD_TYPE:\w+=(.*)$")
    flags = [found(cache, rf"^{name}:\w+=(.*)$") for name in ("CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_" + kind.upper())]
    flags = [flag for flag in " ".join(flags).split() if not flag.startswith("-W")]
    return ", ".join([platform.machine(), found(compiler, r'^set\(CMAKE_CXX_COMPILER_ID "(.*)"\)'),
                      found(compiler, r'^set\(CMAKE_CXX_COMPILER_VERSION "(.*)"\)'), " ".join(flags),
                      " ".join(platform.libc_ver())])


def command_of(folder, line):
    program, *words = line.split()
    return [folder / program, *words]


def prepare(build, work):
    for name, (rows, seed) in GENERATED.items():
        (work / name).write_text(noisy(rows, 8, seed), encoding="utf-8")
    for name in ("demo.train", "demo3.train"):
        shutil.copy(HERE.parent / "data" / name, work)
    done = subprocess.run(command_of(build, MODEL), cwd=work, env=ENVIRONMENT, check=False, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if "SVM_INSTRUCTION_SET" in done.stderr:
        skip(done.stderr.strip())
    if done.returncode != 0:
        sys.exit(f"{done.stderr}{MODEL}: failed")
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "predict_each.c", build / "libsvm.so.4",
                    f"-Wl,-rpath,{build}", "-o", work / "predict_each"], check=True)


def count(build, work, name):
    log = work / (name + ".log")
    command = command_of(work if name == "predict-each" else build, RUNS[name])
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                           f"--log-file={log}", *command], cwd=work, env=ENVIRONMENT, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}{log.read_text()}{RUNS[name]}: failed")
    return int(found(log, r"I\s+refs:\s+([\d,]+)").replace(",", ""))


def counts(build):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = pathlib.Path(folder)
        prepare(build, work)
        return dict(zip(RUNS, pool.map(lambda name: count(build, work, name), RUNS)))


def compare(before, now):
    """Prints the counts; false if there are too many instructions."""
    changes = {name: now[name] / before[name] - 1 for name in RUNS}
    for name, change in changes.items():
        print(f"{name:20} {before[name]:12,} {now[name]:12,} {100 * change:+7.2f} %" +
              ("  too many" if change > ALLOWED else "  fewer" if change < -ALLOWED else ""))
    if max(changes.values()) > ALLOWED:
        print(f"More than {100 * ALLOWED:.0f} % above bench/instructions.txt.  If that buys something: "
              "bench/instructions.py --renew")
        return False
    if min(changes.values()) < -ALLOWED:
        print("Record the improvement: bench/instructions.py --renew")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--renew", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    if not shutil.which("valgrind"):
        skip("no valgrind")
    way = ways(build)
    if options.renew:
        lines = [way, *(f"{name} {number}" for name, number in counts(build).items())]
        RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    recorded, *lines = RECORD.read_text(encoding="utf-8").splitlines()
    if way != recorded:
        skip(f"the record is of {recorded}; this build is of {way}")
    before = {name: int(number) for name, number in map(str.split, lines)}
    if before.keys() != RUNS.keys():
        sys.exit("bench/instructions.txt has other runs: bench/instructions.py --renew")
    if not compare(before, counts(build)):
        sys.exit(1)


if __name__ == "__main__":
    main()
