#!/usr/bin/env python3
"""Measures how a search of many points scales with the number of concurrent tasks on one machine.

  bench/cluster.py --data FILE [--every 8] [--bin build] [--engine parallel|slurm] [--workers 1,2]
                   [--values 20,20] [--repeat 3] [--options "-a smo"] [--out results.csv]

FILE is a data set, plain or compressed by xz, of which every n-th row is used.  The search is
tools/grid.py with that many values of C (from 2^-5 up) and of gamma (from 2^3 down), and one task of
one thread for each gamma.  The numbers of workers take turns; the table has the median and the
minimum of the times, the speedups over the first number of workers, and their share of the ideal
speedup.  Before each search, as many copies of svm-grid as workers run side by side on one gamma:
`machine` is the share of the ideal speedup that these reach, that is, what other programs and the
memory leave.  Slurm is started by tests/tools/slurm_node.py, which needs munge and slurm-wlm.
Standard library only.
"""
import argparse, contextlib, csv, lzma, os, pathlib, shlex, statistics, subprocess, sys
import tempfile, time

from common import children_cpu

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def prepare(path, every, work):
    text = lzma.open(path, "rt") if path.suffix == ".xz" else open(path)
    with text, open(work / "data", "w") as part:
        part.writelines(line for row, line in enumerate(text) if row % every == 0)


def together(commands, work):
    """Elapsed seconds of programs that run side by side."""
    begin = time.monotonic()
    running = [subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL)
               for command in commands]
    if any([process.wait() for process in running]):
        sys.exit("failed: " + " ".join(map(str, commands[0])))
    return time.monotonic() - begin


def engine_options(arguments, workers, work):
    if arguments.engine == "parallel":
        (work / "machines").write_text("%d/:\n" % workers)
        return ["--parallel", "machines"]
    return ["--slurm=--cpus-per-task=1 --array=0-%d%%%d" % (arguments.values[1] - 1, workers)]


def search(arguments, workers, work):
    """Elapsed and processor seconds; checks that all points are there."""
    count_c, count_g = arguments.values
    out = work / "points.out"
    begin = time.monotonic(), children_cpu()
    run = subprocess.run(
        [sys.executable, SOURCE / "tools/grid.py", "-svmtrain", arguments.bin / "svm-train",
         "-gnuplot", "null", "-png", "null", "-out", out, "-log2c", "-5,%d,1" % (count_c - 6),
         "-log2g", "3,%d,-1" % (4 - count_g), "--threads", "1",
         *engine_options(arguments, workers, work), *shlex.split(arguments.options), "data"],
        cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
    end = time.monotonic(), children_cpu()
    if run.returncode:
        sys.exit(run.stderr)
    lines = out.read_text().splitlines()
    assert len(lines) == len(set(lines)) == count_c * count_g
    return end[0] - begin[0], end[1] - begin[1], sorted(lines)


def one_node(folder):
    sys.path.append(str(SOURCE / "tests" / "tools"))
    import slurm_node
    if slurm_node.missing():
        sys.exit("Slurm is not installed: no " + ", ".join(slurm_node.missing()))
    return slurm_node.Node(folder)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--bin", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--engine", choices=("parallel", "slurm"), default="parallel")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--values", default="20,20")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--options", default="-a smo")
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    arguments.values = [int(count) for count in arguments.values.split(",")]
    counts = [int(count) for count in arguments.workers.split(",")]
    with contextlib.ExitStack() as stack:
        work = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        prepare(arguments.data, arguments.every, work)
        if arguments.engine == "slurm":
            stack.enter_context(one_node(str(work / "slurm")))
        table = csv.writer(arguments.out)
        table.writerow(["workers", "elapsed", "cpu", "copies", "load before"])
        one_gamma = [arguments.bin / "svm-grid", "-q", "-log2c",
                     "-5,%d,1" % (arguments.values[0] - 6), "-log2g", "-3,-3,1", "-out",
                     "null", "-png", "null", "--threads", "1", *shlex.split(arguments.options), "data"]
        elapsed, copies = ({count: [] for count in counts} for _ in range(2))
        rates = None
        for _ in range(arguments.repeat):
            for count in counts:
                load = os.getloadavg()[0]
                copies[count].append(together([one_gamma] * count, work))
                seconds, used, lines = search(arguments, count, work)
                elapsed[count].append(seconds)
                if rates not in (None, lines):
                    sys.exit("the rates depend on the number of workers")
                rates = lines
                table.writerow([count, "%.2f" % seconds, "%.2f" % used,
                                "%.2f" % copies[count][-1], "%.2f" % load])
                arguments.out.flush()
    table.writerow(["workers", "of all runs", "seconds", "speedup", "of ideal", "machine"])
    first = counts[0]
    for name, of in ("median", statistics.median), ("least", min):
        for count in counts:
            speedup = of(elapsed[first]) / of(elapsed[count])
            machine = of(copies[first]) / of(copies[count])
            table.writerow([count, name, "%.2f" % of(elapsed[count]), "%.3f" % speedup,
                            "%.3f" % (speedup * first / count), "%.3f" % machine])


if __name__ == "__main__":
    main()
