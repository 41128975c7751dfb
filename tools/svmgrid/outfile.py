"""The .out file: a line for each finished point."""

import os
import re

FIELD = re.compile(r"(log2[cgp]|rate)=(\S+)")


def parse_line(line, names):
    """(point, rate), or None for a line that is not one of a search for these parameters."""
    try:
        fields = {name: float(text) for name, text in FIELD.findall(line)}
    except ValueError:
        return None
    rate = fields.pop("rate", None)
    if rate is None or rate != rate or set(fields) != {"log2" + name for name in names}:
        return None
    return tuple(fields["log2" + name] for name in names), rate


def format_line(point, rate, names):
    """The line that parse_line reads, without its line end."""
    words = ["log2%s=%s" % pair for pair in zip(names, point)]
    return " ".join(words + ["rate=%s" % rate])


def read(path, names):
    """The finished points in the order of the file. A last line without line end was cut off by
    a kill, perhaps within the number, and is ignored."""
    with open(path, encoding="ascii", errors="replace", newline="") as file:
        text = file.read()
    complete = text[:text.rfind("\n") + 1]
    parsed = (parse_line(line, names) for line in complete.splitlines())
    return dict(item for item in parsed if item is not None)


class OutFile:
    """Appends lines; each is in the file when add returns. path may be None."""

    def __init__(self, path, names, keep):
        self.names = names
        self.file = None
        if path is None:
            return
        if keep and os.path.exists(path):
            drop_partial_line(path)
        self.file = open(path, "a" if keep else "w", encoding="ascii")

    def add(self, point, rate):
        if self.file:
            self.file.write(format_line(point, rate, self.names) + "\n")
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
