"""What the values of a column become: a label, a feature, or one feature for each category."""

import collections
import math
import re

from .source import TableError

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?|[+-]?\d{1,3}([.' ]\d{3})+(,\d*)?", re.ASCII)
COMMA = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = frozenset(("", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "Null", "?"))
NO_LABEL = "the label is missing; --no-label converts rows without one"
MOST_VALUES = 10000  # of a column of categories
SWAPPED = str.maketrans(".,", ",.")
PLAIN = b"0123456789.+-eE|"
REFUSED = ("a value is missing; --missing mean puts the mean or the most frequent category there, "
           "--missing zero leaves it out")
OTHER_GAPS = '"%s" stands for a missing value, unless --gap TEXT says what does; '
REFUSED_LATER = ("a value is missing, and the names file has nothing for its place; convert the "
                 "training data with --missing mean or --missing zero")


def refusal_of(text, refusal):
    """The message about a missing value that is marked by this text."""
    return OTHER_GAPS % text + refusal.partition("; ")[2] if text and refusal is REFUSED else refusal


def looks_like_a_number(text):
    """Whether the text is a number, or one that is refused rather than taken for a category."""
    return any(form.fullmatch(text) for form in (NUMBER, INFINITE, THOUSANDS, COMMA))


class Numbers:
    """Recognises numbers with this decimal sign, "." or ",". form: a Form if they are written in
    another way, else None."""

    def __init__(self, decimal, form=None):
        self._swaps = decimal == ","
        self._form = form

    def with_points(self, text):
        """The text with decimal points. A point becomes a comma, so that the number is refused
        later."""
        return text.translate(SWAPPED) if self._swaps else text

    def plain(self, values):
        """Returns (values with decimal points, floats) if all values are finite numbers without
        anything around them, else None."""
        if self._form:
            return None
        joined = "|".join(values)
        if joined.encode("utf-8", "replace").translate(None, PLAIN):
            if not self._swaps:
                return None
            joined = joined.translate(SWAPPED)
            if joined.encode("utf-8", "replace").translate(None, PLAIN):
                return None
            texts = joined.split("|")
            if len(texts) != len(values):
                return None
            values = texts
        elif self._swaps and "." in joined:
            return None
        try:
            floats = list(map(float, values))
        except ValueError:
            return None
        return (values, floats) if math.isfinite(sum(floats)) else None

    def one(self, value, line, name):
        """The number as text with a decimal point. Raises TableError if it is none."""
        if self._form:
            text = self._form.number(value.strip())
            if text is None:
                raise TableError('"%s" is not written as other values of the column, which are %s' % (
                    value.strip(), self._form.describe()), line, name)
            value = text
        text = self.with_points(value.strip())
        if NUMBER.fullmatch(text) and math.isfinite(float(text)):
            return text
        raise TableError(self._reason(value.strip(), text), line, name)

    def _reason(self, value, text):
        if NUMBER.fullmatch(text):
            return "the number %s is too large" % value
        if INFINITE.fullmatch(value):
            return "%s is not finite" % value
        comma = not self._swaps and COMMA.fullmatch(value)
        if THOUSANDS.fullmatch(value):
            return "%s has separators of thousands; write it without them%s" % (
                value, ", or if the comma is the decimal sign, use --decimal ," if comma else "")
        if comma:
            return "%s has a decimal comma; use --decimal ," % value
        if NUMBER.fullmatch(value):
            return "%s has a decimal point, in spite of --decimal ," % value
        return ('"%s" is not a number, as other values of the column are; --category NAME makes '
                "a feature of each of its values" % value)


class Gaps:
    """Fills in missing values. texts: what marks them; fill: what takes their place, None to refuse
    them with the message `refusal`."""

    def __init__(self, texts, fill, refusal):
        self.texts = texts
        self._fill = fill
        self._refusal = refusal
        self._counts = collections.Counter()

    def filled(self, text, line, name):
        """What takes the place of this missing value."""
        if self._fill is None:
            raise TableError(refusal_of(text, self._refusal), line, name)
        self._counts[text] += 1
        return self._fill

    def describe(self):
        """What was filled in, or None."""
        if not self._counts:
            return None
        count = sum(self._counts.values())
        return "%d value%s missing (%s): filled in with %s" % (
            count, " is" if count == 1 else "s are",
            ", ".join(text or "nothing" for text in self._counts),
            '"%s"' % self._fill if self._fill else "no category")


class NumberColumn:
    """A feature."""

    def __init__(self, name, feature, numbers, gaps):
        self.name = name
        self.gaps = gaps
        self._numbers = numbers
        self._prefix = " %d:" % feature

    def encode(self, values, lines):
        """Returns the pieces of the rows, each with a blank before it; "" for zeros."""
        plain = self._numbers.plain(values)
        if plain is None:
            return list(map(self._piece, values, lines))
        texts, floats = plain
        if 0.0 in floats:
            prefix = self._prefix
            return [prefix + text if value else "" for text, value in zip(texts, floats)]
        return list(map(self._prefix.__add__, texts))

    def _piece(self, value, line):
        if value.strip() in self.gaps.texts:
            text = self.gaps.filled(value.strip(), line, self.name)
        else:
            text = self._numbers.one(value, line, self.name)
        return self._prefix + text if float(text) else ""


class CategoryColumn:
    """A feature for each category, 1 if the value is that category. gaps fill in a category, or ""
    for none. warn(fault): called at the first value that is no category, or None if such values are
    refused."""

    def __init__(self, name, features, gaps, warn):
        self.name = name
        self.gaps = gaps
        self._pieces = {text: " %d:1" % feature for text, feature in features.items()}
        self._warn = warn
        self._has_warned = False

    def encode(self, values, lines):
        try:
            return list(map(self._pieces.__getitem__, values))
        except KeyError:
            return list(map(self._piece, values, lines))

    def _piece(self, value, line):
        text = value.strip()
        if text in self._pieces:
            return self._pieces[text]
        if text in self.gaps.texts:
            return self._pieces.get(self.gaps.filled(text, line, self.name), "")
        what = 'the category "%s" is not in the names file' % text
        if self._warn is None:
            raise TableError(what, line, self.name)
        if not self._has_warned:
            self._has_warned = True
            self._warn(TableError(what + "; it and others like it become no category", line,
                                  self.name))
        return ""


class LabelColumn:
    """The label. labels: the numbers of class names, or None if labels are numbers. gaps: refuse
    missing values."""

    def __init__(self, name, labels, numbers, gaps):
        self.name = name
        self.gaps = gaps
        self._texts = labels and {text: str(label) for text, label in labels.items()}
        self._numbers = numbers

    def encode(self, values, lines):
        if self._texts is not None:
            try:
                return list(map(self._texts.__getitem__, values))
            except KeyError:
                return list(map(self._named, values, lines))
        plain = self._numbers.plain(values)
        return plain[0] if plain else list(map(self._number, values, lines))

    def _named(self, value, line):
        text = value.strip()
        if text in self._texts:
            return self._texts[text]
        self._refuse_missing(text, line)
        raise TableError('the label "%s" is not in the names file, which has %s' % (
            text, ", ".join(list(self._texts)[:10])), line, self.name)

    def _number(self, value, line):
        self._refuse_missing(value.strip(), line)
        return self._numbers.one(value, line, self.name)

    def _refuse_missing(self, text, line):
        if text in self.gaps.texts:
            self.gaps.filled(text, line, self.name)
