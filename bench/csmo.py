#!/usr/bin/env python3
"""Conjugate SMO against SMO over a grid of C and gamma, on real data sets.

  bench/csmo.py --data FOLDER [--runner build/parts/solver_run] [--out results.csv]
                [--sets heart_scale,a8a] [--costs 1,10,100,1000] [--rounds 1] [--tables]
                [--maps FOLDER]

Build the runner with: cmake --build build --target solver_run.  FOLDER holds the data sets as
NAME.xz or NAME.  Each point (data set, C, gamma; for regressions also the tube) runs smo, csmo and
csmo without phases in turn in one process, --rounds times, and keeps the median times.  A point
whose smo run takes more than --limit seconds is reported and skipped.  Features are scaled to
[-1, 1] where they are not, and so are regression targets; gamma is 1 and 10 over the number of
features; tubes are 0.01 and 0.1 standard deviations of the target.  --tables prints the summary of
an existing results file (docs/results/csmo.csv is one); --maps draws
RTD = (t_smo - t_csmo) / t_smo over C and gamma for each data set with gnuplot.  Standard library
only.
"""
import argparse, collections, csv, lzma, math, pathlib, shutil, statistics, subprocess, sys, tempfile

# name: (every n-th row, digit told apart or None, scaled already, regression)
SETS = {
    "heart_scale": (1, None, True, False), "diabetes_scale": (1, None, True, False),
    "german.numer": (1, None, False, False), "splice": (1, None, False, False),
    "svmguide1": (1, None, False, False), "a8a": (2, None, True, False),
    "w7a": (2, None, True, False), "ijcnn1": (5, None, True, False),
    "cod-rna": (6, None, False, False), "mnist": (20, 1, False, False),
    "skin_nonskin": (24, None, False, False), "abalone_scale": (1, None, True, True),
    "cpusmall_scale": (1, None, True, True), "cadata": (5, None, False, True),
}
SOLVERS = ["smo", "csmo", "csmo:off"]
FIELDS = ["data", "rows", "C", "gamma", "tube", "megabytes", "solver", "status", "iterations",
          "conjugate", "clipped", "phases", "kernel_rows", "seconds", "solver_seconds", "objective",
          "score"]


def load(folder, name):
    """Rows as (target, {feature: value}) in the form the benchmark asks for."""
    step, digit, scaled, regression = SETS[name]
    packed = folder / (name + ".xz")
    text = lzma.decompress(packed.read_bytes()) if packed.exists() else (folder / name).read_bytes()
    rows = []
    for line in text.decode().splitlines()[step - 1::step]:
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


def measure(a):
    points = collections.OrderedDict()
    with open(a.out, "w", newline="") as out, tempfile.TemporaryDirectory() as work:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        for name in a.sets.split(","):
            rows, features = load(a.data, name)
            path = pathlib.Path(work, name)
            write(path, rows)
            deviation = statistics.pstdev(y for y, _ in rows)
            tubes = [0.01 * deviation, 0.1 * deviation] if SETS[name][3] else [0]
            for C in map(float, a.costs.split(",")):
                for k in (1, 10):
                    for tube in tubes:
                        for megabytes in ([100, 1000] if C == 100 and a.large_cache else [100]):
                            command = [a.runner, path, 3 if SETS[name][3] else 0, C, k / features,
                                       tube, megabytes]
                            point(a, writer, name, len(rows), C, k, tube, megabytes, command)
                            out.flush()


def point(a, writer, name, rows, C, k, tube, megabytes, command):
    label = f"{name} C={C:g} gamma={k}/features tube={tube:.3g} -m {megabytes}"
    runs = collections.defaultdict(list)
    try:
        for _ in range(a.rounds):
            # The first training of a process meets fresh memory, so it is not counted.
            done = subprocess.run([str(w) for w in command] + SOLVERS[:1] + SOLVERS,
                                  capture_output=True, text=True, check=True, timeout=a.limit * 4)
            for line in done.stdout.splitlines()[1:]:
                fields = line.split(",")
                runs[fields[0]].append(fields[1:])
    except subprocess.TimeoutExpired:
        print("left out, too slow:", label, flush=True)
        return
    for solver in SOLVERS:
        seconds = statistics.median(float(r[6]) for r in runs[solver])
        solver_seconds = statistics.median(float(r[7]) for r in runs[solver])
        first = runs[solver][0]
        writer.writerow(dict(zip(FIELDS, [name, rows, C, k, tube, megabytes, solver] + first[:6] +
                                 [seconds, solver_seconds] + first[8:])))
    print(label, {s: runs[s][0][1] + " its " + runs[s][0][6] + " s" for s in SOLVERS}, flush=True)


def read(path):
    points = collections.OrderedDict()
    for row in csv.DictReader(open(path)):
        key = (row["data"], float(row["C"]), int(row["gamma"]), float(row["tube"]), row["megabytes"])
        points.setdefault(key, {})[row["solver"]] = row
    return points


def tables(path):
    points = read(path)
    number = lambda row, field: float(row[field])
    print("Iterations relative to smo (geometric mean; the largest), seconds relative to smo (totals):\n")
    print("| C | points | csmo:off iterations | largest | csmo iterations | csmo solver seconds | csmo seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for C in sorted({key[1] for key in points}):
        here = [p for key, p in points.items() if key[1] == C and key[4] == "100"]
        ratio = lambda s: [number(p[s], "iterations") / number(p["smo"], "iterations") for p in here]
        mean = lambda r: math.exp(statistics.fmean(map(math.log, r)))
        total = lambda s, f: sum(number(p[s], f) for p in here)
        print(f"| {C:g} | {len(here)} | {mean(ratio('csmo:off')):.3f} | {max(ratio('csmo:off')):.3f} | "
              f"{mean(ratio('csmo')):.3f} | {total('csmo', 'solver_seconds') / total('smo', 'solver_seconds'):.3f} | "
              f"{total('csmo', 'seconds') / total('smo', 'seconds'):.3f} |")
    print("\nRTD = (t_smo - t_csmo) / t_smo, percent, over the points of a data set (-m 100):\n")
    print("| data | C=1 | C=10 | C=100 | C=1000 | all |\n| --- | --- | --- | --- | --- | --- |")
    for name in dict.fromkeys(key[0] for key in points):
        cells = []
        for C in (1, 10, 100, 1000, None):
            here = [p for k, p in points.items() if k[0] == name and k[4] == "100" and C in (None, k[1])]
            smo = sum(number(p["smo"], "seconds") for p in here)
            csmo = sum(number(p["csmo"], "seconds") for p in here)
            cells.append(f"{100 * (smo - csmo) / smo:.0f}" if here else "-")
        print(f"| {name} | " + " | ".join(cells) + " |")
    worst = lambda solver: max((number(p[solver], "objective") - number(p["smo"], "objective")) /
                               abs(number(p["smo"], "objective")) for p in points.values())
    apart = max((abs(number(p["csmo"], "score") - number(p["smo"], "score")) for key, p in points.items()
                if not SETS[key[0]][3]), default=0)
    print(f"\nObjective above smo's, relative, at worst: csmo {worst('csmo'):.1e}, csmo:off {worst('csmo:off'):.1e}. "
          f"Training accuracies of classifications differ by at most {apart:.2g} points.")
    slow = max(((number(p["csmo"], "seconds") / number(p["smo"], "seconds"), key) for key, p in points.items()
                if number(p["smo"], "seconds") >= 1), default=None)
    if slow:
        print(f"Largest csmo/smo seconds where smo takes a second or more: {slow[0]:.2f} at {slow[1]}.")


def maps(path, folder):
    if not shutil.which("gnuplot"):
        return print("gnuplot not found: no heat maps")
    folder.mkdir(parents=True, exist_ok=True)
    points = read(path)
    for name in dict.fromkeys(key[0] for key in points):
        cells = collections.defaultdict(list)
        for key, p in points.items():
            if key[0] == name and key[4] == "100":
                smo, csmo = (float(p[s]["seconds"]) for s in ("smo", "csmo"))
                cells[key[2], key[1]].append(100 * (smo - csmo) / smo)
        data = "\n".join(f"{math.log10(C):g} {math.log10(k):g} {statistics.fmean(v):.1f}"
                         for (k, C), v in sorted(cells.items()))
        script = f"""set terminal pngcairo size 640,360
set output '{folder / (name + ".png")}'
set title 'RTD of csmo over smo in percent: {name}' noenhanced
set xlabel 'C'; set ylabel 'gamma'
set xtics ('1' 0, '10' 1, '100' 2, '1000' 3); set ytics ('1/features' 0, '10/features' 1)
set xrange [-0.5:3.5]; set yrange [-0.5:1.5]; set cbrange [-100:100]
set palette defined (-100 '#b2182b', 0 '#f7f7f7', 100 '#2166ac')
$data << EOD
{data}
EOD
plot $data using 1:2:3 with image notitle, $data using 1:2:(sprintf('%.0f', $3)) with labels notitle
"""
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--runner", default="build/parts/solver_run")
    p.add_argument("--out", type=pathlib.Path, default="csmo.csv")
    p.add_argument("--sets", default=",".join(SETS))
    p.add_argument("--costs", default="1,10,100,1000")
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--limit", type=float, default=120, help="seconds for smo at a point")
    p.add_argument("--large-cache", action="store_true", help="also -m 1000 at C = 100")
    p.add_argument("--tables", action="store_true", help="only print the tables of --out")
    p.add_argument("--maps", type=pathlib.Path, help="folder for heat maps")
    a = p.parse_args()
    if not a.tables:
        if a.data is None:
            p.error("--data is needed")
        measure(a)
    tables(a.out)
    if a.maps:
        maps(a.out, a.maps)


if __name__ == "__main__":
    sys.exit(main())
