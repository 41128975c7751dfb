"""From LIBSVM data, or predictions, to CSV."""

import contextlib
import csv
import io

import checkdata

from .names import Names
from .source import Source, TableError

MOST_COLUMNS = 100000  # without a names file


def read_rows(source):
    """Yields (line, label, pairs) for each row of LIBSVM data. pairs: texts of values by index."""
    with source.open() as text:
        for number, line in enumerate(text, 1):
            fault = next(checkdata.line_errors(line.rstrip("\r\n") + "\n"), None)
            if fault:
                raise TableError(fault.strip(), number)
            label, *words = line.split()
            pairs = (word.partition(":") for word in words)
            yield number, label, {int(index): value for index, _, value in pairs}


class LabelNames:
    """The names of labels, by number."""

    def __init__(self, column):
        self._names = column.values and {float(label): name
                                         for name, label in column.values.items()}

    def name(self, text, line):
        """The name of a label, or the text itself if labels are numbers."""
        if not checkdata.is_number(text):
            raise TableError("%s is no label" % text, line)
        if self._names is None:
            return text
        try:
            return self._names[float(text)]
        except KeyError:
            raise TableError("the label %s has no name in the names file" % text, line) from None


class NamedColumns:
    """Makes CSV rows by a names file."""

    def __init__(self, names):
        self._columns = [column for column in names.columns if column.kind != "dropped"]
        self._labels = names.label and LabelNames(names.label)
        self._categories = {column.name: {feature: text for text, feature in column.values.items()}
                            for column in self._columns if column.kind == "category"}
        self._known = {feature for column in self._columns for feature in column.features}
        self.header = [column.name for column in self._columns]

    def row(self, line, label, pairs):
        for index in pairs:
            if index not in self._known:
                raise TableError("feature %d is not in the names file" % index, line)
        return [self._value(column, line, label, pairs) for column in self._columns]

    def _value(self, column, line, label, pairs):
        if column.kind == "label":
            return self._labels.name(label, line)
        if column.kind == "number":
            number = pairs.get(column.feature, "0")
            return column.form.text(number) if column.form else number
        texts = self._categories[column.name]
        found = [index for index in pairs if index in texts and float(pairs[index]) != 0]
        if len(found) > 1 or any(float(pairs[index]) != 1 for index in found):
            raise TableError("not one category of the value 1, but %s; is this the output of "
                             "svm-scale? Convert what it was made from" % " ".join(
                                 "%d:%s" % (index, pairs[index]) for index in found),
                             line, column.name)
        return texts[found[0]] if found else ""


class NumberedColumns:
    """Makes CSV rows whose columns are called label, 1, 2, ..."""

    def __init__(self, source):
        most = max((max(pairs, default=0) for _, _, pairs in read_rows(source)), default=0)
        if most > MOST_COLUMNS:
            raise TableError("feature %d: the table would have more than %d columns" %
                             (most, MOST_COLUMNS))
        self._features = range(1, most + 1)
        self.header = ["label", *map(str, self._features)]

    def row(self, line, label, pairs):
        if 0 in pairs:
            raise TableError("feature 0 is the row number of a precomputed kernel", line)
        return [label, *(pairs.get(feature, "0") for feature in self._features)]


@contextlib.contextmanager
def csv_writer(new_files, path):
    """A writer of CSV to a file that appears when it is complete."""
    with new_files(path, None) as (output, _):
        text = io.TextIOWrapper(output, encoding="utf-8", newline="")
        try:
            yield csv.writer(text, lineterminator="\n")
            text.flush()
        finally:
            text.detach()


def data_to_table(options, new_files):
    """Converts LIBSVM data to CSV."""
    source = Source(options.input, keep=options.restore is None)
    columns = (NumberedColumns(source) if options.restore is None else
               NamedColumns(Names.read(options.restore)))
    with csv_writer(new_files, options.output) as writer:
        writer.writerow(columns.header)
        for row in read_rows(source):
            writer.writerow(columns.row(*row))


def name_predictions(options, new_files):
    """Converts the output of svm-predict to CSV, with -b 1 with a column for the probability of
    each label."""
    label = Names.read(options.restore).label
    if label is None:
        raise ValueError("%s: there is no label" % options.restore)
    names = LabelNames(label)
    with Source(options.input).open() as text, csv_writer(new_files, options.output) as writer:
        head = [label.name]
        for number, line in enumerate(text, 1):
            words = line.split()
            if number == 1 and words[:1] == ["labels"]:
                head += [names.name(word, number) for word in words[1:]]
                writer.writerow(head)
                continue
            if number == 1:
                writer.writerow(head)
            if len(words) != len(head) or not all(map(checkdata.is_number, words)):
                raise TableError("not the output of svm-predict", number)
            writer.writerow([names.name(words[0], number), *words[1:]])
