"""Runs one svm-train per point, on this machine and over ssh."""

import collections
import contextlib
import math
import os
import queue
import re
import shlex
import subprocess
import sys
import threading

RATE = re.compile(r"Cross Validation (?:Accuracy|Mean squared error) = ([^\s%]+)")
ATTEMPTS = 2
WAKE_SECONDS = 0.5
SSH_FAILED = 255


class PointFailed(Exception):
    """svm-train printed no rate."""


class WorkerFailed(Exception):
    """The machine cannot be used."""


def read_rate(output):
    """Returns the rate in the output of svm-train, or None."""
    found = RATE.search(output)
    try:
        rate = float(found.group(1)) if found else math.nan
    except ValueError:
        return None
    return rate if math.isfinite(rate) else None


class Worker(threading.Thread):
    """A worker that takes points from the search until none is left."""

    def __init__(self, search, name, environment=None):
        super().__init__(daemon=True)
        self.search = search
        self.worker = name
        self.environment = environment
        self.process = None

    def command(self, point):
        return self.search.command(point)

    def run(self):
        while True:
            point = self.search.next_point()
            if point is None:
                return
            try:
                rate = self.train(point)
            except PointFailed as failure:
                self.search.failed(point, str(failure))
            except (WorkerFailed, OSError) as failure:
                self.search.lost(self, point, str(failure))
                return
            except Exception as failure:  # otherwise the search would wait for the point forever
                self.search.done.put((self.worker, point, failure))
                return
            else:
                self.search.done.put((self.worker, point, rate))

    def train(self, point):
        with self.search.lock:  # so that stop sees every process that was started
            if self.search.stopped:
                raise PointFailed("stopped")
            self.process = subprocess.Popen(
                self.command(point), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, universal_newlines=True, errors="replace",
                env=self.environment)
        output, errors = self.process.communicate()
        status = self.process.returncode
        self.check(status, errors)
        rate = read_rate(output)
        if status == 0 and rate is not None:
            return rate
        raise PointFailed(describe(" ".join(self.search.command(point)), status, errors))

    def check(self, status, errors):
        """Raises WorkerFailed if the worker failed and not svm-train."""


class SshWorker(Worker):
    """A worker on another machine, which must share the folders and log in without password."""

    def command(self, point):
        command = " ".join(shlex.quote(word) for word in self.search.command(point))
        there = "cd %s && exec %s" % (shlex.quote(os.getcwd()), command)
        return ["ssh", "-x", "-o", "BatchMode=yes", self.worker, there]

    def check(self, status, errors):
        if status in (SSH_FAILED, 126, 127):
            raise WorkerFailed(errors.strip() or "ssh: status %d" % status)


def describe(command, status, errors):
    """Returns what failed, with its error output."""
    how = "exit status %d" % status if status > 0 else "signal %d" % -status
    if status == 0:
        how = "it printed no rate"
    return "\n".join(["%s failed: %s" % (command, how)] + errors.strip().splitlines()[-5:])


class Search:
    """All points of a search."""

    def __init__(self, points, command, local, hosts):
        """command: maps a point to words; local: number of local workers; hosts: names for ssh."""
        self.waiting = collections.deque(points)
        self.command = command
        self.attempts = collections.Counter()
        self.remaining = len(self.waiting)
        self.done = queue.Queue()
        self.lock = threading.Condition()
        self.stopped = False
        local = min(local, self.remaining)
        # Workers share the processors.
        environment = dict(os.environ)
        if local > 1:
            environment.setdefault("SVM_NUM_THREADS", "1")
        self.workers = [Worker(self, "local", environment) for _ in range(local)]
        self.workers += [SshWorker(self, host) for host in hosts]
        self.alive = len(self.workers)

    def results(self):
        """Yields (worker, point, rate) as points are finished."""
        try:
            for worker in self.workers:
                worker.start()
            while self.remaining:
                worker, point, result = self.next_result()
                if isinstance(result, Exception):
                    raise result
                if worker is None:
                    print(result, flush=True, file=sys.stderr)
                    continue
                self.remaining -= 1
                yield worker, point, result
        finally:
            self.stop()

    def next_result(self):
        """Waits for a message of a worker. A signal may reach a worker's thread, which does not
        wake this one, so it looks for signals from time to time."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self.done.get(timeout=WAKE_SECONDS)

    def next_point(self):
        """For workers: the next point, or None. Waits while points in progress could come back."""
        with self.lock:
            while not self.waiting and not self.stopped:
                self.lock.wait()
            return None if self.stopped else self.waiting.popleft()

    def put_back(self, point):
        self.waiting.appendleft(point)
        self.lock.notify_all()

    def failed(self, point, message):
        with self.lock:
            if self.stopped:
                return
            self.attempts[point] += 1
            if self.attempts[point] < ATTEMPTS:
                self.put_back(point)
                return
        self.done.put((None, point, RuntimeError(message)))

    def lost(self, worker, point, message):
        with self.lock:
            if self.stopped:
                return
            self.alive -= 1
            self.put_back(point)
        self.done.put((None, point, "%s\nworker %s quit." % (message, worker.worker)))
        if self.alive == 0:
            self.done.put((None, point, RuntimeError("no worker is left")))

    def stop(self):
        """Ends the programs that still run."""
        with self.lock:
            self.stopped = True
            self.waiting.clear()
            self.lock.notify_all()
            for worker in self.workers:
                if worker.process and worker.process.poll() is None:
                    worker.process.terminate()
