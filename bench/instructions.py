#!/usr/bin/env python3
"""Counts the instructions of small runs, and compares them with bench/instructions.txt.

  bench/instructions.py [--only NAME,...] [BUILD_FOLDER]    default: build
  bench/instructions.py --renew [BUILD_FOLDER]              writes the counts to bench/instructions.txt
  bench/instructions.py --list                              the runs

Every figure that README.md or a page of docs leads with has a run here that does the same in small.
Exits with status 1 if a count is more than 3 % above the recorded one.  Valgrind counts, as its
processor is always the same one, and repeated counts differ by less than 0.1 %.  The runs use one thread
and the loops for AVX2.  Counts of another compiler, other options or another C library cannot be
compared: if the record has others, or Valgrind or AVX2 is missing, the exit status is 77.  The run of
the estimators, whose count is one of function calls, is left out without scikit-learn.
"""
import argparse, concurrent.futures, os, pathlib, platform, random, re, shutil, subprocess, sys, tempfile

from common import clusters, noisy

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "instructions.txt"
ALLOWED = 0.03
PYTHON = "/usr/bin/python3"  # the system's, which belongs to the C library that the record names
# Valgrind counts an instruction that fills a block of memory once for each byte, so glibc is told not to use it.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "SVM_NUM_THREADS": "1", "SVM_INSTRUCTION_SET": "avx2",
               "PYTHONPATH": str(HERE.parent / "python"), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
               "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1000000000:"
                                 "glibc.cpu.x86_rep_movsb_threshold=1000000000"}


def line(label, features):
    """A row of a data file; zeros are left out."""
    return label + "".join(f" {k}:{v:.6g}" for k, v in sorted(features.items()) if v != 0) + "\n"


def made(rows, seed, row):
    """A data file of rows that row(draws, t) makes."""
    draws = random.Random(seed)
    return "".join(line(*row(draws, t)) for t in range(rows))


def sparse(rows, seed):
    """Rows of some 30 among 3,000 features, most of them among the first, and two classes that share most of them."""
    def row(draws, t):
        shift = 0 if t % 2 == 0 else 3
        features = {1 + int(3000 * draws.random()**3) + shift: draws.random() for _ in range(30)}
        return "+1" if t % 2 == 0 else "-1", features
    return made(rows, seed, row)


def binary(rows, seed):
    """One of eight values in each of 14 columns, as columns of 0 and 1; the first four columns and a draw decide."""
    def row(draws, t):
        values = [draws.randrange(8) for _ in range(14)]
        score = sum(values[:4]) - 14 + draws.gauss(0, 2)
        return "+1" if score > 0 else "-1", {8 * k + v + 1: 1 for k, v in enumerate(values)}
    return made(rows, seed, row)


def classes(rows, seed):
    """Ten normal clusters in 16 features of whole numbers, a class each."""
    centres = random.Random(seed)
    middle = [[centres.randrange(30, 70) for _ in range(16)] for _ in range(10)]

    def row(draws, t):
        return str(t % 10), {k: round(m + draws.gauss(0, 20)) for k, m in enumerate(middle[t % 10], 1)}
    return made(rows, seed, row)


def regression(rows, seed):
    """A smooth function of five features, and noise."""
    def row(draws, t):
        x = [draws.uniform(-1, 1) for _ in range(5)]
        return f"{x[0] * x[1] + 2 * abs(x[2]) - x[3] + draws.gauss(0, 0.1):.6g}", dict(enumerate(x, 1))
    return made(rows, seed, row)


# The data files: their names and how they are made.
DATA = {
    "dense": lambda: noisy(1500, 8, 1), "dense.t": lambda: noisy(5000, 8, 2), "long": lambda: noisy(20000, 8, 3),
    "sparse": lambda: sparse(1000, 1), "sparse.t": lambda: sparse(400, 2),
    "binary": lambda: binary(2000, 1), "binary.t": lambda: binary(2000, 2),
    "classes": lambda: classes(1000, 1), "classes.t": lambda: classes(2000, 1),
    "regression": lambda: regression(1200, 1), "clusters": lambda: clusters(400, 200),
}
# How the sets are trained.
POINTS = {"dense": "-c 100 -g 0.5", "sparse": "-c 10 -g 0.1", "binary": "-c 10 -g 0.05", "classes": "-c 10 -g 0.0003",
          "regression": "-s 3 -c 10 -g 0.5 -p 0.1"}
MODELS = ("dense", "sparse", "binary", "classes")  # whose models predict
SMALL_GRID = "svm-grid -q -v 3 -gnuplot null -out out.%s %s"
# name: command in the folder with the data and, as NAME.model, the models of csmo
RUNS = {
    **{f"train-{solver}-{name}": f"svm-train -q -a {solver} {point} {name} out.{solver}.{name}"
       for name, point in POINTS.items() for solver in ("smo", "csmo")},
    "train-csmo-two-levels": "svm-train -q -a csmo -c 1 -g 0.5 dense.t out.two",
    "train-probabilities": "svm-train -q -b 1 -c 100 -v 3 demo3.train",
    "validate": "svm-train -q -a csmo -c 10 -g 0.05 -v 3 binary",
    "predict-each-label": "predict_each dense.model 10000 label",
    "predict-each-value": "predict_each dense.model 3000 value",
    "predict-all-values": "predict_each dense.model 5000 all",
    **{f"predict-{name}": f"svm-predict {name}.t {name}.model out.{name}" for name in MODELS},
    "forest": "svm-train -q -a csmo -c 10 -g 0.5 --cells 500 --trees 1 --metric off dense.t out.forest",
    "forest-metric": "svm-train -q -a csmo -c 10 -g 0.5 --cells 500 --trees 1 dense.t out.weighted",
    "read": "svm-train -q -t 0 -a dcd --max-iter 1 long out.read",
    "scale": "svm-scale dense.t",
    "grid-smo": SMALL_GRID % ("smo", "-log2c 0,4,4 -log2g -12,-12,1 classes"),
    "grid-csmo": SMALL_GRID % ("csmo", "-a csmo -log2c 0,4,4 -log2g -2,2,4 dense"),
    "grid-warm": SMALL_GRID % ("warm", "-a csmo --warm-start -log2c -3,6,3 -log2g -1,-1,1 dense"),
    "grid-adaptive": SMALL_GRID % ("adaptive", "-a csmo --warm-start --search adaptive -s 3 -p 0.1 -log2c -5,1,2 -log2g -5,1,2 "
                                  "regression"),
    "grid-of-a-gpu": "svm-grid -q -a csmo --warm-start -log2c -19.61,0.32,0.4067 -log2g -8.62,-8.62,1 -v 10 "
                     "-gnuplot null -out out.gpu clusters",
    "python-libsvm": "python3 libsvm_calls.py",
    "python-estimators": "bench/calls.py: function calls, not instructions",
}
# What runs in Python, beside the data.
SCRIPTS = {"libsvm_calls.py": """
from libsvm.svmutil import svm_predict, svm_read_problem, svm_train
y, x = svm_read_problem("dense")
y, x = y[:400], x[:400]
model = svm_train(y, x, "-q -a csmo -c 100 -g 0.5")
for t in range(50):
    svm_predict(y[t:t + 1], x[t:t + 1], model, "-q")
"""}


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


def command_of(build, work, text):
    program, *words = text.split()
    places = {"python3": PYTHON, "predict_each": work / program}
    return [places.get(program, build / program), *words]


def prepare(build, work):
    for name, text in DATA.items():
        (work / name).write_text(text(), encoding="utf-8")
    shutil.copy(HERE.parent / "data" / "demo3.train", work)
    for script, text in SCRIPTS.items():
        (work / script).write_text(text, encoding="utf-8")
    for name in MODELS:
        command = f"svm-train -q -a csmo {POINTS[name]} {name} {name}.model"
        done = subprocess.run(command_of(build, work, command), cwd=work, env=ENVIRONMENT, check=False,
                              stderr=subprocess.PIPE, universal_newlines=True)
        if "SVM_INSTRUCTION_SET" in done.stderr:
            skip(done.stderr.strip())
        if done.returncode != 0:
            sys.exit(f"{done.stderr}{command}: failed")
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "predict_each.c", build / "libsvm.so.4",
                    f"-Wl,-rpath,{build}", "-o", work / "predict_each"], check=True)


def estimator_calls():
    """The count of bench/calls.py, or None without what it needs."""
    done = subprocess.run([PYTHON, HERE / "calls.py"], env=ENVIRONMENT, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode == 0:
        return int(done.stdout)
    if "ModuleNotFoundError" not in done.stderr:
        sys.exit(done.stderr)
    print("python-estimators is left out: " + done.stderr.strip().splitlines()[-1])
    return None


def count(build, work, name):
    if name.startswith("python") and not pathlib.Path(PYTHON).exists():
        print(f"{name} is left out: no {PYTHON}")
        return None
    if name == "python-estimators":
        return estimator_calls()
    log = work / (name + ".log")
    command = command_of(build, work, RUNS[name])
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                           f"--log-file={log}", *command], cwd=work, env=ENVIRONMENT, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}{log.read_text()}{RUNS[name]}: failed")
    return int(found(log, r"I\s+refs:\s+([\d,]+)").replace(",", ""))


def counts(build, names):
    """The count of each run; None for one that is left out."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = pathlib.Path(folder)
        prepare(build, work)
        return dict(zip(names, pool.map(lambda name: count(build, work, name), names)))


def compare(before, now):
    """Prints the counts; false if there are too many instructions."""
    changes = {name: number / before[name] - 1 for name, number in now.items() if number is not None}
    for name, change in changes.items():
        print(f"{name:24} {before[name]:12,} {now[name]:12,} {100 * change:+7.2f} %" +
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
    parser.add_argument("--only", type=lambda text: text.split(","), help="these runs")
    parser.add_argument("--list", action="store_true", help="what the runs do")
    parser.add_argument("--renew", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, text in RUNS.items():
            print(f"{name:24} {text}")
        return
    names = options.only or list(RUNS)
    if set(names) - set(RUNS):
        parser.error("no such runs: " + ", ".join(sorted(set(names) - set(RUNS))))
    build = options.build.resolve()
    if not shutil.which("valgrind"):
        skip("no valgrind")
    way = ways(build)
    recorded, *lines = RECORD.read_text(encoding="utf-8").splitlines()
    before = {name: int(number) for name, number in map(str.split, lines)}
    if options.renew:
        now = counts(build, names)
        merged = {name: now.get(name) or (before.get(name) if way == recorded else None) for name in RUNS}
        if None in merged.values():
            sys.exit("no count of " + ", ".join(name for name, number in merged.items() if number is None))
        RECORD.write_text("".join([way + "\n", *(f"{name} {number}\n" for name, number in merged.items())]),
                          encoding="utf-8")
        return
    if way != recorded:
        skip(f"the record is of {recorded}; this build is of {way}")
    if before.keys() != RUNS.keys():
        sys.exit("bench/instructions.txt has other runs: bench/instructions.py --renew")
    if not compare(before, counts(build, names)):
        sys.exit(1)


if __name__ == "__main__":
    main()
