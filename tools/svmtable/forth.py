"""From a table to LIBSVM data."""

from . import header
from .columns import (REFUSED, REFUSED_LATER, CategoryColumn, LabelColumn, NumberColumn,
                      Numbers)
from .names import Column, Names
from .rows import Rows
from .source import Source, TableError
from .survey import Survey


class Zeros:
    """The label if there is none."""

    @staticmethod
    def encode(_, lines):
        return ["0"] * len(lines)


def open_rows(text, options):
    rows = Rows(text, options.separator)
    if rows.first is None:
        raise TableError("the table is empty")
    return rows


def survey(source, options):
    """Returns the Names of a table."""
    with source.open() as text:
        rows = open_rows(text, options)
        names = header.first_names(rows, options.header)
        dropped = {header.find(names, word, "--drop") for word in options.drops}
        header.check_names(names, dropped)
        label = header.choose_label(names, dropped, options)
        forced = {header.find(names, word, "--category") for word in options.categories}
        numbers = Numbers(options.decimal)
        surveys = {place: Survey(name, place == label, place in forced, numbers, options.missing)
                   for place, name in enumerate(names) if place not in dropped}
        if len(surveys) == (label is not None):
            raise TableError("no column is left for features; " + header.listed(names))
        is_empty = True
        for lines, columns in rows.blocks(len(names)):
            is_empty = False
            faults = Faults()
            for place, each in surveys.items():
                faults.run(each.learn, columns[place], lines)
            faults.check()
            if not any(each.wants_more for each in surveys.values()):
                break
    if is_empty:
        raise TableError("there are no rows below the names of the columns")
    columns, feature = [], 1
    for place, name in enumerate(names):
        columns.append(surveys[place].result(feature) if place in surveys else
                       Column(name, "dropped"))
        feature = max(columns[-1].features, default=feature - 1) + 1
    return Names(columns, options.header is not False)


class Faults:
    """Collects the faults of columns, of which the first in the file is reported."""

    def __init__(self):
        self._first = None

    def run(self, function, *arguments):
        try:
            return function(*arguments)
        except TableError as fault:
            if self._first is None or fault.line < self._first.line:
                self._first = fault
            return ()

    def check(self):
        if self._first is not None:
            raise self._first


def encoder(column, options, warn):
    """What encodes the values of a Column."""
    numbers = Numbers(options.decimal)
    refusal = REFUSED if options.restore is None else REFUSED_LATER
    if column.kind == "number":
        return NumberColumn(column.name, column.feature, numbers, column.missing, refusal)
    if column.kind == "category":
        return CategoryColumn(column.name, column.values, column.missing, refusal,
                              warn if options.unknown == "zero" else None)
    return LabelColumn(column.name, column.values, numbers)


def convert(source, names, options, write, warn):
    """Writes the table as LIBSVM data. names: of this table or, with -r, of another."""
    with source.open() as text:
        rows = open_rows(text, options)
        places = header.match(rows, names, options)
        label = None if options.no_label else names.label
        encoders = [(Zeros(), 0)]
        for column, place in zip(names.columns, places):
            if column is label:
                encoders[0] = (encoder(column, options, warn), place)
            elif column.kind in ("number", "category"):
                encoders.append((encoder(column, options, warn), place))
        for lines, columns in rows.blocks(len(rows.first)):
            faults = Faults()
            pieces = [faults.run(each.encode, columns[place], lines) for each, place in encoders]
            faults.check()
            write(("\n".join(map("".join, zip(*pieces))) + "\n").encode("ascii"))


def table_to_data(options, new_files, warn):
    """Converts options.input. new_files: opens files that appear together."""
    source = Source(options.input, options.encoding, keep=options.restore is None)
    if options.restore is not None:
        names = Names.read(options.restore)
    else:
        names = survey(source, options)
        if names.needs_file and options.save is None:
            column = next(column for column in names.columns
                          if column.values is not None or column.missing is not None)
            kind = "is text" if column.values is not None else "has missing values"
            raise TableError("column %s %s: add -s FILE, which keeps how it was converted (test data "
                             "need it)" % (column.name, kind))
    with new_files(options.output, options.save) as (output, saved):
        convert(source, names, options, output.write, warn)
        if saved is not None:
            names.write(saved)
