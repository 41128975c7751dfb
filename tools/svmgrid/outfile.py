"""The .out file: a line for each finished point, and comments, among them one for each point that
svm-grid skipped."""

import math
import os
import re

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


class OutFile:
    """Appends lines; each is in the file when add returns. path may be None."""

    def __init__(self, path, names, keep):
        self.names = names
        self.file = None
        if path is None:
            return
        if keep and os.path.exists(path):
            drop_partial_line(path)
        self.file = open(path, "a" if keep else "w", encoding="ascii", errors="replace")

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
    if not os.path.isfile(path):
        return  # /dev/stdout and the like
    with open(path, "r+b") as file:
        text = file.read()
        end = text.rfind(b"\n") + 1
        if end < len(text):
            file.truncate(end)
