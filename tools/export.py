#!/usr/bin/env python3
"""Writes a LIBSVM model as a header in C, for small devices."""

import decimal
import getopt
import os
import re
import sys

from svmexport import form as forms
from svmexport.header import MOST_LISTED, Header
from svmexport.model import FileError, Ranges, Scaling, read_model, read_weights
from svmgrid import command, files
from svmgrid.command import Fault, UsageError
from svmtable.back import read_rows
from svmtable.source import Source, TableError

USAGE = """Usage: {0} [options] model

Writes a LIBSVM model as a header in C99, which needs neither malloc nor a library beyond exp and
tanh.  It has the decision values, the label or target, and the probabilities if the model has them.

options:
-o header          file for the header (default: standard output)
--name prefix      prefix of all names (default: the name of the model file)
--type type        double, as the model has it (default); float; int8, support vectors in bytes and
                   the rest in floats
--data file        measure on the rows of a data file how much decision values and labels change
--scale ranges     a range file of svm-scale -s: the functions take rows that are not scaled
--metric ranges    a file of svm-train --metric: the functions take rows without weights of features
--features number  features of a row, if more than the model, the data and the ranges have
--cmsis            as --type float, with the structure of CMSIS-DSP's arm_svm functions; two classes
--keep-vectors     no weights in place of the support vectors of a linear kernel
--help             print this help and exit
"""


class Options:
    """The options, and the operand `model`."""

    def __init__(self, words):
        self.model = self.name = self.type = self.data = self.scale = self.metric = None
        self.cmsis = self.keep_vectors = self.help = False
        self.output, self.features = "-", 0
        try:
            pairs, operands = getopt.gnu_getopt(words, "o:h", (
                "name=", "type=", "data=", "scale=", "metric=", "features=", "cmsis", "keep-vectors",
                "help"))
        except getopt.GetoptError as error:
            raise UsageError(str(error)) from None
        for option, value in pairs:
            if option == "-o":
                self.output = value
            elif option in ("-h", "--help", "--cmsis", "--keep-vectors"):
                setattr(self, {"-h": "help"}.get(option, option[2:].replace("-", "_")), True)
            else:
                setattr(self, option[2:], value)
        if self.help:
            return
        if len(operands) != 1:
            raise UsageError("one model is needed, not %d" % len(operands))
        self.model = operands[0]
        self._check()

    def _check(self):
        if self.name is None:
            base = os.path.basename(self.model)
            self.name = re.sub(r"\W", "_", base.rpartition(".model")[0] or base, flags=re.ASCII)
            if not self.name[:1].isalpha():
                self.name = "model_" + self.name
        if not re.fullmatch(r"[A-Za-z]\w*", self.name, re.ASCII):
            raise UsageError("--name needs a name of C, not %s" % self.name)
        if self.cmsis and self.type not in (None, "float"):
            raise UsageError("--cmsis needs --type float, not %s" % self.type)
        self.type = self.type or ("float" if self.cmsis else "double")
        if self.type not in forms.TYPES:
            raise UsageError("--type needs %s, not %s" % (", ".join(forms.TYPES), self.type))
        if not str(self.features).isdecimal() or int(self.features) >= 2**31:
            raise UsageError("--features needs a whole number, not %s" % self.features)
        self.features = int(self.features)
        for read in (self.model, self.data, self.scale, self.metric):
            if read is not None and files.are_same(self.output, read):
                raise UsageError("%s would be written over itself" % read)


def check_cmsis(model):
    if model.svm_type.endswith("svr") or len(model.labels) > 2:
        raise FileError("CMSIS-DSP has functions for two classes, and this model has %s" % (
            "%d" % len(model.labels) if model.is_classifier else "a target"))
    if model.kernel == "polynomial" and model.degree < 1:
        raise FileError("CMSIS-DSP's polynomial kernel has a degree of at least 1, not 0")


def check_metric(model, path):
    """Refuses weights of features that are not those of the model. path may be None."""
    if model.metric is None:
        return
    mark, name = model.metric
    if path is None:
        raise FileError("the model is for features with weights: give --metric %s" % name)
    with open(path, "rb") as file:
        if files.fingerprint(file.read()) != mark:
            raise FileError("the model was trained with other weights, those of %s" % name, path)


class Export:
    """An export: what is read, the form that is chosen, and what is said about it."""

    def __init__(self, options):
        self._options = options
        self._model = model = read_model(options.model)
        if options.cmsis:
            check_cmsis(model)
        check_metric(model, options.metric)
        ranges, weights = with_name(options.scale, Ranges), with_name(options.metric, read_weights)
        self._scaling = Scaling(ranges, weights) if ranges or weights else None
        rows = [] if options.data is None else [
            {f: float(value) for f, value in pairs.items()}
            for _, _, pairs in read_rows(Source(options.data))]
        others = set().union(*rows, self._scaling.features() if self._scaling else ())
        self._features = forms.feature_numbers(model, others, options.features)
        self._form = forms.choose(model, self._features, options.type, options.cmsis,
                                  options.keep_vectors)
        if self._scaling is not None:
            self._form.add_scaling(self._scaling)
        self._raw = rows
        self._rows = [self._scaling.row(row) for row in rows] if self._scaling else rows

    def text(self):
        header = Header(self._form, self._options.name, self._scaling, self._options.cmsis)
        return header.text([*self._summary(), "", *self._usage(), "", *self._sizes(header), "",
                            *self._changes()])

    def _summary(self):
        model, form = self._model, self._form
        classes = "%d classes, " % len(model.labels) if model.labels else ""
        yield "A support vector machine: %s, %s, %s%s, %s%s." % (
            model.svm_type, model.kernel, classes, counted(len(self._features), "feature"),
            counted(len(model.vectors), "support vector"),
            ", of which weights were made" if form.is_folded else "")
        yield "Written from %s by export.py of csmo." % re.sub(
            r"[^A-Za-z0-9._ -]", "_", os.path.basename(self._options.model))

    def _usage(self):
        name, upper, number = self._options.name, self._options.name.upper(), self._form.number
        last = self._features[-1]
        is_dense = last == len(self._features)
        numbers = " ".join(map(str, self._features[:MOST_LISTED]))
        yield "%s x[%s_FEATURES]: %s%s." % (
            number, upper, "feature k is x[k - 1]" if is_dense else "features " + numbers,
            "" if is_dense or len(self._features) <= MOST_LISTED else
            " ... %d, those in use in ascending order" % last)
        if self._model.kernel == "rbf":
            yield "A feature that is not among these must be 0."
        yield "%s_predict(x) is %s." % (
            name, "the label" if self._model.labels else
            "1 or -1" if self._model.svm_type == "one_class" else "the target")

    def _sizes(self, header):
        least, most = header.stack()
        yield "ROM: %d bytes of arrays, and the code." % self._form.rom()
        yield "RAM: %d bytes of arrays on the stack%s." % (
            least, ", %d for probabilities" % most if most > least else "")

    def _reach(self):
        """The largest absolute value of each feature, and the smallest and largest of all."""
        low, high = dict.fromkeys(self._features, 0.0), dict.fromkeys(self._features, 0.0)
        rows = [*self._model.vectors, *self._rows]
        ranges = self._scaling.ranges if self._scaling else None
        if ranges is not None:
            rows += [self._scaling.weigh(dict.fromkeys(ranges.of_features, limit))
                     for limit in (ranges.lower, ranges.upper)]
        for row in rows:
            for f, value in row.items():
                low[f], high[f] = min(low[f], value), max(high[f], value)
        return ({f: max(-low[f], high[f]) for f in self._features}, min(low.values()),
                max(high.values()))

    def _changes(self):
        """By how much decision values may change, and by how much they do on the data."""
        form, model = self._form, self._model
        reach, low, high = self._reach()
        numbers, rounding = form.bound(model, reach, self._scaling)
        total = numbers + rounding
        if form.kind != "double" and not total < forms.LARGEST_FLOAT:
            raise FileError("the sums may exceed the largest float; scale the data, or use --type "
                            "double")
        if total == 0:
            yield "Decision values are those of LIBSVM: the same operations in the same order."
        else:
            yield "Largest change of a decision value: %s, by the numbers that are stored %s" % (
                up(total), up(numbers))
            yield "and by rounding %s. For features as large as in the support vectors%s:" % (
                up(rounding), " and the data" if self._rows else "")
            yield "from %.6g to %.6g." % (low, high)
        if self._rows:
            largest, labels = self._measured()
            yield "On the %d rows of the data: %s by the numbers that are stored%s." % (
                len(self._rows), up(largest), "" if model.svm_type.endswith("svr") else
                "; %d labels change" % labels)

    def _measured(self):
        """The largest change on the data, and how many labels change."""
        form, model = self._form, self._model
        rows = self._rows
        if form.kind != "double":
            rounded = [{f: form.round(value) for f, value in row.items()} for row in self._raw]
            rows = [self._scaling.row(row) for row in rounded] if self._scaling else rounded
        largest = labels = 0
        for row, rounded in zip(self._rows, rows):
            exact, stored = model.decision_values(row), form.stored.decision_values(rounded)
            largest = max(largest, *(abs(a - b) for a, b in zip(exact, stored)))
            labels += model.label_of(exact) != model.label_of(stored)
        return largest, labels


def counted(number, what):
    return "%d %s%s" % (number, what, "" if number == 1 else "s")


def up(value):
    """Three digits, not below the value."""
    return "%g" % decimal.Context(3, decimal.ROUND_CEILING).create_decimal_from_float(value)


def with_name(path, read):
    """Reads a file other than the model, whose errors do not name it. None if the path is None."""
    if path is None:
        return None
    try:
        return read(path)
    except FileError as error:
        raise FileError(error, path) from None


def run(options):
    """Does what the options tell."""
    try:
        text = Export(options).text().encode("ascii")
    except FileError as error:
        name = error.args[1] if len(error.args) > 1 else options.model
        raise Fault("%s: %s" % (name, error.args[0])) from None
    except TableError as error:
        raise Fault(error.describe(options.data)) from None
    if options.output == "-":
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    else:
        with files.new_file(options.output) as file:
            file.write(text)


def main(program, arguments):
    """Returns the exit status."""
    return command.main(program, arguments, USAGE, Options, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[0], sys.argv[1:]))
