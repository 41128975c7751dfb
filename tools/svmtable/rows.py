"""Splits the text of a table into rows, and gives these by columns, some thousand values at a
time."""

import codecs
import csv
import itertools
import re

from .source import TableError

CELLS = 2000  # values at a time, about: few, so that they stay in the processor's cache
FEWEST_ROWS, MOST_CELLS = 32, 100000  # if there are many columns
LINE_LIMIT = 1 << 22  # characters
QUOTED_WORD = re.compile(r'"(?:[^"]|"")*"|\S+')
EXCEL_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # names the separator
SPACE = " "


def guess_separator(line):
    """The separator that the first line of a table suggests."""
    plain = re.sub(r'"[^"]*"', "x", line)
    for separator in ("\t", ";", ","):
        if separator in plain:
            return separator
    return SPACE if len(plain.split()) > 1 else ","


def describe_separator(separator):
    return {"\t": "a tab", SPACE: "white space"}.get(separator, '"%s"' % separator)


def without_runs(lines):
    """The lines with a tab for each run of white space."""
    for line in lines:
        yield "\t".join(QUOTED_WORD.findall(line) if '"' in line else line.split()) + "\n"


def checked_lines(text):
    """The lines of a text. Raises TableError if they are too long, or in another encoding."""
    number = 1
    readline = text.readline
    try:
        while True:
            line = readline(LINE_LIMIT)
            if not line:
                return
            if len(line) == LINE_LIMIT:
                raise TableError("a line of more than %d characters" % LINE_LIMIT, number)
            yield line
            number += 1
    except UnicodeDecodeError as error:
        number += error.object[:error.start].count(b"\n")
        begin = error.object[:2]
        other = "utf-16" if begin in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
        raise TableError("is not %s; name its encoding, such as --encoding %s" % (
            text.encoding.upper().replace("-SIG", ""), other), number) from None


class Rows:
    """The rows of an open table. Blank lines are skipped, except if there is only one column."""

    def __init__(self, text, separator=None):
        """separator: a character, SPACE for white space, or None to guess it."""
        self._line = 1  # where the next row begins
        self._fault = None  # what ends the rows
        lines = checked_lines(text)
        start = []  # the lines up to the first that is not blank
        for each in lines:
            start.append(each)
            if each.strip():
                break
        named = EXCEL_LINE.fullmatch(start[-1]) if start else None
        if named:
            start[-1] = "\n"  # which is skipped
        self.separator = separator or (named[1] if named else
                                       guess_separator(start[-1] if start else ""))
        lines = itertools.chain(start, lines)
        if self.separator == SPACE:
            lines = without_runs(lines)
        self._reader = csv.reader(
            lines, delimiter="\t" if self.separator == SPACE else self.separator, strict=True,
            skipinitialspace=True)
        self._pending = self._read(1, False)
        self.first_line, self.first = [each[0] if each else None for each in self._pending]

    def _read(self, count, is_single):
        """Returns (lines, rows): at most `count` rows and the lines in which they begin. A fault
        is raised only if no row precedes it."""
        lines, rows = [], []
        line, reader = self._line, self._reader
        try:
            for row in reader:
                if row or is_single:
                    lines.append(line)
                    rows.append(row or [""])
                line = reader.line_num + 1
                if len(rows) == count:
                    break
        except csv.Error as error:
            self._fault = TableError("no valid row: %s%s" % (
                error, "; is a quotation mark not closed?" if "end" in str(error) or
                "limit" in str(error) else ""), line)
        except TableError as error:
            self._fault = error
        if self._fault and not rows:
            raise self._fault
        self._line = line
        return lines, rows

    def skip_first(self):
        """Takes the first row for a header."""
        self._pending = [], []

    def blocks(self, width):
        """Yields (lines, columns) for some rows at a time. lines: where each of them begins.
        width: the number of columns that all rows must have."""
        count = max(1, CELLS // width, min(FEWEST_ROWS, MOST_CELLS // width))
        lines, rows = self._pending
        while True:
            if self._fault:
                raise self._fault
            more_lines, more_rows = self._read(count, width == 1)
            lines, rows = lines + more_lines, rows + more_rows
            if not rows:
                return
            if set(map(len, rows)) != {width}:
                good = next(k for k, row in enumerate(rows) if len(row) != width)
                if good:
                    yield lines[:good], list(zip(*rows[:good]))
                raise TableError("%d fields, but the first row has %d (separator: %s)" % (
                    len(rows[good]), width, describe_separator(self.separator)), lines[good])
            yield lines, list(zip(*rows))
            lines, rows = [], []
