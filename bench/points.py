#!/usr/bin/env python3
"""Compares csmo with smo on every data set of a folder, at C = 1 and 100 and gamma = 0.1 and 1.

  bench/points.py --data FOLDER [--programs build] [--work FOLDER] [--out points.csv]
                  [--sets NAME,...] [--threads 1] [--rounds 3] [--limit 60] [--check] [--tables]

FOLDER holds data sets as NAME.xz or NAME.  Features are scaled to [0, 1] by svm-scale -l 0.  A data
set whose targets are not whole numbers, or that REGRESSIONS names, trains epsilon-SVR on targets scaled
to [0, 1], the others C-SVC.  Each point runs smo and csmo in turn, whole programs: --rounds times, or more
often if a run takes less than 0.1 s.  Their medians count: processor seconds, and elapsed ones for more
than one thread.  A data set is left out after a run of smo that takes more than --limit seconds.
--check adds the violation that svm-train --check recomputes in doubles.  --tables prints the summary of
an existing results file.  Standard library only.
"""
import argparse, csv, math, os, pathlib, re, statistics, subprocess, sys, tempfile, time

from common import text_of

COSTS, GAMMAS = (1, 100), (0.1, 1)
REGRESSIONS = {"abalone", "abalone_scale", "cadata", "cpusmall", "cpusmall_scale"}
FIELDS = ["data", "C", "gamma", "smo", "csmo", "smo_elapsed", "csmo_elapsed", "smo_violation", "csmo_violation"]
LONG, RESOLVED = 0.3, 0.1  # seconds of smo: counted in the mean; resolved by one round
MOST_ROUNDS = 15


def names_of(folder):
    return sorted({path.name.removesuffix(".xz") for path in folder.iterdir() if path.suffix in ("", ".xz", ".t")
                   or path.name.endswith(".scale") or path.name.endswith(".binary")})


def prepare(a, work, name):
    """Writes the scaled data set unless it is there.  Returns its path, or None if it is no data set."""
    path = work / name
    if path.exists():
        return path
    try:
        lines = text_of(a.data, name).splitlines()
        targets = [float(line.split(None, 1)[0]) for line in lines]
    except (ValueError, IndexError):
        return None
    if is_regression(name, targets):
        low, high = min(targets), max(targets)
        lines = [f"{(y - low) / (high - low):.10g} {line.split(None, 1)[1]}" for y, line in zip(targets, lines)]
    raw = work / (name + ".raw")
    raw.write_text("\n".join(lines) + "\n")
    with open(path, "w") as out:
        subprocess.run([a.programs / "svm-scale", "-l", "0", raw], stdout=out, stderr=subprocess.DEVNULL, check=True)
    raw.unlink()
    return path


def is_regression(name, targets):
    return name in REGRESSIONS or any(y != round(y) for y in targets)


def svm_type(path):
    with open(path) as lines:
        return 3 if is_regression(path.name, (float(line.split(None, 1)[0]) for line in lines)) else 0


def run(a, command):
    """Processor seconds, elapsed seconds, output."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "SVM_NUM_THREADS": str(a.threads)})
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{output[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, output


def point(a, path, kind, C, gamma):
    """A row of the results; None if smo takes too long."""
    command = [a.programs / "svm-train", "-q", "-s", str(kind), "-c", f"{C:g}", "-g", f"{gamma:g}"]
    row = {"data": path.name, "C": C, "gamma": gamma}
    times = {"smo": [], "csmo": []}
    rounds = a.rounds
    while len(times["smo"]) < rounds:
        for solver in times:
            limit = ["--time-limit", f"{1.1 * a.limit:g}"] if solver == "smo" else []
            processor, elapsed, _ = run(a, [*command, *limit, "-a", solver, path, os.devnull])
            times[solver].append((processor, elapsed))
            if processor < RESOLVED and len(times[solver]) == 1:
                rounds = max(rounds, min(MOST_ROUNDS, int(RESOLVED * 3 / max(processor, 1e-3))))
            if solver == "smo" and elapsed > a.limit:
                return None
    for solver, runs in times.items():
        row[solver] = statistics.median(r[0] for r in runs)
        row[solver + "_elapsed"] = statistics.median(r[1] for r in runs)
        if a.check:
            output = run(a, [*command, "-a", solver, "--check", path, os.devnull])[2]
            violations = [float(v) for v in re.findall(r"violation[^\d]*([\d.e+-]+)", output)]
            row[solver + "_violation"] = max(violations, default=math.nan)
    return row


def measure(a):
    with tempfile.TemporaryDirectory() as folder, open(a.out, "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        work = a.work or pathlib.Path(folder)
        for name in a.sets or names_of(a.data):
            path = prepare(a, work, name)
            if path is None:
                continue
            kind = svm_type(path)
            for C in COSTS:
                for gamma in GAMMAS:
                    row = point(a, path, kind, C, gamma)
                    if row is None:
                        print(f"left out, too slow: {name} -c {C:g} -g {gamma:g}", flush=True)
                        continue
                    writer.writerow({key: f"{value:.4g}" if isinstance(value, float) else value
                                     for key, value in row.items()})
                    out.flush()
                    print(f"{name} -c {C:g} -g {gamma:g}: smo {row['smo']:.4g} s, csmo {row['csmo']:.4g} s, "
                          f"ratio {row['csmo'] / row['smo']:.2f}", flush=True)


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def tables(a):
    rows = list(csv.DictReader(open(a.out)))
    field = "elapsed" if a.threads > 1 else ""
    seconds = lambda row, solver: max(float(row[solver + ("_" + field if field else "")]), 1e-3)
    ratio = lambda row: seconds(row, "csmo") / seconds(row, "smo")
    bound = lambda row: 1.05 if seconds(row, "smo") >= RESOLVED else 1.1
    print(f"\n{len(rows)} points: csmo / smo geometric mean {mean([ratio(r) for r in rows]):.3f}; "
          f"{mean([ratio(r) for r in rows if seconds(r, 'smo') >= LONG]):.3f} if smo takes {LONG} s or more "
          f"({sum(seconds(r, 'smo') >= LONG for r in rows)} points); totals "
          f"{sum(seconds(r, 'csmo') for r in rows) / sum(seconds(r, 'smo') for r in rows):.3f}")
    above = [r for r in rows if ratio(r) > bound(r)]
    print(f"{len(above)} points above 1.05, or 1.1 if smo takes less than {RESOLVED} s; "
          f"{sum(ratio(r) > 1.1 for r in rows)} above 1.1, {sum(ratio(r) > 1.5 for r in rows)} above 1.5:\n")
    print("| data | smo, s | csmo, s | csmo / smo |\n| --- | --- | --- | --- |")
    for r in sorted(above, key=ratio, reverse=True):
        print(f"| {r['data']} `-c {r['C']} -g {r['gamma']}` | {seconds(r, 'smo'):.3g} | {seconds(r, 'csmo'):.3g} | {ratio(r):.2f} |")
    violations = [float(r["csmo_violation"]) for r in rows if r.get("csmo_violation")]
    if violations:
        print(f"\nLargest violation of csmo, recomputed in doubles: {max(violations):.3g}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--programs", type=pathlib.Path, default="build")
    p.add_argument("--work", type=pathlib.Path, help="keep scaled data sets here")
    p.add_argument("--out", type=pathlib.Path, default="points.csv")
    p.add_argument("--sets", type=lambda text: text.split(","))
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--limit", type=float, default=60)
    p.add_argument("--check", action="store_true", help="certificates of the models")
    p.add_argument("--tables", action="store_true", help="only print the tables of --out")
    a = p.parse_args()
    if not a.tables:
        if a.data is None:
            p.error("--data is needed")
        measure(a)
    tables(a)


if __name__ == "__main__":
    sys.exit(main())
