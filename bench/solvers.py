#!/usr/bin/env python3
"""Compares solvers on real data sets: processor seconds, objective, test error, support vectors,
kernel rows.

  bench/solvers.py run NAME --data FOLDER --bin build [--solvers ...] [-- OPTIONS OF svm-train]
  bench/solvers.py cycles --data FOLDER --bin build
  bench/solvers.py growth --data FOLDER --bin build [--solvers platt,pcg,smo] [--limit SECONDS] [NAME]

FOLDER holds the data sets as NAME.xz or NAME (with NAME.t for the test error, if there is one).
run trains with each of the solvers (smo,platt,...; libsvm is the svm-train on the PATH) and prints a
row for each.  cycles prints what amdm saves against mdm with the settings of the paper's tables.
growth prints times over subsets of a9a and w7a, and the exponent of l that fits them.  Seconds are
processor seconds in user mode, reading the file included.  Standard library only.
"""
import argparse, math, pathlib, re, resource, subprocess, sys, tempfile

from common import standardised, text_of

# data set: log10 of 2 sigma^2 and of C, and the percentage of kernel operations that the paper saved
CYCLES = {"raetsch_breast_cancer": (4, 1, 36.27), "heart": (3.5, 1, 65.94), "raetsch_german": (3, 3, 88.82),
          "diabetes_scale": (2, 1, 26.51), "raetsch_banana": (0, 1, 2.05), "raetsch_thyroid": (0, 1.5, 47.64),
          "raetsch_splice": (1.5, 0, 0.33)}
# data set, kernel options, sizes: the paper's, as far as the sets reach
GROWTH = [("a9a", ["-t", "0", "-c", "0.05"], [1605, 2265, 3185, 4781, 6414, 11221, 16101, 22697, 32561]),
          ("a9a", ["-g", "0.05", "-c", "1"], [1605, 2265, 3185, 4781, 6414, 11221, 16101, 22697, 32561]),
          ("w7a", ["-t", "0", "-c", "1"], [2477, 3470, 4912, 7366, 9888, 17188, 24692]),
          ("w7a", ["-g", "0.05", "-c", "5"], [2477, 3470, 4912, 7366, 9888, 17188, 24692])]


def train(a, work, solver, data, options):
    """What a run printed, as a dictionary; None if it took too long."""
    trace = work / "trace"
    if solver == "libsvm":
        command = ["svm-train"]
    else:
        command = [a.bin / "svm-train", "-a", solver, "--trace", trace]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    # The limit is one of processor time.
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(a.limit), int(a.limit)))
    done = subprocess.run([*map(str, command), *options, str(data), str(work / "model")],
                          capture_output=True, text=True, preexec_fn=limit)
    if done.returncode < 0:
        return None
    if done.returncode != 0:
        sys.exit(done.stderr)
    number = lambda pattern: (re.findall(pattern + r" = ([-+.\de]+)", done.stdout) or ["-"])[-1]
    result = {"seconds": resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before,
              "iterations": number("#iter"), "objective": number("obj"), "vectors": number("Total nSV"),
              "cycles": number("cycles"), "operations": number("operations"), "rows": "-"}
    if solver != "libsvm":
        result["rows"] = trace.read_text().splitlines()[-1].split(",")[5]
    return result


def run(a, work):
    (work / "data").write_text(text_of(a.data, a.name))
    has_test = (a.data / (a.name + ".t.xz")).exists() or (a.data / (a.name + ".t")).exists()
    if has_test:
        (work / "test").write_text(text_of(a.data, a.name + ".t"))
    print(f"svm-train {' '.join(a.options)} {a.name}\n")
    print("| solver | seconds | iterations | objective | support vectors | kernel rows | test error |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for solver in a.solvers.split(","):
        r = train(a, work, solver, work / "data", a.options)
        if r is None:
            print(f"| {solver} | > {a.limit:g} | | | | | |", flush=True)
            continue
        error = "-"
        if has_test:
            done = subprocess.run([str(a.bin / "svm-predict"), str(work / "test"), str(work / "model"),
                                   str(work / "out")], capture_output=True, text=True, check=True)
            error = f"{100 - float(re.search(r'Accuracy = ([.0-9]+)', done.stdout)[1]):.2f} %"
        print(f"| {solver} | {r['seconds']:.2f} | {r['iterations']} | {r['objective']} | {r['vectors']} | "
              f"{r['rows']} | {error} |", flush=True)


def cycles(a, work):
    print("| data | C | 2 sigma^2 | mdm: operations, steps | amdm: operations, steps (along cycles) | saved | paper |"
          " seconds | objectives |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, (width, cost, paper) in CYCLES.items():
        (work / "data").write_text(standardised(text_of(a.data, name)))
        options = ["-g", repr(10 ** -width), "-c", repr(10 ** cost), "-m", "500"]
        plain, fast = (train(a, work, solver, work / "data", options) for solver in ("mdm", "amdm"))
        if plain is None or fast is None:
            print(f"| {name} | > {a.limit:g} s |", flush=True)
            continue
        saved = 100 * (1 - float(fast["operations"]) / float(plain["operations"]))
        print(f"| {name} | {10 ** cost:.4g} | {10 ** width:.4g} | {float(plain['operations']):.3g}, {plain['iterations']} | "
              f"{float(fast['operations']):.3g}, {fast['iterations']} ({fast['cycles']}) | {saved:.1f} % | {paper} % | "
              f"{plain['seconds']:.2f}, {fast['seconds']:.2f} | {plain['objective']}, {fast['objective']} |", flush=True)


def exponent(sizes, seconds):
    """Slope of the line through the logarithms, over the times that are long enough to measure."""
    points = [(math.log(l), math.log(s)) for l, s in zip(sizes, seconds) if s is not None and s >= 0.05]
    if len(points) < 3:
        return "-"
    x, y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return f"{sum((p - x) * (q - y) for p, q in points) / sum((p - x) ** 2 for p, _ in points):.2f}"


def growth(a, work):
    for name, options, sizes in GROWTH:
        if a.name not in (None, name):
            continue
        lines = text_of(a.data, name).splitlines(keepends=True)
        print(f"\nsvm-train {' '.join(options)} -m 500, first l rows of {name}; seconds (steps)\n")
        print("| l | " + " | ".join(a.solvers.split(",")) + " |\n| --- |" + " --- |" * len(a.solvers.split(",")))
        times = {solver: [] for solver in a.solvers.split(",")}
        for size in sizes:
            (work / "data").write_text("".join(lines[:size]))
            cells = []
            for solver, seconds in times.items():
                slow = seconds and (seconds[-1] is None or seconds[-1] > a.limit / 2)
                r = None if slow else train(a, work, solver, work / "data", options + ["-m", "500"])
                seconds.append(None if r is None else r["seconds"])
                cells.append("-" if r is None else f"{r['seconds']:.2f} ({r['iterations']})")
            print(f"| {size} | " + " | ".join(cells) + " |", flush=True)
        print("| exponent | " + " | ".join(exponent(sizes, s) for s in times.values()) + " |", flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["run", "cycles", "growth"])
parser.add_argument("name", nargs="?", help="data set")
parser.add_argument("--data", type=pathlib.Path, required=True)
parser.add_argument("--bin", type=lambda p: pathlib.Path(p).resolve(), required=True)
parser.add_argument("--solvers", default="platt,pcg,smo")
parser.add_argument("--limit", type=float, default=60, help="processor seconds of one run")
own = sys.argv[1:sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
a = parser.parse_args(own)
a.options = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
with tempfile.TemporaryDirectory() as folder:
    {"run": run, "cycles": cycles, "growth": growth}[a.what](a, pathlib.Path(folder))
