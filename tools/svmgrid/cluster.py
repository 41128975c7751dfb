"""Runs the gammas of a grid as tasks of Slurm or of GNU Parallel.

A task is this grid.py for one gamma, on a machine that shares the folders. It appends to a results
file of its own, and that file alone tells whether the task did its work.
"""

import contextlib
import glob
import os
import shlex
import shutil
import sys
import time

from . import files, merge, outfile, signals
from .engines import Parallel, Slurm, quote, say

ROUNDS = 2  # a task that fails is tried once more
POLL_SECONDS = 0.5
LATE_SECONDS = 20  # a network file system may show a finished file late

TASK = """#!/bin/sh
# sh task ROW: one gamma of a grid
exec >{folder}/row-"$1".log 2>&1
cd {here} || exit
row=$1
case $row in
{gammas}
esac
out={folder}/row-$row.out
touch "$out" || exit
python={python}
[ -x "$python" ] || python=python3
{threads}
[ ! -e {folder}/cancelled ] || exit 1
"$python" {command} $threads "$@" -out "$out" -resume "$out" {tail}
status=$?
echo $status >{folder}/row-$row.status
exit $status
"""


def number_range(values):
    """The number as text for -log2c, without loss."""
    return "null" if values is None else ",".join(map(repr, values))


def reports_success(path):
    """Whether this file has a task's exit status 0."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip() == "0"
    except OSError:
        return False


class Row:
    """The points of one gamma."""

    def __init__(self, number, gamma, points):
        self.number = number
        self.gamma = gamma
        self.points = points

    def __str__(self):
        return "the row" if self.gamma is None else "log2g=%s" % self.gamma


def rows_of(grid):
    """The rows in the order in which they are submitted: the largest gamma first. On most data the
    smallest gammas take the least time, and with short tasks at the end no machine waits long."""
    if "g" not in grid.names:
        return [Row(0, None, list(grid.points()))]
    place = grid.names.index("g")
    by_gamma = {}
    for point in grid.points():
        by_gamma.setdefault(point[place], []).append(point)
    return [Row(k, gamma, by_gamma[gamma])
            for k, gamma in enumerate(sorted(by_gamma, reverse=True))]


class Search:
    """All tasks of a search. The caller must hold locked()."""

    def __init__(self, options, grid):
        self.options = options
        self.grid = grid
        self.record = None
        self.sources = {}  # the results file of each point
        self.doubtful = set()  # points without a result because their file has several rates
        self.engine = Slurm(options) if options.slurm is not None else Parallel(options)
        if shutil.which(self.engine.program) is None:
            raise OSError("%s executable not found" % self.engine.program)
        self.rows = rows_of(grid)
        self.base = os.path.abspath(self.name_of(options)) + ".rows"

    @staticmethod
    def name_of(options):
        """The name from which the folder of the tasks is derived. Two searches cannot share it."""
        if options.out is None or files.is_other_than_a_file(options.out):
            return os.path.basename(options.dataset)
        return options.out

    @contextlib.contextmanager
    def locked(self):
        """Keeps other searches from the folder of the tasks."""
        os.makedirs(self.base, exist_ok=True)
        path = os.path.join(self.base, "lock")
        try:
            with open(path, "a", encoding="ascii") as file:
                outfile.lock(file, self.name_of(self.options))
                try:
                    yield
                finally:
                    if os.path.exists(path):
                        os.remove(path)
        finally:
            with contextlib.suppress(OSError):
                os.rmdir(self.base)  # unless tasks are left

    def results(self, record):
        """Yields (worker, point, rate) as results arrive; the caller adds them to the record."""
        self.record = record
        merge.check_before(self.options, self.grid, record)
        yield from self.take_up()
        for attempt in range(ROUNDS):
            rows = self.unfinished()
            if not rows:
                break
            folder = self.prepare(rows)
            self.doubtful.clear()
            yield from self.run(folder, rows)
            self.report(folder, rows, attempt)
        left = self.unfinished()
        if left:
            merge.check_rows(self.options, self.grid, record, self.sources)
            raise RuntimeError("%d of %d tasks failed; -resume continues from here" %
                               (len(left), len(self.rows)))
        merge.check_after(self.options, self.grid, record, self.sources)
        shutil.rmtree(self.base, ignore_errors=True)

    def unfinished(self):
        return [row for row in self.rows if self.record.missing(row.points)]

    def awaited(self):
        """Points whose results may still arrive in a file."""
        return set(self.record.missing(self.grid.points())) - self.doubtful

    @staticmethod
    def row_files(folder):
        """The results files of the tasks."""
        return sorted(glob.glob(os.path.join(glob.escape(folder), "row-*.out")))

    def take_up(self):
        """Cancels the tasks of a search that was killed, and yields what they finished."""
        for folder in glob.glob(os.path.join(glob.escape(self.base), "run-*")):
            self.engine.end(None, folder)
            if self.options.resume is not None:
                yield from self.gather(folder, "resumed", False)
            else:
                shutil.rmtree(folder, ignore_errors=True)

    def prepare(self, rows):
        """Creates a folder for this run: a surviving task of an earlier one does no harm."""
        number = 1
        while True:
            folder = os.path.join(self.base, "run-%d" % number)
            try:
                os.makedirs(folder)
                break
            except FileExistsError:
                number += 1
        for row in rows:
            path = os.path.join(folder, "row-%d.out" % row.number)
            known = outfile.OutFile(path, self.grid.names, False)
            for point in row.points:
                if point in self.record.rates:
                    known.add(point, self.record.rates[point])
            known.close()
        with open(os.path.join(folder, "task"), "w", encoding="utf-8") as task:
            task.write(self.script(folder))
        return folder

    def script(self, folder):
        """Returns the script of a task, which runs in the current folder."""
        options = self.options
        gammas = "\n".join("%d) set -- -log2g %s ;;" % (
            row.number, "null" if row.gamma is None else number_range((row.gamma, row.gamma, 1)))
            for row in self.rows)
        program = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                               "grid.py")
        command = [program, "-svmtrain", options.svm_train, "-v", options.folds]
        for name in ("c", "p"):
            command += ["-log2" + name, number_range(options.ranges[name])]
        command += ["-gnuplot", "null", "-png", "null", *options.grid_only]
        tail = quote([*options.train, options.dataset])
        return TASK.format(folder=shlex.quote(folder), here=shlex.quote(os.getcwd()),
                           gammas=gammas, python=shlex.quote(sys.executable or "python3"),
                           command=quote(command), threads=self.engine.threads, tail=tail)

    def run(self, folder, rows):
        """Yields results until all tasks or the engine have ended. sbatch polls the job at growing
        intervals, so its end is not awaited if the tasks themselves report."""
        reports = [os.path.join(folder, "row-%d.status" % row.number) for row in rows]
        say("%s: %d tasks; their output is in %s" % (self.engine.name, len(rows), folder))
        process = None
        try:
            with signals.held():
                process = self.engine.start(folder, [row.number for row in rows])
            while process.poll() is None and not all(map(os.path.exists, reports)):
                time.sleep(POLL_SECONDS)
                yield from self.gather(folder, self.engine.name)
            yield from self.gather(folder, self.engine.name)
            if process.poll() and not self.engine.accepted(folder):
                self.show(os.path.join(folder, "errors"))
                raise RuntimeError(self.engine.program + " failed: exit status %d" %
                                   process.returncode)
            # Nothing failed, but a file of results may be late.
            well = process.poll() == 0 or all(map(reports_success, reports))
            late = time.monotonic() + (LATE_SECONDS if well else 0)
            while self.awaited() and time.monotonic() < late:
                time.sleep(POLL_SECONDS)
                yield from self.gather(folder, self.engine.name)
        finally:
            self.engine.end(process, folder, not self.unfinished())

    def gather(self, folder, worker, may_skip=True):
        """Yields what is new in the results files of the tasks, and takes over their comments.
        may_skip: whether a point that was skipped counts as finished."""
        wanted = {point for row in self.rows for point in row.points}
        for path in self.row_files(folder):
            content = outfile.Content(path, self.grid.names)
            for point, rates in content.rates.items():
                if point not in wanted or point in self.record.rates:
                    continue
                self.sources[point] = path
                if len(set(rates)) == 1:
                    yield worker, point, rates[0]
                else:
                    self.doubtful.add(point)
            if may_skip:
                for comment in content.comments:
                    self.record.add_comment(comment)
                self.record.skipped.update(content.skipped & wanted)

    def report(self, folder, rows, attempt):
        """Reports what failed, the reason as far as it is known, and what happens next."""
        failed = [row for row in rows if self.record.missing(row.points)]
        for row in failed:
            say("%s: the task for %s failed: %d of %d points are missing%s" % (
                self.engine.name, row, len(self.record.missing(row.points)), len(row.points),
                "; it is tried once more" if attempt + 1 < ROUNDS else ""))
            for name in ("row-%d.log" % row.number, "slurm-%d.log" % row.number):
                self.show(os.path.join(folder, name))
        if failed:
            self.show(os.path.join(folder, "errors"))
            self.engine.learn(folder)

    @staticmethod
    def show(path):
        """Prints the last lines of a file, if it exists."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = [line.rstrip() for line in file if not line.startswith("[")]
        except OSError:
            return
        for line in lines[-5:]:
            say("    " + line[:200])
