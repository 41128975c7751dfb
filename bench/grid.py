#!/usr/bin/env python3
"""A grid search: svm-grid against one svm-train -v per point, ours and a peer's.

  bench/grid.py --data FOLDER --peer svm-train [--bin build] [--sets a8a,ijcnn1,letter.scale]
                [--threads 2] [--ways cold,warm,points,peer] [--sample 1] [--check]
                [--out results.csv]

FOLDER holds the data sets as NAME.xz or NAME.  The grid has 9 values of C (2^-5 ... 2^11) and 5 of
gamma (2^-7 ... 2^1), with 5 folds.  Ways: cold is svm-grid -a smo, warm is -a csmo --warm-start,
points is our svm-train -v per point, peer the peer's; the last two run as many points at a time as
there are threads.  --sample n takes every n-th point of these two and scales their time to all
points.  --check compares the rates of cold with those of points, and the best points.  Standard
library only.
"""
import argparse, concurrent.futures, csv, lzma, os, pathlib, resource, subprocess, sys, tempfile
import time

EVERY = {"a8a": 5, "ijcnn1": 10, "letter.scale": 5}
C = range(-5, 12, 2)
G = range(-7, 2, 2)


def prepare(folder, work, name):
    packed = folder / (name + ".xz")
    text = (lzma.decompress(packed.read_bytes()) if packed.exists() else
            (folder / name).read_bytes()).decode()
    path = work / name
    path.write_text("".join(text.splitlines(True)[::EVERY.get(name, 1)]))
    return path


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def grid_run(program, options, path, work):
    out = work / "points.out"
    command = [program, "-log2c", "-5,11,2", "-log2g", "-7,1,2", "-v", "5", "-png", "null", "-q",
               "-out", out, *options, path]
    begin = time.monotonic(), cpu()
    last = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.split()
    end = time.monotonic(), cpu()
    rates = {}
    for line in out.read_text().splitlines():
        c, g, rate = [float(word.split("=")[1]) for word in line.split()]
        rates[c, g] = rate
    return rates, last, end[0] - begin[0], end[1] - begin[1]


def point_runs(program, options, path, at_once, points):
    def one(point):
        command = [program, "-q", "-v", "5", "-c", repr(2.0**point[0]), "-g", repr(2.0**point[1]),
                   *options, path]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=True, universal_newlines=True).stdout
        return point, float(text.split()[-1].rstrip("%"))

    begin = time.monotonic(), cpu()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        rates = dict(pool.map(one, points))
    end = time.monotonic(), cpu()
    return rates, end[0] - begin[0], end[1] - begin[1]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--peer", default="svm-train")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sets", default=",".join(EVERY))
    parser.add_argument("--ways", default="cold,warm,points,peer")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    table = csv.writer(arguments.out)
    table.writerow(["set", "way", "points", "elapsed", "cpu", "best"])
    threads = ["--threads", str(arguments.threads)]
    points = [(float(c), float(g)) for g in G for c in C]
    some = points[::arguments.sample]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in arguments.sets.split(","):
            path = prepare(arguments.data, work, name)
            exact = {}
            for way in arguments.ways.split(","):
                if way in ("cold", "warm"):
                    options = ["-a", "smo"] if way == "cold" else ["-a", "csmo", "--warm-start"]
                    rates, best, elapsed, used = grid_run(arguments.bin / "svm-grid",
                                                          options + threads, path, work)
                    count = len(points)
                    if way == "cold":
                        exact = rates
                    elif arguments.check and exact:
                        worst = max(abs(rates[p] - exact[p]) for p in points)
                        print("%s: largest difference of a rate: %g" % (name, worst))
                else:
                    program, options = ((arguments.bin / "svm-train", ["--threads", "1"])
                                        if way == "points" else (arguments.peer, []))
                    rates, elapsed, used = point_runs(program, options, path, arguments.threads,
                                                      some)
                    count = len(some)
                    elapsed, used = (t * len(points) / count for t in (elapsed, used))
                    best = ""
                    if arguments.check and exact:
                        wrong = [p for p in some if rates[p] != exact[p]]
                        failed |= bool(wrong)
                        print("%s: %s: %d of %d rates differ %s" %
                              (name, way, len(wrong), count, wrong[:5]))
                table.writerow([name, way, count, "%.2f" % elapsed, "%.2f" % used,
                                " ".join(best)])
                arguments.out.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
