"""The first pass over a table: finds out which columns are numbers and which are categories, and
what stands in the place of missing values."""

import collections
import math

from .columns import MOST_VALUES, NUMBER, REFUSED, Numbers, looks_like_a_number, refusal_of
from .forms import form_like
from .names import Column
from .source import TableError


FEW_ROWS = 20  # of which all values may be different


class Survey:
    """What is known of a column. kind: "category" or "number" if the options tell, else None."""

    def __init__(self, name, is_label, kind, options):
        self.name = name
        self._is_label = is_label
        self._is_forced = kind is not None
        self._decimal, self._missing, self._gaps = options.decimal, options.missing, options.gaps
        self._form = None  # of numbers
        self._numbers = Numbers(self._decimal)
        self._is_category = kind and kind == "category"  # None: not known yet
        self._rows = 0
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
        self._rows += len(values)
        if self._is_category is None or (self._is_forced and not self._is_category):
            texts = [text for text in map(str.strip, values) if text not in self._gaps]
            if texts and self._is_category is None:
                self._is_category = not looks_like_a_number(texts[0])
            elif texts and self._form is None:
                self._form = form_like(texts[0])
                self._numbers = Numbers(self._decimal, self._form)
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
        if text in self._gaps:
            if self._is_label:
                raise TableError("the label is missing; leave the row out", line, self.name)
            if self._missing == "refuse":
                raise TableError(refusal_of(text, REFUSED), line, self.name)
        elif not self._is_forced and looks_like_a_number(text):
            raise TableError("%s is a number, but values before it are text; --category NAME makes "
                             "a feature of each value" % text, line, self.name)

    def _add_numbers(self, values, lines):
        plain = self._numbers.plain(values)
        if plain:
            floats = plain[1]
        else:
            floats = [float(self._numbers.one(value, line, self.name))
                      for value, line in zip(values, lines) if value.strip() not in self._gaps]
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
            return Column(self.name, "number", feature=feature, missing=self._number_fill(),
                          form=self._form)
        counts = collections.Counter()
        for value, count in self._counts.items():
            if value.strip() not in self._gaps:
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

    def doubt(self):
        """What speaks against a column of categories, or None."""
        texts = {text for text in map(str.strip, self._counts) if text not in self._gaps}
        has_many = 2 * len(texts) > self._rows
        if not self._is_category or self._is_forced or self._is_label or not (
                has_many or len(texts) > FEW_ROWS):
            return None
        form = form_like(min(texts))
        if form is not None and (has_many or form.is_likely) and all(
                form.number(text) is not None for text in texts):
            advice = "--number NAME makes one feature of the column, as of %s" % form.describe()
        elif has_many and self._rows >= FEW_ROWS:
            advice = "--drop NAME leaves the column out"
        else:
            return None
        return "%d different texts in %d rows become a feature each; %s" % (
            len(texts), self._rows, advice)

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
