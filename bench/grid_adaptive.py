#!/usr/bin/env python3
"""Compares an adaptive grid search with the full one.

  bench/grid_adaptive.py --data FOLDER [--bin build] [--sets a8a,housing_scale] [--threads 2]
                         [--solver csmo] [--cold] [--judge smo] [--out results.csv]

FOLDER holds the data sets as NAME.xz or NAME; of large ones every n-th row is taken.  Both searches
have grid.py's grid, C = 2^-5, 2^-3 ... 2^15 and gamma = 2^-15, 2^-13 ... 2^3, 5 folds, and
--warm-start unless --cold is given.

A row of the table: points solved of all, processor seconds, C, gamma and rate of the best point.
"worse" marks a best point of the adaptive search whose rate in the full search is below the best
rate (or its error above): with a warm start the same point may have another rate in the last rows,
as it depends on the points before; --cold has no such difference, and there the rates that the two
searches print must be the same.  --judge smo searches the full grid by that solver, too, without
--warm-start, and adds its best point and rate, and its rates at the best points of the two searches.
Exits with status 1 if a data set is worse.  Standard library only.
"""
import argparse, csv, pathlib, subprocess, sys, tempfile

from common import children_cpu, prepare, rates_of

# Every n-th row, and options.
SETS = {
    "a8a": (5, []),
    "ijcnn1": (10, []),
    "letter.scale": (5, []),
    "segment.scale": (1, []),
    "dna.scale": (1, []),
    "splice": (1, []),
    "german.numer": (1, []),
    "diabetes_scale": (1, []),
    "covtype_976": (1, []),
    "vehicle.scale": (1, []),
    "abalone_scale": (2, ["-s", "3"]),
    "housing_scale": (1, ["-s", "3"]),
}


def search(program, options, path, work):
    out = work / "points.out"
    command = [program, "-png", "null", "-q", "-out", out, *options, path]
    before = children_cpu()
    last = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.split()
    used = children_cpu() - before
    rates = {(2.0**c, 2.0**g): rate for (c, g), rate in rates_of(out).items()}
    c, g, rate = map(float, last)
    return rates, used, (c, g), rate


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--solver", default="csmo")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--judge")
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    table = csv.writer(arguments.out)
    table.writerow(["set", "rows", "points", "solved", "cpu full", "cpu adaptive", "best full",
                    "rate", "best adaptive", "rate", "full's rate there", "verdict",
                    *(["best of the judge", "rate", "at best full", "at best adaptive"]
                      if arguments.judge else [])])
    threads = ["--threads", str(arguments.threads)]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in arguments.sets.split(","):
            path = prepare(arguments.data, work, name, SETS.get(name, (1, []))[0])
            kind = SETS.get(name, (1, []))[1]
            options = ["-a", arguments.solver, *threads, *kind]
            if not arguments.cold:
                options.append("--warm-start")
            is_error = "-s" in options
            rows = len(path.read_text().splitlines())
            program = arguments.bin / "svm-grid"
            full = search(program, options, path, work)
            part = search(program, options + ["--search", "adaptive"], path, work)
            found = part[3] if arguments.cold else full[0][part[2]]
            worse = found > full[3] if is_error else found < full[3]
            failed |= worse
            judged = []
            if arguments.judge:
                rates, _, best, rate = search(program, ["-a", arguments.judge, *threads, *kind], path,
                                              work)
                judged = ["%g %g" % best, rate, rates[full[2]], rates[part[2]]]
            table.writerow([name, rows, len(full[0]), len(part[0]), "%.2f" % full[1],
                            "%.2f" % part[1], "%g %g" % full[2], full[3], "%g %g" % part[2],
                            part[3], full[0][part[2]], "worse" if worse else "same", *judged])
            arguments.out.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
