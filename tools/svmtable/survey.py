"""The first pass over a table: finds out which columns are numbers and which are categories, and
what stands in the place of missing values."""

import collections
import math

from .columns import MISSING, MOST_VALUES, NUMBER, REFUSED, looks_like_a_number
from .names import Column
from .source import TableError


class Survey:
    """What is known of a column. numbers: a Numbers; missing: "refuse", "mean" or "zero";
    is_forced: whether it is a column of categories, whatever its values are."""

    def __init__(self, name, is_label, is_forced, numbers, missing):
        self.name = name
        self._is_label = is_label
        self._is_forced = is_forced
        self._numbers = numbers
        self._missing = missing
        self._is_category = True if is_forced else None  # None: not known yet
        self._counts = collections.Counter()  # of categories, and missing values among them
        self._sum, self._count = 0.0, 0  # of numbers

    @property
    def wants_more(self):
        """Whether further rows can tell anything."""
        if self._is_category is None or self._is_category:
            return True
        return self._missing == "mean" and not self._is_label

    def learn(self, values, lines):
        """Takes in the values of some rows. lines: the lines of the file in which they begin."""
        if self._is_category is None:
            texts = [text for text in map(str.strip, values) if text not in MISSING]
            if texts:
                self._is_category = not looks_like_a_number(texts[0])
        if self._is_category is None or self._is_category:
            self._count_categories(values, lines)
        elif self._missing == "mean" and not self._is_label:
            self._add_numbers(values, lines)

    def _count_categories(self, values, lines):
        counts = collections.Counter(values)
        for value in counts:  # in the order in which they come
            if value not in self._counts:
                self._check_new(value.strip(), lines[values.index(value)])
        self._counts.update(counts)
        if len(self._counts) > MOST_VALUES:
            raise TableError("more than %d different values; is this an identifier? %s" % (
                MOST_VALUES, "--label names another column" if self._is_label else
                "--drop NAME leaves it out"), lines[-1], self.name)

    def _check_new(self, text, line):
        """Checks a value that has not been seen before."""
        if text in MISSING:
            if self._is_label:
                raise TableError("the label is missing; leave the row out", line, self.name)
            if self._missing == "refuse":
                raise TableError(REFUSED, line, self.name)
        elif not self._is_forced and looks_like_a_number(text):
            raise TableError("%s is a number, but values before it are text; --category NAME makes "
                             "a feature of each value" % text, line, self.name)

    def _add_numbers(self, values, lines):
        plain = self._numbers.plain(values)
        if plain:
            floats = plain[1]
        else:
            floats = [float(self._numbers.one(value, line, self.name))
                      for value, line in zip(values, lines) if value.strip() not in MISSING]
        self._sum += math.fsum(floats)
        self._count += len(floats)

    def result(self, feature):
        """The Column, whose first feature has this number."""
        if self._is_category is None:
            raise TableError("all values are missing; --drop NAME leaves the column out",
                             None, self.name)
        if not self._is_category:
            if self._is_label:
                return Column(self.name, "label")
            return Column(self.name, "number", feature=feature, missing=self._number_fill())
        counts = collections.Counter()
        for value, count in self._counts.items():
            if value.strip() not in MISSING:
                counts[value.strip()] += count
        values = in_order(counts)
        if self._is_label:
            return Column(self.name, "label",
                          values={text: label for label, text in enumerate(values, 1)})
        fill = {"refuse": None, "zero": "", "mean": None}[self._missing]
        if self._missing == "mean" and values:
            fill = max(values, key=lambda text: counts[text])
        return Column(self.name, "category", missing=fill,
                      values={text: k for k, text in enumerate(values, feature)})

    def _number_fill(self):
        if self._missing == "mean":
            if not math.isfinite(self._sum):
                raise TableError("the numbers are too large for a mean", None, self.name)
            return repr(self._sum / self._count)
        return "0" if self._missing == "zero" else None


def in_order(texts):
    """Texts that are all numbers in the order of numbers, others by alphabet."""
    if all(map(NUMBER.fullmatch, texts)):
        return sorted(texts, key=lambda text: (float(text), text))
    return sorted(texts)
