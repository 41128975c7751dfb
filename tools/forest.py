#!/usr/bin/env python3
"""Lists the cells of a forest, and writes them as LIBSVM models."""

import contextlib
import getopt
import os
import re
import shutil
import sys

from svmgrid import command, files
from svmgrid.command import Fault, UsageError

USAGE = """Usage: {0} [--metric ranges] forest
       {0} --tree number --cell number [-o model] [--metric ranges] forest
       {0} --all folder [--metric ranges] forest

Lists the cells of a forest, which svm-train --cells has written: the tree and the number of each, the
number of its support vectors, and its classes.  With --tree and --cell, writes the machine of one cell
as a model for svm-predict, its support vectors in place of the numbers of rows.  If the forest has
weights of features, the support vectors are weighted: so must be the rows that a model is to predict.

options:
--tree number      tree of the cell, from 1
--cell number      number of the cell in its tree, from 1
-o model           file for the model (default: standard output)
--all folder       write the models of all cells to this folder, which is made: tree1cell1.model, ...
--metric ranges    write the weights of features to this file, for svm-predict --metric or svm-scale -r
--help             print this help and exit
"""
ROW_NUMBER = re.compile(rb"0:([0-9]+) *\Z")
WEIGHT = rb"([0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?)"
MOST_SHOWN = 10  # weights


class ForestError(Exception):
    """A malformed file."""


class Options:
    """The options, and the operand `forest`."""

    def __init__(self, words):
        self.tree = self.cell = self.folder = self.metric = None
        self.output, self.help, self.forest = "-", False, None
        try:
            pairs, operands = getopt.gnu_getopt(words, "o:h", ("tree=", "cell=", "all=", "metric=", "help"))
        except getopt.GetoptError as error:
            raise UsageError(str(error)) from None
        for option, value in pairs:
            if option in ("--tree", "--cell"):
                if not value.isdecimal() or int(value) < 1:
                    raise UsageError("option %s needs a number from 1, not %s" % (option, value))
                setattr(self, option[2:], int(value))
            elif option == "--all":
                self.folder = value
            elif option == "--metric":
                self.metric = value
            elif option == "-o":
                self.output = value
            else:
                self.help = True
        if self.help:
            return
        if len(operands) != 1:
            raise UsageError("one forest is needed, not %d" % len(operands))
        self.forest = operands[0]
        if (self.tree is None) != (self.cell is None):
            raise UsageError("--tree and --cell need each other")
        if self.folder is not None and self.tree is not None:
            raise UsageError("--all and --tree exclude each other")
        if self.output != "-" and self.tree is None:
            raise UsageError("-o needs --tree and --cell")
        if self.metric == self.output:
            raise UsageError("-o and --metric need different files")
        for written in (self.output, self.metric or "-"):
            if files.are_same(written, self.forest):
                raise UsageError("%s would be written over itself" % self.forest)


class Cell:
    """The header of a cell's model, as lines, and the lines of its support vectors."""

    def __init__(self, tree, number, header, vectors):
        self.tree, self.number, self.header, self.vectors = tree, number, header, vectors

    def row(self):
        """Its line of the list."""
        if not self.header:
            return "%d\t%d\tuntrained" % (self.tree, self.number)
        words = [str(self.tree), str(self.number), str(len(self.vectors)), value_of(self.header, b"label")]
        return "\t".join(words).rstrip()


def value_of(header, key):
    """What follows the key in the lines of a header, as text."""
    for line in header:
        if line.split(b" ", 1)[0] == key:
            return line[len(key):].decode("ascii", "replace").strip()
    return ""


class Reader:
    """Reads a forest from a binary file."""

    def __init__(self, file):
        self._file, self._line = file, 0
        first = self._next().split()
        if first not in ([b"svm_forest", b"1"], [b"svm_forest", b"2"]):
            raise self._fault("no forest, or one of a later version: it does not begin with svm_forest 1")
        self.header = self._header()
        self.rows = {}  # by number
        for line in self._vectors(self.header):
            number, _, row = line.partition(b" ")
            self.rows[number] = row
        self.weights, self.others, self.metric_line = {}, 1, b""
        if first[1] == b"2":
            count, self.others = self._numbers(rb"weights ([0-9]+) " + WEIGHT, "the number of weights")
            for _ in range(count):
                index, weight = self._numbers(rb"([0-9]+) " + WEIGHT, "a feature and its weight")
                self.weights[index] = weight
        self.trees, = self._numbers(rb"trees ([0-9]+)", "the number of trees")

    def _fault(self, text):
        return ForestError("line %d: %s" % (self._line, text))

    def _next(self):
        self._line += 1
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise self._fault("the file ends within the forest")
        return line[:-1]

    def _numbers(self, form, what):
        """The numbers of the next line."""
        found = re.fullmatch(form, self._next().rstrip())
        if found is None:
            raise self._fault("expected " + what)
        return [float(number) if b"." in number or b"e" in number else int(number) for number in found.groups()]

    def _header(self):
        """Lines up to SV."""
        lines = []
        while not lines or lines[-1].rstrip() != b"SV":
            lines.append(self._next())
        return lines

    def _vectors(self, header):
        count = value_of(header, b"total_sv")
        if not count.isdecimal():
            raise self._fault("the model has no total_sv")
        for _ in range(int(count)):
            yield self._next()

    def cells(self):
        """Yields the cells of all trees, in the order of the file."""
        for tree in range(1, self.trees + 1):
            left, number = 1, 0  # nodes of the tree that are not read yet
            while left > 0:
                word = self._next().split(b" ", 1)[0]
                left -= 1
                if word == b"split":
                    left += 2
                elif word in (b"leaf", b"untrained"):
                    number += 1
                    header = self._header() if word == b"leaf" else []
                    yield Cell(tree, number, header, list(self._vectors(header)) if header else [])
                else:
                    raise self._fault("expected split, leaf or untrained")

    def largest(self):
        """A line about the weights."""
        order = sorted(self.weights, key=self.weights.get, reverse=True)[:MOST_SHOWN]
        return "%d features have weights, and others %.3g; the largest: %s" % (
            len(self.weights), self.others, ", ".join("%d: %.3g" % (f, self.weights[f]) for f in order))

    def metric(self):
        """The weights as a range file of svm-scale, which divides features by the reciprocals."""
        if not self.weights:
            raise ForestError("the forest has no weights of features")
        used = {int(pair.partition(b":")[0]) for row in self.rows.values() for pair in row.split()}
        lines = ["%d 0 %s" % (f, reciprocal(self.weights.get(f, self.others)))
                 for f in sorted(used.union(self.weights))]
        return "\n".join(["x", "0 1", *lines, ""]).encode()

    def write(self, cell, file):
        """Writes a cell as a model."""
        if not cell.header:
            raise ForestError("cell %d of tree %d is not trained" % (cell.number, cell.tree))
        lines = list(cell.header)
        for line in cell.vectors:
            found = ROW_NUMBER.search(line)
            if found is None or found.group(1) not in self.rows:
                raise ForestError("cell %d of tree %d has a support vector that the forest lacks"
                                  % (cell.number, cell.tree))
            lines.append(line[:found.start()] + self.rows[found.group(1)])
        file.write(b"\n".join(lines) + b"\n" + self.metric_line)


def reciprocal(weight):
    """The shortest text of 1 / weight that tells the weight."""
    if weight * sys.float_info.max < 1:
        return repr(sys.float_info.max)
    texts = ["%.*g" % (digits, 1 / weight) for digits in range(1, 18)]
    return next((text for text in texts if 1 / float(text) == weight), texts[-1])


def list_cells(reader):
    cells = list(reader.cells())
    kinds = [value_of(reader.header, key) for key in (b"svm_type", b"kernel_type")]
    print("%s, %s: %d trees, %d cells, %d support vectors"
          % (*kinds, reader.trees, len(cells), len(reader.rows)))
    if reader.weights:
        print(reader.largest())
    print("tree\tcell\tsupport vectors\tclasses")
    for cell in cells:
        print(cell.row())
    sys.stdout.flush()


def write_all(reader, folder):
    """Makes the folder when all models are complete."""
    if os.path.lexists(folder):
        raise FileExistsError(17, "there is such a file or folder already", folder)
    part = "%s.%d.part" % (folder.rstrip("/"), os.getpid())
    os.mkdir(part)
    try:
        for cell in reader.cells():
            with open(os.path.join(part, "tree%dcell%d.model" % (cell.tree, cell.number)), "wb") as file:
                reader.write(cell, file)
        os.rename(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def work(options):
    """Does what the options tell."""
    with open(options.forest, "rb") as source:
        reader = Reader(source)
        if options.metric is not None:
            text = reader.metric()
            with files.new_file(options.metric) as file:
                file.write(text)
            words = "metric", files.fingerprint(text), options.metric.replace("\n", " ")
            reader.metric_line = os.fsencode(" ".join(words)) + b"\n"
        elif reader.weights and (options.folder or options.tree):
            print("rows for the model of a cell need the weights of features, which --metric writes",
                  file=sys.stderr)
        if options.folder is not None:
            write_all(reader, options.folder)
            return
        if options.tree is None:
            list_cells(reader)
            return
        wanted = (options.tree, options.cell)
        cell = next((cell for cell in reader.cells() if (cell.tree, cell.number) == wanted), None)
        if cell is None:
            raise ForestError("there is no cell %d of tree %d" % (options.cell, options.tree))
        to_file = options.output != "-"
        with files.new_file(options.output) if to_file else contextlib.nullcontext(sys.stdout.buffer) as file:
            reader.write(cell, file)
            file.flush()


def run(options):
    """The same, with the name of the forest in its faults."""
    try:
        work(options)
    except ForestError as error:
        raise Fault("%s: %s" % (options.forest, error)) from None


def main(program, arguments):
    """Returns the exit status."""
    return command.main(program, arguments, USAGE, Options, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[0], sys.argv[1:]))
