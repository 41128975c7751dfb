"""The command line of convert.py."""

import codecs
import getopt

from svmgrid.command import UsageError

from .columns import MISSING
from .rows import SPACE

USAGE = """Usage: {0} [options] table [output]
       {0} --back [options] data [output]
       {0} --predictions -r file predictions [output]

Converts a table (CSV, TSV, or columns parted by white space) to a LIBSVM data file.  Columns of
numbers become features, columns of text become a feature for each of their values, and labels
that are text become numbers.  Test data have to be converted as the training data were: save the
names with -s when converting the training data and restore them with -r for the test data.

Files that end with .gz, .bz2, .xz or .zst are unpacked.  - stands for standard input or output; the
default output is standard output.

options:
-s file            save the names of columns, categories and labels to this file
-r file            convert by the names of this file
--label name       column of the label (default: the one called label, target, class or y)
--no-label         there is no label, or it is not wanted: write 0
--category name    make a feature of each value of this column, even if they are numbers
--number name      make one number of each value of this column: a date becomes the days since 1970;
                   for numbers with the same text around each, such as 5.2 mg, the text is left out
--drop name        leave out this column
                   A column may be named by its number, from 1.  --category, --number and --drop may
                   be repeated.
--missing refuse|mean|zero
                   values that are missing (nothing, NA, N/A, NaN, null, ?): an error; the mean of the
                   column, or its most frequent category; 0, or no category (default refuse)
--gap text         only values that are this text, or nothing, are missing; may be repeated
--unknown zero|refuse
                   categories that are not in the file of -r: no category, with a warning; an error
                   (default zero)
--separator char|tab|space
                   what stands between columns (default: what the first line suggests)
--decimal .|,      decimal sign (default .)
--header           the first row has the names of the columns (default, but doubts are an error)
--no-header        it has not: the names are 1, 2, ...
--encoding name    encoding of the table (default utf-8)
--back             convert LIBSVM data to CSV, by the names of -r or without names
--predictions      convert the output of svm-predict to CSV with the names of the labels
--help             print this help and exit
"""
SEPARATORS = {"tab": "\t", "\\t": "\t", "space": SPACE}
LONG = ("label=", "no-label", "category=", "number=", "drop=", "missing=", "gap=", "unknown=",
        "separator=", "decimal=", "header", "no-header", "encoding=", "back", "predictions", "help")
# What -r or a conversion back cannot be told, because the names file or the data tell it.
DECIDED = ("--label", "--category", "--number", "--drop", "--missing", "--gap")
OF_TABLES = DECIDED + ("--no-label", "--unknown", "--separator", "--decimal", "--header", "--no-header",
                       "--encoding", "-s")


class Options:
    """The options, and the operands `input` and `output`."""

    def __init__(self, words):
        self.save = self.restore = self.label = self.header = self.separator = None
        self.no_label = self.back = self.predictions = self.help = False
        self.categories, self.numbers, self.drops, self.gaps = [], [], [], MISSING
        self.missing, self.unknown, self.decimal, self.encoding = "refuse", "zero", ".", "utf-8"
        self.input, self.output = None, "-"
        try:
            pairs, operands = getopt.gnu_getopt(words, "s:r:h", LONG)
        except getopt.GetoptError as error:
            raise UsageError(str(error)) from None
        for option, value in pairs:
            self._set(option, value)
        if self.help:
            return
        self._check([option for option, _ in pairs])
        if not 1 <= len(operands) <= 2:
            raise UsageError("one or two files are needed, not %d" % len(operands))
        self.input = operands[0]
        if len(operands) == 2:
            self.output = operands[1]

    def _set(self, option, value):
        if option in ("--no-label", "--back", "--predictions"):
            setattr(self, option[2:].replace("-", "_"), True)
        elif option in ("--help", "-h"):
            self.help = True
        elif option in ("--header", "--no-header"):
            self.header = option == "--header"
        elif option == "-s":
            self.save = value
        elif option == "-r":
            self.restore = value
        elif option == "--label":
            self.label = value
        elif option == "--category":
            self.categories.append(value)
        elif option == "--number":
            self.numbers.append(value)
        elif option == "--gap":
            self.gaps = (frozenset(("",)) if self.gaps is MISSING else self.gaps) | {value.strip()}
        elif option == "--drop":
            self.drops.append(value)
        elif option == "--missing":
            self.missing = one_of(option, value, ("refuse", "mean", "zero"))
        elif option == "--unknown":
            self.unknown = one_of(option, value, ("zero", "refuse"))
        elif option == "--decimal":
            self.decimal = one_of(option, value, (".", ","))
        elif option == "--separator":
            self.separator = SEPARATORS.get(value, value)
            if len(self.separator) != 1 or self.separator in '"\r\n':
                raise UsageError("option --separator needs one character, tab or space, not %s" % value)
        elif option == "--encoding":
            try:
                codecs.lookup(value)
            except LookupError:
                raise UsageError("option --encoding: there is no encoding %s" % value) from None
            self.encoding = value

    def _check(self, used):
        """Checks that the options fit together. used: all that were given."""
        if self.back and self.predictions:
            raise UsageError("--back and --predictions exclude each other")
        if self.predictions and self.restore is None:
            raise UsageError("--predictions needs the names file: -r file")
        for mode, excluded in ((self.back and "--back", OF_TABLES),
                               (self.predictions and "--predictions", OF_TABLES),
                               (self.restore is not None and "-r", DECIDED + ("-s",))):
            wrong = [option for option in used if mode and option in excluded]
            if wrong:
                raise UsageError("%s and %s exclude each other" % (mode, wrong[0]))
        if self.no_label and self.label is not None:
            raise UsageError("--no-label and --label exclude each other; --drop leaves out a column")


def one_of(option, value, allowed):
    if value not in allowed:
        raise UsageError("option %s needs %s or %s, not %s" % (
            option, ", ".join(allowed[:-1]), allowed[-1], value))
    return value
