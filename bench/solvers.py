#!/usr/bin/env python3
"""Compares solvers on real data sets: processor seconds, objective, test error, support vectors,
kernel rows.

  bench/solvers.py NAME --data FOLDER --bin build [--solvers platt,pcg,smo] [--limit SECONDS] [-- OPTIONS OF svm-train]

FOLDER holds the data sets as NAME.xz or NAME (with NAME.t for the test error, if there is one).
Trains with each of the solvers (smo,platt,...; libsvm is the svm-train on the PATH) and prints a row for
each.  Seconds are processor seconds in user mode, reading the file included.  bench/papers.py compares the
solvers with their papers.  Standard library only.
"""
import argparse, pathlib, re, resource, subprocess, sys, tempfile

from common import text_of


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


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("name", help="data set")
parser.add_argument("--data", type=pathlib.Path, required=True)
parser.add_argument("--bin", type=lambda p: pathlib.Path(p).resolve(), required=True)
parser.add_argument("--solvers", default="platt,pcg,smo")
parser.add_argument("--limit", type=float, default=60, help="processor seconds of one run")
own = sys.argv[1:sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
a = parser.parse_args(own)
a.options = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
with tempfile.TemporaryDirectory() as folder:
    run(a, pathlib.Path(folder))
