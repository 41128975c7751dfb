#!/usr/bin/env python3
"""Compares conjugate SMO with SMO over a grid of C and gamma, on real data sets.

  bench/csmo.py --data FOLDER [--runner build/parts/solver_run] [--out results.csv]
                [--sets full,small] [--costs 1,10,100,1000] [--rounds 1] [--check] [--tables]
                [--maps FOLDER]

Build the runner with: cmake --build build --target solver_run.  FOLDER holds the data sets as
NAME.xz or NAME.  --sets takes names and groups: "thinned", the default, has sets of all sizes with
most rows left out; "full" five of 20,640 to 59,535 rows; "small" twelve below 1,000.  Each point
(data set, C, gamma; for regressions also the tube) runs smo, csmo and, in the first group, csmo
as published in turn in one process, --rounds times (points of milliseconds many times), and keeps
the median times: elapsed, and of the processor.  Use SVM_NUM_THREADS=1.  A point whose smo run takes
more than --limit seconds is reported and skipped.

Features are scaled to [-1, 1] unless they already are, and so are regression targets; gamma is 1 and 10
over the number of features; tubes are 0.01 and 0.1 standard deviations of the target.  The full sets
are those of bench/speed.py, with the gamma and the tube of its runs.  --check computes violations and
objectives of the models in doubles (docs/check.md).  --tables prints the summary of an
existing results file (docs/results/csmo.csv is one); --maps draws
RTD = (t_smo - t_csmo) / t_smo over C and gamma for each data set with gnuplot.  Standard library
only.
"""
import argparse, collections, csv, pathlib, statistics, subprocess, sys, tempfile

import csmo_tables
import speed
from common import text_of

# name: (every n-th row, digit told apart or None, scaled already, regression)
THINNED = {
    "heart_scale": (1, None, True, False), "diabetes_scale": (1, None, True, False),
    "german.numer": (1, None, False, False), "splice": (1, None, False, False),
    "svmguide1": (1, None, False, False), "a8a": (2, None, True, False),
    "w7a": (2, None, True, False), "ijcnn1": (5, None, True, False),
    "cod-rna": (6, None, False, False), "mnist": (20, 1, False, False),
    "skin_nonskin": (24, None, False, False), "abalone_scale": (1, None, True, True),
    "cpusmall_scale": (1, None, True, True), "cadata": (5, None, False, True),
}
SMALL = {
    "heart_scale": (1, None, True, False), "diabetes_scale": (1, None, True, False),
    "australian": (1, None, False, False), "breast-cancer_scale": (1, None, True, False),
    "fourclass_scale": (1, None, True, False), "ionosphere_scale": (1, None, True, False),
    "sonar_scale": (1, None, True, False), "raetsch_breast_cancer": (1, None, False, False),
    "raetsch_thyroid": (1, None, False, False), "bodyfat_scale": (1, None, True, True),
    "housing_scale": (1, None, True, True), "mpg_scale": (1, None, True, True),
}
SETS = {**THINNED, **SMALL}
# name: (data set of speed.py, gamma or None for 1 over the number of features, SVM type, tube)
FULL = {
    "ijcnn1-full": ("ijcnn1", 1, 0, 0), "cod-rna-full": ("cod-rna-scaled", 1, 0, 0),
    "covtype14-full": ("covtype14", 1, 0, 0), "a9a-full": ("a9a", None, 0, 0),
    "cadata-full": ("cadata-scaled", None, 3, 0.1),
}
GROUPS = {"thinned": THINNED, "full": FULL, "small": SMALL}
SOLVERS = ["smo", "csmo", "csmo:published"]
FIELDS = ["data", "rows", "C", "gamma", "tube", "megabytes", "solver", "status", "iterations",
          "conjugate", "clipped", "phases", "kernel_rows", "seconds", "solver_seconds", "objective",
          "score", "processor_seconds", "violation", "infeasibility", "checked_objective"]
RESOLVED = 0.2  # seconds of smo, over all runs of a point, that suffice for a median


def load(folder, name, form=None):
    """Rows as (target, {feature: value}) in the form the benchmark asks for, or in another one."""
    step, digit, scaled, regression = form or SETS[name]
    rows = []
    for line in text_of(folder, name).splitlines()[step - 1::step]:
        words = line.split()
        target = float(words[0])
        if digit is not None:
            target = 1.0 if target == digit else -1.0
        rows.append((target, {int(i): float(v) for i, v in (w.split(":") for w in words[1:])}))
    features = max(max(x, default=0) for _, x in rows)
    if not scaled:
        low, high = {}, {}
        for f in range(1, features + 1):
            values = [x.get(f, 0.0) for _, x in rows]
            low[f], high[f] = min(values), max(values)
        scale = lambda v, f: -1 + 2 * (v - low[f]) / (high[f] - low[f])
        rows = [(y, {f: scale(x.get(f, 0.0), f) for f in low if high[f] > low[f]}) for y, x in rows]
        if regression:
            targets = [y for y, _ in rows]
            a, b = min(targets), max(targets)
            rows = [(-1 + 2 * (y - a) / (b - a), x) for y, x in rows]
    return rows, features


def write(path, rows):
    with open(path, "w") as out:
        for y, x in rows:
            pairs = " ".join(f"{f}:{v:.7g}" for f, v in sorted(x.items()) if v)
            out.write(f"{y:.10g} {pairs}\n")


def full_points(a, work, name):
    data, gamma, svm_type, tube = FULL[name]
    path = speed.prepare(a.data, work, data)
    rows, _, features = speed.shape(path)
    k = round(gamma * features) if gamma else 1
    for C in a.costs:
        yield rows, C, k, tube, 100, [path, svm_type, C, k / features, tube, 100]


def points_of(a, work, name):
    """Rows, C, gamma times features, tube, megabytes, and the words for the runner."""
    if name in FULL:
        yield from full_points(a, work, name)
        return
    regression = SETS[name][3]
    rows, features = load(a.data, name)
    path = work / name
    write(path, rows)
    deviation = statistics.pstdev(y for y, _ in rows)
    for C in a.costs:
        for k in (1, 10):
            for tube in [0.01 * deviation, 0.1 * deviation] if regression else [0]:
                for megabytes in ([100, 1000] if C == 100 and a.large_cache else [100]):
                    yield (len(rows), C, k, tube, megabytes,
                           [path, 3 if regression else 0, C, k / features, tube, megabytes])


def measure(a):
    with open(a.out, "w", newline="") as out, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        for name in a.sets:
            for words in points_of(a, pathlib.Path(a.work or folder), name):
                point(a, writer, name, *words)
                out.flush()


def run(a, words, solvers, counted):
    """The runner's fields for each of the solvers, in their order."""
    # The first training of a process has to touch new memory, so short ones get a run beforehand.
    before = [] if counted else solvers[:1]
    done = subprocess.run([a.runner, *map(str, words), *before, *solvers], capture_output=True, text=True,
                          check=True, timeout=a.limit * 4)
    return [line.split(",") for line in done.stdout.splitlines()[len(before):]]


def point(a, writer, name, rows, C, k, tube, megabytes, words):
    label = f"{name} C={C:g} gamma={k}/features tube={tube:.3g} -m {megabytes}"
    solvers = SOLVERS if name in THINNED else SOLVERS[:2]
    runs = collections.defaultdict(list)
    checked = {}
    try:
        for turn in range(a.rounds):
            suffix = ":check" if a.check and turn == 0 else ""
            lines = run(a, words, [s + suffix for s in solvers], name in FULL)
            if turn == 0:
                checked = {solver: line[12:] for solver, line in zip(solvers, lines)}
                repeats = min(200, int(RESOLVED / max(float(lines[0][11]), 1e-6)))
                lines += run(a, words, solvers * repeats, False) if repeats > 1 else []
            for line in lines:
                runs[line[0].replace(":check", "")].append(line)
    except subprocess.TimeoutExpired:
        print("left out, too slow:", label, flush=True)
        return
    for solver in solvers:
        median = lambda field: f"{statistics.median(float(r[field]) for r in runs[solver]):.6f}"
        first = runs[solver][0]
        writer.writerow(dict(zip(FIELDS, [name, rows, C, k, tube, megabytes, solver] + first[1:7] +
                                 [median(7), median(8)] + first[9:11] + [median(11)] + checked[solver])))
    print(label, {s: f"{runs[s][0][2]} its {statistics.median(float(r[11]) for r in runs[s]):.4g} s"
                  for s in solvers}, flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--runner", default="build/parts/solver_run")
    p.add_argument("--out", type=pathlib.Path, default="csmo.csv")
    p.add_argument("--sets", default="thinned", help="names and groups")
    p.add_argument("--costs", type=lambda t: [float(c) for c in t.split(",")], default=[1, 10, 100, 1000])
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--limit", type=float, default=120, help="seconds for smo at a point")
    p.add_argument("--large-cache", action="store_true", help="also -m 1000 at C = 100")
    p.add_argument("--check", action="store_true", help="certificates of the models")
    p.add_argument("--work", help="keep prepared full sets here")
    p.add_argument("--tables", action="store_true", help="only print the tables of --out")
    p.add_argument("--maps", type=pathlib.Path, help="folder for heat maps")
    a = p.parse_args()
    a.sets = [n for word in a.sets.split(",") for n in GROUPS.get(word, [word])]
    if unknown := [n for n in a.sets if n not in SETS and n not in FULL]:
        p.error(f"no data set {unknown[0]}")
    if not a.tables:
        if a.data is None:
            p.error("--data is needed")
        measure(a)
    csmo_tables.tables(a.out)
    if a.maps:
        csmo_tables.maps(a.out, a.maps)


if __name__ == "__main__":
    sys.exit(main())
