"""Runs the gammas of a grid as tasks of Slurm or of GNU Parallel.

A task is this grid.py for one gamma, on a machine that shares the folders. It appends to a results
file of its own, and that file alone tells whether the task did its work.
"""

import glob
import os
import shlex
import shutil
import subprocess
import sys
import time

from . import files, outfile

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
"$python" {command} "$@" -out "$out" -resume "$out" {tail}
status=$?
echo $status >{folder}/row-$row.status
exit $status
"""


def say(message):
    print(message, file=sys.stderr, flush=True)


def quote(words):
    return " ".join(shlex.quote(word) for word in words)


def number_range(values):
    """The number as -log2c takes it, without loss."""
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

    def missing(self, rates):
        return [point for point in self.points if point not in rates]

    def __str__(self):
        return "the row" if self.gamma is None else "log2g=%s" % self.gamma


def rows_of(grid):
    """The rows in the order in which a search first comes to their gammas, so that a search that
    is stopped has covered the middle."""
    if "g" not in grid.names:
        return [Row(0, None, list(grid.points()))]
    place = grid.names.index("g")
    by_gamma = {}
    for point in grid.points():
        by_gamma.setdefault(point[place], []).append(point)
    return [Row(k, gamma, points) for k, (gamma, points) in enumerate(by_gamma.items())]


class Slurm:
    """Runs the tasks as a job array, which sbatch waits for."""

    name = "slurm"
    program = "sbatch"
    threads = ["--threads", '"${SLURM_CPUS_PER_TASK:-1}"']

    def __init__(self, options):
        self.words = options.slurm
        if options.threads:
            self.threads = ["--threads", str(options.threads)]

    def start(self, folder, numbers):
        task = "exec sh %s $SLURM_ARRAY_TASK_ID" % quote([os.path.join(folder, "task")])
        with open(os.path.join(folder, "job"), "wb") as job, \
                open(os.path.join(folder, "errors"), "wb") as errors:
            return subprocess.Popen(
                ["sbatch", "--parsable", "--wait", "--job-name=grid",
                 "--array=" + ",".join(map(str, numbers)),
                 "--output=" + os.path.join(folder, "slurm-%a.log"), *self.words,
                 "--wrap=" + task],
                stdin=subprocess.DEVNULL, stdout=job, stderr=errors)

    @staticmethod
    def accepted(folder):
        """Whether Slurm accepted the job."""
        return os.path.getsize(os.path.join(folder, "job")) > 0

    def learn(self, folder):
        """Does nothing: failing nodes are the administrator's business."""

    def end(self, process, folder, finished=False):
        """Stops waiting; unless everything is finished, cancels the tasks that wait or run."""
        if process and process.poll() is None:
            process.terminate()
            process.wait()
        if finished:
            return
        try:
            with open(os.path.join(folder, "job"), encoding="ascii") as file:
                job = file.readline().strip().partition(";")[0]
        except OSError:
            return
        if job:
            subprocess.run(["scancel", job], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)


class Parallel:
    """Runs one task at a time on each machine, with all of its processors."""

    name = "parallel"
    program = "parallel"
    threads = []

    def __init__(self, options):
        with open(options.parallel, encoding="utf-8") as file:
            self.logins = [line.strip() for line in file]
        if options.threads:
            self.threads = ["--threads", str(options.threads)]

    def start(self, folder, numbers):
        logins = os.path.join(folder, "logins")
        with open(logins, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in self.logins)
        with open(os.path.join(folder, "errors"), "wb") as errors:
            return subprocess.Popen(
                ["parallel", "--will-cite", "--jobs", "1", "--sshloginfile", logins,
                 "--joblog", os.path.join(folder, "joblog"), "sh",
                 shlex.quote(os.path.join(folder, "task")), "{}", ":::", *map(str, numbers)],
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)

    @staticmethod
    def accepted(folder):
        """Whether GNU Parallel accepted its command line."""
        return os.path.exists(os.path.join(folder, "joblog"))

    def learn(self, folder):
        """Drops machines on which everything failed: one that fails at once would get most of the
        tasks that are tried again."""
        worked = {}
        with open(os.path.join(folder, "joblog"), encoding="utf-8", errors="replace") as file:
            for line in list(file)[1:]:
                fields = line.split("\t")
                worked[fields[1]] = worked.get(fields[1], False) or fields[6] == "0"
        bad = [host for host, well in worked.items() if not well]
        good = [line for line in self.logins
                if not any(line == host or line.endswith(("/" + host, " " + host))
                           for host in bad)]
        if bad and any(line and not line.startswith("#") for line in good):
            say("parallel: no task worked on %s; going on without" % ", ".join(bad))
            self.logins = good

    def end(self, process, folder, finished=False):
        """The first signal stops new tasks, the second ends those that run."""
        if process is None:
            return
        for _ in range(0 if finished else 2):
            if process.poll() is None:
                process.terminate()
                time.sleep(0.2)
        process.wait()


class Search:
    """All tasks of a search. The caller must hold the lock on name_of(options)."""

    def __init__(self, options, grid):
        self.options = options
        self.grid = grid
        self.record = None
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

    def results(self, record):
        """Yields (worker, point, rate) as results arrive; the caller adds them to the record."""
        self.record = record
        yield from self.take_up()
        for attempt in range(ROUNDS):
            rows = self.unfinished()
            if not rows:
                break
            folder = self.prepare(rows)
            yield from self.run(folder, rows)
            self.report(folder, rows, attempt)
        left = self.unfinished()
        if left:
            raise RuntimeError("%d of %d tasks failed; -resume goes on from here" %
                               (len(left), len(self.rows)))
        shutil.rmtree(self.base, ignore_errors=True)

    def unfinished(self):
        return [row for row in self.rows if row.missing(self.record.rates)]

    def take_up(self):
        """Cancels the tasks of a search that was killed, and yields what they finished."""
        for folder in glob.glob(os.path.join(glob.escape(self.base), "run-*")):
            self.engine.end(None, folder)
            if self.options.resume is not None:
                yield from self.gather(folder, "resumed")
        if self.options.resume is None:
            shutil.rmtree(self.base, ignore_errors=True)

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
                           command=" ".join([quote(command), *self.engine.threads]), tail=tail)

    def run(self, folder, rows):
        """Yields results until all tasks or the engine have ended. sbatch polls the job at growing
        intervals, so its end is not awaited where the tasks themselves report."""
        reports = [os.path.join(folder, "row-%d.status" % row.number) for row in rows]
        say("%s: %d tasks; their output is in %s" % (self.engine.name, len(rows), folder))
        process = self.engine.start(folder, [row.number for row in rows])
        try:
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
            while self.unfinished() and time.monotonic() < late:
                time.sleep(POLL_SECONDS)
                yield from self.gather(folder, self.engine.name)
        finally:
            self.engine.end(process, folder, not self.unfinished())

    def gather(self, folder, worker):
        """Yields what is new in the results files of the tasks."""
        wanted = {point for row in self.rows for point in row.points}
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "row-*.out"))):
            for point, rate in outfile.read(path, self.grid.names).items():
                if point in wanted and point not in self.record.rates:
                    yield worker, point, rate

    def report(self, folder, rows, attempt):
        """Reports what failed, the reason as far as it is known, and what happens next."""
        failed = [row for row in rows if row.missing(self.record.rates)]
        for row in failed:
            say("%s: the task for %s failed: %d of %d points are missing%s" % (
                self.engine.name, row, len(row.missing(self.record.rates)), len(row.points),
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
