#!/usr/bin/env python3
"""Compares a grid search by svm-grid with one svm-train -v per point, ours and a peer's.

  bench/grid.py --data FOLDER --peer svm-train [--bin build] [--sets a8a,ijcnn1,letter.scale]
                [--threads 1,2] [--ways smo,csmo,warm,adaptive,points,peer] [--rounds 3]
                [--sample 1] [--memory MB] [--check] [--out results.csv]

FOLDER holds the data sets as NAME.xz or NAME.  The grid has 9 values of C (2^-5 ... 2^11) and 5 of
gamma (2^-7 ... 2^1), with 5 folds; that of covtype_4858, covtype_976 and noisy_5000_8, which is
generated, has 10 of each.  clusters_N_P are the data and the grid of TorchKM's table: 50 values of C,
one gamma, 10 folds.  Ways: smo is svm-grid -a smo, csmo likewise, warm adds --warm-start to that and
adaptive --search adaptive; points is our svm-train -v per point, peer the peer's: as many at a time
as there are threads; one is a single cross validation by the peer, in the middle of the grid.
Rounds alternate between the ways, and medians are reported.  --sample n takes every n-th point of
these two and scales their time to all points.  --check compares rates with those of smo, and fails if
those of points differ.  Standard library only.
"""
import argparse, concurrent.futures, csv, math, os, pathlib, statistics, subprocess, sys, tempfile, time

from common import children_cpu, prepare, rates_of

EVERY = {"a8a": 5, "ijcnn1": 10, "letter.scale": 5}
# The exponents of C and gamma: those of LIBSVM's grid.py but for its edges; of liquidSVM's sets,
# the ten of each that it searches itself.
GRID = ("-5,11,2", "-7,1,2")
LIQUID = ("-9.6,9.1,2.066", "5.1,-4.9,-1.1")
GRIDS = {"covtype_4858": LIQUID, "covtype_976": LIQUID, "noisy_5000_8": LIQUID}
WAYS = {"smo": ["-a", "smo"], "csmo": ["-a", "csmo"], "warm": ["-a", "csmo", "--warm-start"],
        "adaptive": ["-a", "csmo", "--warm-start", "--search", "adaptive"]}


def values(text):
    """Powers of two, summed up as in svm-grid and grid.py."""
    value, end, step = [float(number) for number in text.split(",")]
    found = []
    while value <= end if step > 0 else value >= end:
        found.append(value)
        value += step
    return found


def grid_of(name):
    """The ranges of a set, and its number of folds."""
    words = name.split("_")
    if words[0] != "clusters":
        return GRIDS.get(name, GRID), "5"
    # C = 1 / (2 N lambda), lambda = 10^3 ... 10^-3; gamma is the mean of the reciprocals of the
    # squared distances' quantiles 0.1 and 0.9, with 1000 features.
    first = -math.log2(2 * int(words[1]) * 1e3)
    gamma = -10.94 - math.log2(int(words[2]) / 1000)
    return ("%.4f,%.4f,0.4067" % (first, first + 19.9316), "%.4f,%.4f,1" % (gamma, gamma)), "10"


def grid_run(program, options, ranges, folds, path, work):
    """Rates by point, the best point, elapsed and processor seconds, megabytes."""
    out = work / "points.out"
    command = [str(word) for word in
               [program, "-log2c", ranges[0], "-log2g", ranges[1], "-v", folds, "-png", "null", "-q",
                "-out", out, *options, path]]
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, universal_newlines=True)
    last = child.stdout.read().splitlines()[-1].split()
    _, status, resources = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        raise RuntimeError("failed: " + " ".join(command))
    elapsed = time.monotonic() - begin
    return (rates_of(out), last, elapsed, resources.ru_utime + resources.ru_stime,
            resources.ru_maxrss / 1024)


def point_runs(program, options, folds, path, at_once, points):
    def one(point):
        command = [program, "-q", "-v", folds, "-c", repr(2.0**point[0]), "-g", repr(2.0**point[1]),
                   *options, path]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=True, universal_newlines=True).stdout
        return point, float(text.split()[-1].rstrip("%"))

    begin = time.monotonic(), children_cpu()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        rates = dict(pool.map(one, points))
    return rates, "", time.monotonic() - begin[0], children_cpu() - begin[1], 0


def rows_that_differ(rates, others, rows):
    """The number of points with another rate, and the largest difference in rows."""
    both = [point for point in rates if point in others]
    apart = [abs(rates[point] - others[point]) * rows / 100 for point in both]
    return (sum(rates[point] != others[point] for point in both),
            round(max(apart)) if apart else 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--peer", default="svm-train")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sets", default=",".join(EVERY))
    parser.add_argument("--ways", default="smo,csmo,warm,points,peer")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--memory", default="100")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    unknown = set(arguments.ways.split(",")) - {*WAYS, "points", "peer", "one"}
    if unknown:
        parser.error("unknown ways: " + ", ".join(sorted(unknown)))
    table = csv.writer(arguments.out)
    table.writerow(["set", "way", "threads", "points", "elapsed", "cpu", "megabytes", "best"])
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in arguments.sets.split(","):
            path = prepare(arguments.data, work, name, EVERY.get(name, 1))
            with path.open() as lines:
                rows = sum(1 for _ in lines)
            ranges, folds = grid_of(name)
            memory = ["-m", arguments.memory]
            points = [(c, g) for g in values(ranges[1]) for c in values(ranges[0])]
            some = points[::arguments.sample]

            def run(way, threads):
                if way in WAYS:
                    return grid_run(arguments.bin / "svm-grid",
                                    WAYS[way] + memory + ["--threads", threads], ranges, folds, path,
                                    work)
                if way == "one":
                    middle = points[len(points) // 2:][:1]
                    return point_runs(arguments.peer, memory, folds, path, 1, middle)
                program, options = ((arguments.bin / "svm-train", memory + ["--threads", "1"])
                                    if way == "points" else (arguments.peer, memory))
                found = list(point_runs(program, options, folds, path, int(threads), some))
                found[2:4] = [t * len(points) / len(some) for t in found[2:4]]
                return found

            kinds = [(way, threads) for way in arguments.ways.split(",")
                     for threads in arguments.threads.split(",")]
            runs = {kind: [] for kind in kinds}
            for _ in range(arguments.rounds):
                for kind in kinds:
                    runs[kind].append(run(*kind))
            exact = next((runs[kind][0][0] for kind in kinds if kind[0] == "smo"), {})
            for (way, threads), found in runs.items():
                rates, best = found[0][:2]
                numbers = [statistics.median(one[k] for one in found) for k in (2, 3, 4)]
                table.writerow([name, way, threads, len(rates), "%.2f" % numbers[0],
                                "%.2f" % numbers[1], "%.0f" % numbers[2], " ".join(best)])
                arguments.out.flush()
                if arguments.check and exact and way not in ("smo", "one"):
                    differ, most = rows_that_differ(rates, exact, rows)
                    print("%s: %s: %d of %d rates differ from smo's, by %d rows at most" %
                          (name, way, differ, len(rates), most))
                    failed |= way == "points" and differ > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
