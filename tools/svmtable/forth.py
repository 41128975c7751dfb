"""From a table to LIBSVM data."""

from . import header
from .columns import (NO_LABEL, REFUSED, REFUSED_LATER, CategoryColumn, Gaps, LabelColumn,
                      NumberColumn, Numbers)
from .names import Column, Names
from .rows import Rows
from .source import Source, TableError, TableErrors
from .survey import Survey

MOST_FAULTS = 20  # that are reported


class Zeros:
    """The label if there is none."""

    name = gaps = None

    @staticmethod
    def encode(_, lines):
        return ["0"] * len(lines)


def open_rows(text, options):
    rows = Rows(text, options.separator)
    if rows.first is None:
        raise TableError("the table is empty")
    return rows


class Faults:
    """Collects the first fault of each column, so that one run reports all of them."""

    def __init__(self):
        self._faults = {}  # by column

    def __bool__(self):
        return bool(self._faults)

    def run(self, column, function, *arguments):
        """What the function returns, or nothing after a fault in this column."""
        if column in self._faults:
            return ()
        try:
            return function(*arguments)
        except TableError as fault:
            self.add(column, fault)
            return ()

    def add(self, column, fault):
        self._faults[column] = fault

    def blocks(self, rows, width):
        """The blocks of the rows. What ends them is a fault as well."""
        try:
            yield from rows.blocks(width)
        except TableError as fault:
            self.add(None, fault)
            self.check()

    def check(self):
        """Raises the faults, if there are any."""
        if self._faults:
            raise TableErrors(list(self._faults.values())[:MOST_FAULTS])


def places_of(names, words, option, faults):
    """The places of the columns that an option names."""
    places = [faults.run((option, word), header.find, names, word, option) for word in words]
    return {place for place in places if place != ()}


def survey(source, options, faults, warn):
    """Returns the Names of a table. A column that has a fault is dropped."""
    with source.open() as text:
        rows = open_rows(text, options)
        names = header.first_names(rows, options)
        dropped = places_of(names, options.drops, "--drop", faults)
        kinds = {place: "number" for place in places_of(names, options.numbers, "--number", faults)}
        for place in places_of(names, options.categories, "--category", faults):
            kinds[place] = "category"
        faults.run("names", header.check_names, names, dropped)
        label = faults.run("label", header.choose_label, names, dropped, options)
        faults.check()
        surveys = {place: Survey(name, place == label, kinds.get(place), options)
                   for place, name in enumerate(names) if place not in dropped}
        if len(surveys) == (label is not None):
            raise TableError("no column is left for features; " + header.listed(names))
        is_empty = True
        for lines, columns in faults.blocks(rows, len(names)):
            is_empty = False
            for place, each in surveys.items():
                faults.run(names[place], each.learn, columns[place], lines)
            if not any(each.wants_more for each in surveys.values()):
                break
    if is_empty:
        raise TableError("there are no rows below the names of the columns")
    columns, feature = [], 1
    for place, name in enumerate(names):
        column = place in surveys and faults.run(name, surveys[place].result, feature)
        columns.append(column or Column(name, "dropped"))
        doubt = column and surveys[place].doubt()
        if doubt:
            warn(TableError(doubt, None, name))
        feature = max(columns[-1].features, default=feature - 1) + 1
    return Names(columns, options.header is not False, options.gaps)


def encoder(column, names, options, warn):
    """What encodes the values of a Column."""
    numbers = Numbers(options.decimal, column.form)
    refusal = REFUSED if options.restore is None else REFUSED_LATER
    gaps = Gaps(names.gaps, column.missing, NO_LABEL if column.kind == "label" else refusal)
    if column.kind == "number":
        return NumberColumn(column.name, column.feature, numbers, gaps)
    if column.kind == "category":
        return CategoryColumn(column.name, column.values, gaps,
                              warn if options.unknown == "zero" else None)
    return LabelColumn(column.name, column.values, numbers, gaps)


def convert(source, names, options, write, faults, warn):
    """Writes the table as LIBSVM data. names: of this table or, with -r, of another."""
    with source.open() as text:
        rows = open_rows(text, options)
        places = header.match(rows, names, options)
        label = None if options.no_label else names.label
        encoders = [(Zeros(), 0)]
        for column, place in zip(names.columns, places):
            if column is label:
                encoders[0] = (encoder(column, names, options, warn), place)
            elif column.kind in ("number", "category"):
                encoders.append((encoder(column, names, options, warn), place))
        for lines, columns in faults.blocks(rows, len(rows.first)):
            pieces = [faults.run(each.name, each.encode, columns[place], lines)
                      for each, place in encoders]
            if not faults:
                write(("\n".join(map("".join, zip(*pieces))) + "\n").encode("ascii"))
    faults.check()
    for each, _ in encoders:
        filled = each.gaps and each.gaps.describe()
        if filled:
            warn(TableError(filled, None, each.name), "note")


def check_saved(names, options):
    """Raises TableError if the names have to be saved, and are not."""
    if names.needs_file and options.save is None:
        column = next(column for column in names.columns if column.values is not None or
                      column.missing is not None or column.form is not None)
        kind = ("is text" if column.values is not None or column.form is not None else
                "has missing values")
        raise TableError("column %s %s: add -s FILE, which keeps how it was converted (test data "
                         "need it)" % (column.name, kind))


def table_to_data(options, new_files, warn):
    """Converts options.input. new_files: opens files that appear together; warn(fault, kind): tells
    of something that is no error."""
    source = Source(options.input, options.encoding, keep=options.restore is None)
    faults = Faults()
    if options.restore is not None:
        names = Names.read(options.restore)
    else:
        names = survey(source, options, faults, warn)
        faults.run("-s", check_saved, names, options)
        if faults:  # others may follow
            convert(source, names, options, None, faults, warn)
    with new_files(options.output, options.save) as (output, saved):
        convert(source, names, options, output.write, faults, warn)
        if saved is not None:
            names.write(saved)
