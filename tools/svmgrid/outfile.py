"""The .out file: a line for each finished point, and comments, among them one for each point that
svm-grid skipped."""

import math
import os
import re

from . import files

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

SKIPPED = re.compile(r"# ((?:log2[cgp]=\S+ )+)skipped\b")


def parse_fields(words, names):
    """The numbers of the words name=number, which must have these names in this order, or None."""
    if [word.partition("=")[0] for word in words] != names:
        return None
    try:
        numbers = tuple(float(word.partition("=")[2]) for word in words)
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def axes(names):
    return ["log2" + name for name in names]


def parse_line(line, names):
    """(point, rate), or None for a line that is not one of a search for these parameters."""
    numbers = parse_fields(line.split(), axes(names) + ["rate"])
    return numbers and (numbers[:-1], numbers[-1])


def parse_skipped(line, names):
    """The point that this comment says was skipped, or None."""
    found = SKIPPED.match(line)
    return parse_fields(found.group(1).split(), axes(names)) if found else None


def format_point(point, names):
    return " ".join("%s=%s" % pair for pair in zip(axes(names), point))


def format_line(point, rate, names):
    """The line that parse_line reads, without its line end."""
    return "%s rate=%s" % (format_point(point, names), rate)


class Content:
    """The content of a file. A last line without a line end was cut off by a kill, perhaps within
    the number, and is ignored.

    rates: all rates of each point, in the order of the file; comments: lines; skipped: the points
    that a comment says were skipped."""

    def __init__(self, path, names):
        with open(path, encoding="ascii", errors="replace", newline="") as file:
            text = file.read()
        self.rates = {}
        self.comments = []
        self.skipped = set()
        for line in text[:text.rfind("\n") + 1].splitlines():
            finished = parse_line(line, names)
            if finished:
                self.rates.setdefault(finished[0], []).append(finished[1])
            elif line.startswith("# "):
                self.comments.append(line)
                point = parse_skipped(line, names)
                if point:
                    self.skipped.add(point)


class Busy(RuntimeError):
    """Another search uses the file."""


def lock(file, name):
    """Locks an open file against other searches until it is closed, as programs/grid/results.cpp does.
    Returns why that is not possible, or None."""
    if fcntl is None:
        return "this system has no file locks"
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Busy("%s: in use by another search\nWait for its end, or give another -out file" %
                   name) from None
    except OSError as error:
        return "%s: %s" % (name, error.strerror)
    return None


class OutFile:
    """Appends lines; each is in the file when add returns. path may be None. The file is locked.

    fault: why a lock that is needed could not be taken, or None."""

    def __init__(self, path, names, keep):
        self.names = names
        self.file = None
        self.fault = None
        if path is None:
            return
        is_file = not files.is_other_than_a_file(path)
        self.file = open(path, "a" if keep or is_file else "w", encoding="ascii", errors="replace")
        if not is_file:
            return
        try:
            self.fault = lock(self.file, path)
        except Busy:
            self.file.close()
            raise
        if keep:
            drop_partial_line(path)
        else:
            self.file.truncate(0)

    def add(self, point, rate):
        self.add_line(format_line(point, rate, self.names))

    def add_line(self, line):
        if self.file:
            self.file.write(line + "\n")
            self.file.flush()

    def close(self):
        if self.file:
            self.file.close()


def drop_partial_line(path):
    """Cuts off what follows the last line end."""
    with open(path, "r+b") as file:
        text = file.read()
        end = text.rfind(b"\n") + 1
        if end < len(text):
            file.truncate(end)
