"""Checks that a .out file has each point of a search once, with the rate that was found."""

import os

from . import files, outfile

MOST_NAMED = 10


class Faults:
    """Collects faults, to be reported in one message."""

    def __init__(self, names):
        self.names = names
        self.lines = []

    def add(self, what, points):
        if not points:
            return
        named = ["(%s)" % outfile.format_point(point, self.names) for point in points[:MOST_NAMED]]
        if len(points) > MOST_NAMED:
            named.append("and %d more" % (len(points) - MOST_NAMED))
        self.lines.append("    %s: %s" % (what, ", ".join(named)))

    def add_content(self, path, content, record, points):
        """Adds points that are in a file twice, or with a rate other than the search's."""
        rates = {point: content.rates[point] for point in points if point in content.rates}
        self.add("twice in " + path, [point for point in rates if len(rates[point]) > 1])
        self.add("with another rate in " + path,
                 [point for point in rates
                  if {*rates[point]} != {record.rates.get(point, rates[point][0])}])

    def check(self, what, advice):
        """Raises RuntimeError if there are any."""
        if self.lines:
            raise RuntimeError("\n".join([what + ":", *self.lines, advice]))


def content_of(path, names):
    """The content of the file, or None if there is none that can be read again."""
    if path is None or files.is_other_than_a_file(path) or not os.path.exists(path):
        return None
    return outfile.Content(path, names)


def check_before(options, grid, record):
    """Checks a file from which a search resumes: its faults would surface only hours later."""
    if options.resume is None:
        return
    points = list(grid.points())
    faults = Faults(grid.names)
    resumed = content_of(options.resume, grid.names)
    if resumed:
        faults.add_content(options.resume, resumed, record, points)
    out = content_of(options.out, grid.names)
    if out:
        faults.add("in %s, but not in %s" % (options.out, options.resume),
                   [point for point in points
                    if point in out.rates and point not in record.rates])
    faults.check("the search cannot continue from " + options.resume,
                 "Leave one line of each point, and repeat the command")


def check_after(options, grid, record, sources):
    """Checks a search whose tasks are all finished. sources: the file of each point. What other
    files say about it does not count: a task that was given up may have continued."""
    points = list(grid.points())
    faults = Faults(grid.names)
    present = set(record.rates) | record.skipped
    if options.out is not None and not files.is_other_than_a_file(options.out):
        out = content_of(options.out, grid.names) or outfile.Content(os.devnull, grid.names)
        faults.add_content(options.out, out, record, points)
        present &= set(out.rates) | out.skipped | record.elsewhere
    faults.add("missing in %s" % (options.out or "the results"),
               [point for point in points if point not in present])
    check_rows(options, grid, record, sources, faults)


def check_rows(options, grid, record, sources, faults=None):
    """Checks what the tasks wrote. faults: those that are known already."""
    faults = faults or Faults(grid.names)
    points = list(grid.points())
    for path in sorted(set(sources.values())):
        content = content_of(path, grid.names)
        if content:
            faults.add_content(path, content, record,
                               [point for point in points if sources.get(point) == path])
    where = " from " + options.out if options.out else ""
    faults.check("the results of the tasks do not fit together", "Remove the lines that are wrong "
                 "or there twice%s; -resume computes what is missing" % where)
