#!/usr/bin/env python3
"""Selects rows of a data set at random."""

import collections
import math
import os
import random
import signal
import sys

from svmgrid import files

USAGE = """Usage: {} [options] dataset subset_size [output1] [output2]

Chooses rows of the data set at random; they keep their order.  The data set - is standard input.

options:
-s method : how to choose (default 0)
     0 -- stratified: from each class its share (classification only)
     1 -- without regard to classes

output1 : file for the chosen rows (default: the screen)
output2 : file for the other rows (default: none)
"""
TOO_SMALL = """Error: failed to have at least one instance per class
    1. You may have regression data.
    2. Your classification data is unbalanced or too small.
Please use -s 1."""
EXIT_TOO_SMALL = 255


class UsageError(Exception):
    """A wrong command line; the message is printed before the help."""


def read_lines(path):
    """Returns the rows as bytes; the last one gets a line end if it has none."""
    with open(0 if path == "-" else path, "rb") as file:
        lines = file.read().split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line + b"\n" for line in lines]


def class_shares(sizes, wanted, total):
    """Returns the number of rows to take from each class: from the smallest class on its share
    rounded up, from the largest class the rest. None if a class would get none."""
    shares = {}
    left = wanted
    for label in sorted(sizes, key=sizes.get):
        last = len(shares) + 1 == len(sizes)
        share = left if last else min(math.ceil(sizes[label] * (wanted / total)), left)
        if share < 1:
            return None
        shares[label] = share
        left -= share
    return shares


def stratified(lines, wanted):
    """Returns the numbers of the selected rows, or None if a class would get none."""
    members = collections.defaultdict(list)
    for number, line in enumerate(lines):
        words = line.split(None, 1)
        if not words:
            raise ValueError("line %d: missing label, perhaps an empty line?" % (number + 1))
        members[words[0]].append(number)
    shares = class_shares({label: len(rows) for label, rows in members.items()},
                          wanted, len(lines))
    if shares is None:
        return None
    return [row for label, rows in members.items() for row in random.sample(rows, shares[label])]


def parse(arguments):
    """Returns (method, data set, size, output files)."""
    method = "0"
    words = list(arguments)
    while words and words[0].startswith("-") and len(words[0]) > 1:
        option = words.pop(0)
        if option != "-s" or not words:
            raise UsageError("Unknown option " + option if option != "-s" else
                             "Option -s needs a value")
        method = words.pop(0)
        if method not in ("0", "1"):
            raise UsageError("Unknown selection method " + method)
    if not 2 <= len(words) <= 4:
        raise UsageError("")
    if not words[1].isdigit():
        raise ValueError("subset_size needs a number, not " + words[1])
    return method, words[0], int(words[1]), words[2:]


def write(path, lines):
    """Writes the rows to the file path, or to standard output if it is None."""
    if path is None:
        sys.stdout.buffer.write(b"".join(lines))
        sys.stdout.buffer.flush()
        return
    with open(path, "wb") as file:
        file.writelines(lines)


def main(program, arguments):
    """Returns the exit status."""
    try:
        method, dataset, wanted, outputs = parse(arguments)
        if any(files.are_same(path, 0 if dataset == "-" else dataset) for path in outputs):
            raise ValueError("%s would be written over itself" % dataset)
        if len(outputs) > 1 and os.path.realpath(outputs[0]) == os.path.realpath(outputs[1]) and (
                not files.is_other_than_a_file(outputs[0])):
            raise ValueError("%s would be written twice" % outputs[0])
        lines = read_lines(dataset)
        if wanted > len(lines):
            raise ValueError("subset_size is %d, but %s has only %d rows" %
                             (wanted, dataset, len(lines)))
        if method == "0":
            chosen = stratified(lines, wanted)
            if chosen is None:
                print(TOO_SMALL, file=sys.stderr)
                return EXIT_TOO_SMALL
        else:
            chosen = random.sample(range(len(lines)), wanted)
        chosen = set(chosen)
        write(outputs[0] if outputs else None,
              [line for number, line in enumerate(lines) if number in chosen])
        if len(outputs) > 1:
            write(outputs[1], [line for number, line in enumerate(lines) if number not in chosen])
    except UsageError as error:
        if str(error):
            print(error)
        print(USAGE.format(program), end="")
        return 1
    except (OSError, ValueError) as error:
        print("Error: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as in `... | head`
    sys.exit(main(sys.argv[0], sys.argv[1:]))
