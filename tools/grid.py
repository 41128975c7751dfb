#!/usr/bin/env python3
"""Searches C and gamma on a grid by cross validation."""

import contextlib
import os
import signal
import subprocess
import sys

from svmgrid import cluster, files, local, outfile, picture, programs, signals
from svmgrid.options import USAGE, Options

__all__ = ["find_parameters"]

# Workers: here (None: one for each processor), and on other machines by ssh.
nr_local_worker = None
ssh_workers = []
telnet_workers = []

PATIENCE = 20  # seconds that svm-grid has to end


class Record:
    """The finished points: printed, in the .out file, and in memory. -resume starts with some."""

    def __init__(self, options, grid):
        self.grid = grid
        self.rates = {}
        self.best = None
        self.skipped = set()  # points that svm-grid chose to leave out
        self.comments = set()
        self.elsewhere = set()  # points with a line in a file other than the .out file
        resumed = outfile.Content(options.resume, grid.names) if options.resume else None
        self.out = outfile.OutFile(options.out, grid.names, options.resume is not None)
        if self.out.fault:
            print("WARNING: a second search with this -out file will go unnoticed: " +
                  self.out.fault, file=sys.stderr, flush=True)
        if resumed:
            self.comments.update(resumed.comments)
            for point, rates in resumed.rates.items():
                self.add("resumed", point, rates[-1], write=False)
            if options.out is None or os.path.realpath(options.out) != os.path.realpath(
                    options.resume):
                self.elsewhere.update(self.rates, self.skipped)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.out.close()

    def add(self, worker, point, rate, write=True):
        """Records a finished point. worker: the name of what computed it."""
        if write:
            self.out.add(point, rate)
        self.rates[point] = rate
        if self.best is None or self.grid.better((point, rate), self.best):
            self.best = (point, rate)
        best = self.grid.values(self.best[0]).items()
        print("[%s] %s %s (best %s, rate=%s)" % (
            worker, " ".join(map(str, point)), rate,
            ", ".join("%s=%s" % item for item in best), self.best[1]), flush=True)

    def add_comment(self, line):
        """Writes a comment, once."""
        if line not in self.comments:
            self.comments.add(line)
            self.out.add_line(line)

    def fill(self, results):
        """Records what a generator yields, and always closes the generator."""
        with contextlib.closing(results):
            for worker, point, rate in results:
                self.add(worker, point, rate)

    def missing(self, points):
        """The points that are not finished."""
        return [point for point in points
                if point not in self.rates and point not in self.skipped]


def answer(values, rate):
    """Prints the last line and returns the result of find_parameters."""
    print(" ".join(map(str, [*values.values(), rate])), flush=True)
    return rate, values


def end(process, reason):
    """Ends svm-grid so that it can clean up. Ctrl-C reaches svm-grid by itself, and a second
    interrupt would kill it."""
    is_interrupt = isinstance(reason, KeyboardInterrupt) or (
        isinstance(reason, SystemExit) and reason.code == 128 + signal.SIGINT)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if number != signal.SIGINT or not is_interrupt:
            process.send_signal(number)
        try:
            process.wait(PATIENCE)
            return
        except subprocess.TimeoutExpired:
            pass


def search_with_svm_grid(svm_grid, options):
    """Leaves all work to svm-grid, which prints and writes what this program would."""
    command = [svm_grid, *options.for_svm_grid]
    if nr_local_worker and options.threads is None:
        command += ["--threads", str(nr_local_worker)]
    process = None
    last = ""
    try:
        with signals.held():
            process = subprocess.Popen([*command, options.dataset], stdout=subprocess.PIPE,
                                       universal_newlines=True, errors="replace")
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line
    except BaseException as reason:
        if process:
            end(process, reason)
        raise
    status = process.wait()
    if status != 0:
        raise RuntimeError("svm-grid failed: " + (
            "exit status %d" % status if status > 0 else "signal %d" % -status))
    try:
        *values, rate = [float(word) for word in last.split()]
    except ValueError:
        raise RuntimeError("svm-grid failed: it printed no best point") from None
    return rate, dict(zip(options.grid().names, values))


def finish(options, record):
    """Draws the picture and returns the result."""
    if options.gnuplot and options.png:
        picture.draw(options.gnuplot, record.grid, record.rates, options.dataset, options.png)
    best = record.grid.best(record.rates)
    if best is None:
        raise RuntimeError("no point has a rate")
    point, rate = best
    return answer(record.grid.values(point), rate)


def search_by_points(options, hosts):
    """Runs svm-train for each point, here and on the hosts."""
    if options.grid_only:
        raise OSError("option %s needs svm-grid, which is not beside %s" %
                      (options.grid_only[0], options.svm_train))
    grid = options.grid()

    def command(point):
        return [options.svm_train, *grid.arguments(point), "-v", options.folds, *options.train,
                options.dataset]

    workers = options.threads or nr_local_worker or os.cpu_count() or 1
    with Record(options, grid) as record:
        record.fill(local.Search(record.missing(grid.points()), command, workers, hosts).results())
        return finish(options, record)


def search_by_cluster(options):
    """Runs the gammas of the grid as tasks of Slurm or GNU Parallel."""
    grid = options.grid()
    for word in ("--refine", "--model"):
        if word in options.grid_only:
            raise ValueError("%s needs the whole grid at once: not with --slurm or --parallel" % word)
    search = cluster.Search(options, grid)
    with search.locked(), Record(options, grid) as record:
        record.fill(search.results(record))
        return finish(options, record)


def find_parameters(dataset_pathname, options=""):
    """Returns (rate, {'c': C, 'g': gamma}). options: command line options, a string or a list."""
    words = options.split() if isinstance(options, str) else options
    options = Options(dataset_pathname, [str(word) for word in words])
    if telnet_workers:
        raise ValueError("telnet is not supported: use ssh_workers or --ssh")
    if options.slurm is not None or options.parallel is not None:
        return search_by_cluster(options)
    hosts = options.ssh or ssh_workers
    svm_grid = None if hosts else programs.find_svm_grid(options.svm_train)
    if svm_grid:
        return search_with_svm_grid(svm_grid, options)
    return search_by_points(options, hosts)


def main(arguments):
    """Returns the exit status."""
    if not arguments or arguments in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0 if arguments else 1

    signals.install()
    try:
        find_parameters(arguments[-1], arguments[:-1])
    except BrokenPipeError:  # as in `... | head`: nobody reads the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, ValueError) as error:
        print(files.describe(error), file=sys.stderr)
        print('Try "grid.py" for more information.', file=sys.stderr)
        return 1
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
