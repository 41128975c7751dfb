"""Finds columns: by the options of the first table, or in another table by the names file."""

import collections

from .columns import looks_like_a_number
from .source import TableError

LABELS = ("label", "target", "class", "y")
SHOWN = 30  # columns in a message


def listed(names):
    """The columns for a message."""
    shown = ["%d %s" % pair for pair in enumerate(names[:SHOWN], 1)]
    return "the columns are: " + ", ".join(shown) + (", ..." if len(names) > SHOWN else "")


def find(names, word, option):
    """The place of a column, from 0, by its name, or by its number from 1 if no name is like it."""
    places = [place for place, name in enumerate(names) if name == word]
    if len(places) > 1:
        raise TableError('%s: columns %s are all called "%s"; use a number' % (
            option, " and ".join(str(place + 1) for place in places), word))
    if places:
        return places[0]
    if word.isdigit() and word.isascii() and 1 <= int(word) <= len(names):
        return int(word) - 1
    raise TableError('%s: there is no column "%s"; %s' % (option, word, listed(names)))


def check_names(names, dropped):
    """The columns that are used need different names."""
    seen = {}
    for place, name in enumerate(names):
        if place in dropped:
            continue
        if not name:
            raise TableError("column %d has no name; if it counts the rows, --drop %d leaves it out" %
                             (place + 1, place + 1), 1)
        if name in seen:
            raise TableError('columns %d and %d are both called "%s"; rename one, or leave it out '
                             "with --drop NUMBER" % (seen[name] + 1, place + 1, name), 1)
        seen[name] = place


def first_names(rows, options):
    """The names of all columns, numbers if there is no header. If the options do not tell whether
    there is one, the first row must look like it."""
    if options.header is False:
        return [str(number) for number in range(1, len(rows.first) + 1)]
    names = [name.strip() for name in rows.first]
    if options.header is None:
        odd = next((name for name in names if looks_like_a_number(name) or
                    (name in options.gaps and name)), None)
        if odd is not None:
            raise TableError('is this the names of the columns? One would be "%s"; use --header or '
                             "--no-header" % odd, rows.first_line)
    rows.skip_first()
    return names


def choose_label(names, dropped, options):
    """The place of the label, or None with --no-label."""
    if options.no_label:
        return None
    if options.label is not None:
        place = find(names, options.label, "--label")
        if place in dropped:
            raise TableError("--drop leaves out the label")
        return place
    places = [place for place, name in enumerate(names)
              if name.lower() in LABELS and place not in dropped]
    if len(places) != 1:
        raise TableError("which column is the label? Use --label NAME, or its number, or --no-label; " +
                         listed(names))
    return places[0]


def places_of(columns, names):
    """Where the columns of the names file stand in a table with these names."""
    known = {column.name for column in columns}
    used = {column.name for column in columns if column.kind != "dropped"}
    for name, count in collections.Counter(names).items():
        if count > 1 and name in used:
            raise TableError('several columns are called "%s"; rename those that are new' % name, 1)
    extra = [name for name in names if name not in known]
    if extra:
        raise TableError('the column "%s" is not in the names file' % extra[0], 1)
    places = {name: place for place, name in enumerate(names)}
    return [places.get(column.name) for column in columns]


def match(rows, names, options):
    """The place of each column in an open table, None if it is not there. names: of this table or,
    with -r, of another."""
    if options.restore is None:
        if names.has_header:
            rows.skip_first()
        return range(len(names.columns))
    has_header = names.has_header if options.header is None else options.header
    if not has_header or not names.has_header:
        if has_header:
            rows.skip_first()
        places = list(range(len(names.columns)))
        if options.no_label and names.label and len(rows.first) == len(places) - 1:
            label = names.columns.index(names.label)
            places = [place - (place > label) for place in places]
            places[label] = None
        elif len(rows.first) != len(places):
            raise TableError("%d columns, but the names file has %d" %
                             (len(rows.first), len(places)), rows.first_line)
        return places
    places = places_of(names.columns, [name.strip() for name in rows.first])
    rows.skip_first()
    for column, place in zip(names.columns, places):
        if place is None and column.kind != "dropped" and not (
                column.kind == "label" and options.no_label):
            raise TableError('the column "%s" is missing%s' % (
                column.name, "; --no-label converts rows without a label"
                if column.kind == "label" else ""), rows.first_line)
    return places
